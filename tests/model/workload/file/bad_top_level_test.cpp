// The top level of a pipeline file, its sizes, and text that is not JSON.
#include "tests/model/workload/file/bad_files.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(bad_pipeline_top_level)

BOOST_AUTO_TEST_CASE(each_mistake_is_named_with_its_line_and_the_way_out) {
  BOOST_TEST(check_refusals(R"table(
replace "chunks": 32,
with
says    1: a pipeline file needs "chunks"; write for instance "chunks": 32
replace "chunks": 32
with    "chunks": 0
says    2: "chunks" must be a whole number from 1 to 1000000, not 0
with    "chunks": 1000001
says    2: "chunks" must be a whole number from 1 to 1000000, not 1000001
with    "chunks": "many"
says    2: "chunks" must be a whole number from 1 to 1000000, not "many"
with    "chunks": 2.5
says    2: "chunks" must be a whole number from 1 to 1000000, not 2.5
with    "chunks": -3
says    2: "chunks" must be a whole number from 1 to 1000000, not -3
with    "chunks": null
says    2: "chunks" must be a whole number from 1 to 1000000, not null
replace "items": 4096
with    "items": 1e30
says    3: "items" must be a whole number from 1 to 1152921504606846976, not 1e+30
with    "items": 99999999999999999999
says    3: "items" must be a whole number from 1 to 1152921504606846976, not 1e+20
with    "items": 1152921504606846976
says    3: 32 chunks of 1152921504606846976 items have more than 2^60 items; use fewer or smaller
        chunks
with    "items": "n"
says    3: "items" must be a whole number from 1 to 1152921504606846976, not "n"
replace "last": 100
with    "last": 4097
says    4: "last", the items of the last chunk, must be a whole number from 1 to 4096, not 4097
with    "last": 0
says    4: "last", the items of the last chunk, must be a whole number from 1 to 4096, not 0
replace "lanes": 4
with    "lanes": 2000
says    5: "lanes" must be a whole number from 1 to 1024, not 2000
with    "lanes": [4]
says    5: "lanes" must be a whole number from 1 to 1024, not an array
replace "order": "depth"
with    "order": "deep"
says    6: "deep" is not an order; use "depth", "breadth"
with    "order": 1
says    6: 1 is not an order; write its name in quotes
with    "name": ""
says    6: "name" must be a text of 1 to 100 printable characters, not ""
with    "name": "a\u001b[2J"
says    6: "name" must be a text of 1 to 100 printable characters, not "a\u001b[2J"
with    "name": {"a": 1}
says    6: "name" must be a text of 1 to 100 printable characters, not an object
replace "lanes": 4
with    "lane": 4
says    5: "lane" is not a key of a pipeline file; did you mean "lanes"?
with    "comment": "four lanes"
says    5: "comment" is not a key of a pipeline file; use "name", "chunks", "items", "last",
        "lanes", "order", "sizes", "buffers", "stages", "fused"
with    "halo": 2
says    5: "halo" is not possible: chunks are independent by definition; copy what a chunk needs of
        its neighbours into its own buffers, and order the stages of a chunk with "after"
with    "Overlap_rows": 2
says    5: "Overlap_rows" is not possible: chunks are independent by definition; copy what a chunk
        needs of its neighbours into its own buffers, and order the stages of a chunk with "after"
with    "\u001b[31m": 2
says    5: "\x1b[31m" is not a key of a pipeline file; use "name", "chunks", "items", "last",
        "lanes", "order", "sizes", "buffers", "stages", "fused"
replace "chunks": 32
with    "chunks": 1000000, "stage": 3
says    2: "stage" is not a key of a pipeline file; did you mean "stages"?
replace "chunks": 32,
with    "chunks": 32
says    3: is not JSON: syntax error; JSON has no comments, double quotes only, and no comma before
        ] or }
replace "chunks": 32
with    "chunks": 32,
says    2: is not JSON: syntax error; JSON has no comments, double quotes only, and no comma before
        ] or }
replace "chunks": 32,
with    "chunks": 32, // as many
says    2: is not JSON: syntax error; JSON has no comments, double quotes only, and no comma before
        ] or }
replace "chunks": 32
with    'chunks': 32
says    2: is not JSON: syntax error; JSON has no comments, double quotes only, and no comma before
        ] or }
replace "lanes": 4
with    "items": 4
says    5: repeats the key 'items' of its object; leave one out
replace "sizes": {"width": 64, "rows": "ceil(n / width)"}
with    "sizes": ["width"]
says    7: "sizes" must be an object such as {"rows": "n / 1024"}, not an array
replace "width": 64,
with    "n": 64,
says    7: size "n": "n" cannot be the name of a size; use 1 to 64 letters, digits and _, not first
        a digit, and not n, ceil, min or max
with    "two words": 64,
says    7: size "two words": "two words" cannot be the name of a size; use 1 to 64 letters, digits
        and _, not first a digit, and not n, ceil, min or max
with    "width": true,
says    7: size "width": a size must be a whole number or an expression such as "n / 256", not true
with    "width": 0,
says    7: size "rows": "ceil(n / width)" divides by zero with n = 4096, width = 0; divide by 1 or
        more, for instance max(a, 1)
replace "lanes": 4
with    "sizes": {}
says    7: repeats the key 'sizes' of its object; leave one out
replace "width": 64,
with    "width": "$(nproc)",
says    7: size "width": "$(nproc)" has "$" in column 1, which does not fit there; expressions have
        whole numbers, names, + - * / % ( ), ceil(a / b), min(a, b) and max(a, b)
replace "width": 64, "rows"
with    "width": "rows", "rows"
says    7: size "width": "rows" has "rows", which is not a size; sizes stand in "sizes", before they
        are used
replace "ceil(n / width)"
with    "ceil(n / widht)"
says    7: size "rows": "ceil(n / widht)" has "widht", which is not a size; did you mean "width"?
)table") == 40);
}

BOOST_AUTO_TEST_SUITE_END()
