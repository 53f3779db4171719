// The top level of a pipeline file, its sizes and buffers, and text that is not JSON.
#include "tests/model/workload/file/bad_files.hpp"

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

BOOST_AUTO_TEST_CASE(each_mistake_in_a_buffer_is_named_with_its_line_and_the_way_out) {
  BOOST_TEST(check_refusals(R"table(
replace "image": {"type": "float", "count": "n"}
with    "image": 4
says    9: buffer "image": a buffer is an object, not 4; write {"type": "float", "count": "n"}
with    "": {"type": "float", "count": "n"}
says    9: buffer "": the name of a buffer must be a text of 1 to 100 printable characters, not ""
with    "image": {"count": "n"}
says    9: buffer "image": a buffer needs "type"; write for instance "type": "float"
with    "image": {"type": "float"}
says    9: buffer "image": a buffer needs "count"; write for instance "count": "n"
replace "image": {"type": "float"
with    "image": {"type": "flaot"
says    9: buffer "image": "flaot" is not a type; did you mean "float"?
with    "image": {"type": "bfloat16"
says    9: buffer "image": "bfloat16" is not a type; use "int8", "uint8", "int16", "uint16",
        "int32", "uint32", "int64", "uint64", "half", "float", "double"
with    "image": {"type": 4
says    9: buffer "image": 4 is not a type; write its name in quotes
replace "image": {"type": "float", "count": "n"}
with    "image": {"type": "float", "count": 0}
says    9: buffer "image": the count of a buffer must be from 1 to 288230376151711744, not 0
with    "image": {"type": "float", "count": "2048M * 2048M"}
says    9: buffer "image": the count of a buffer must be from 1 to 288230376151711744, not
        4611686018427387904: "2048M * 2048M"
with    "image": {"type": "float", "count": "n - 101"}
says    9: buffer "image": "n - 101" is below zero with n = 100; sizes cannot be: subtract less, for
        instance max(a, b) - b (in the last chunk, of n = 100)
with    "image": {"type": "float", "count": "n / 101"}
says    9: buffer "image": the count of a buffer must be from 1 to 288230376151711744, not 0: "n /
        101" with n = 100 (in the last chunk, of n = 100)
with    "image": {"type": "float", "count": "128K * 1024M * 1024"}
says    2: 32 chunks of 576460752303427840 bytes have more than 2^60 bytes; use fewer or smaller
        chunks
with    "image": {"type": "float", "count": "n", "count ": 3}
says    9: buffer "image": "count " is not a key of a buffer; did you mean "count"?
with    "image": {"type": "float", "count": "n", "fill": "zero"}
says    9: buffer "image": "zero" is not a fill; use "random"
with    "image": {"type": "float", "count": "n", "fill": 0}
says    9: buffer "image": a fill is an object, not 0; write "random", {"pattern": [1, 2]} or
        {"file": "in.raw"}
with    "image": {"type": "float", "count": "n", "fill": {}}
says    9: buffer "image": a fill has either "pattern" or "file"; write {"pattern": [1, 2]} or
        {"file": "in.raw"}
with    "image": {"type": "float", "count": "n", "fill": {"pattern": []}}
says    9: buffer "image": "pattern" must be an array of 1 to 4096 numbers, not of 0
with    "image": {"type": "float", "count": "n", "fill": {"pattern": 7}}
says    9: buffer "image": "pattern" must be an array of 1 to 4096 numbers, not 7
with    "image": {"type": "uint8", "count": "n", "fill": {"pattern": [1, 256]}}
says    9: buffer "image": a value of type uint8 must be a whole number from 0 to 255, not 256
with    "image": {"type": "half", "count": "n", "fill": {"pattern": [1, 70000]}}
says    9: buffer "image": a value of type half must be a number from -65504 to 65504, not 70000
with    "image": {"type": "uint64", "count": "n", "fill": {"pattern": [9007199254740993]}}
says    9: buffer "image": 9007199254740993 does not fit in a pattern, whose numbers are at most
        2^53; take the content from a {"file": "in.raw"}
with    "image": {"type": "float", "count": "n", "fill": {"file": ""}}
says    9: buffer "image": "file" must be a text of 1 to 1000 printable characters, not ""
with    "image": {"type": "float", "count": "n", "fill": {"path": "in.raw"}}
says    9: buffer "image": "path" is not a key of a fill; use "pattern", "file"
replace "scratch": {"type": "uint8", "count": "n"}
with    "scratch": {"type": "uint8", "count": "n", "fill": {"file": "in.raw"}}
says    10: buffer "scratch": "fill" is for buffers that are copied in, and this one is not; leave
        it out, or add a "copy in" stage
with    "scratch": {"type": "uint8", "count": "n", "check": "none"}
says    10: buffer "scratch": "check" is for buffers that are copied out, and this one is not; leave
        it out, or add a "copy out" stage
with    "scratch": {"type": "uint8", "count": "n", "reference": "a.raw"}
says    10: buffer "scratch": "reference" is for buffers that are copied out, and this one is not;
        leave it out, or add a "copy out" stage
with    "scratch": {"type": "uint8", "count": "n"}, "spare": {"type": "uint8", "count": 1}
says    10: buffer "spare": no stage uses it; leave it out, or name it in a stage
replace "tolerance": 1e-6
with    "tolerance": 0
says    11: buffer "result": "tolerance" is 0; leave it out, which checks that every byte is the
        same
with    "tolerance": -1
says    11: buffer "result": "tolerance" must be a number from 0 to 1, not -1
with    "tolerance": "small"
says    11: buffer "result": "tolerance" must be a number from 0 to 1, not "small"
with    "tolerance": 1e-6, "check": "exact"
says    11: buffer "result": "tolerance" contradicts "check": "exact"; leave one out
with    "check": "none", "reference": "out.raw"
says    11: buffer "result": "reference" contradicts "check": "none"; leave one out
with    "check": "nearly"
says    11: buffer "result": "nearly" is not a check; use "exact", "none"
)table") == 33);
}

BOOST_AUTO_TEST_SUITE_END()
