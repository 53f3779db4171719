// The buffers of a pipeline file.
#include "tests/model/workload/file/bad_files.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(bad_pipeline_buffers)

BOOST_AUTO_TEST_CASE(each_mistake_is_named_with_its_line_and_the_way_out) {
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
