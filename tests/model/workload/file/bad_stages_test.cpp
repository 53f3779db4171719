// The stages of a pipeline file, their kernels and arguments, and valid parts of a bad whole.
#include "tests/model/workload/file/bad_files.hpp"

BOOST_AUTO_TEST_SUITE(bad_pipeline_stages)

BOOST_AUTO_TEST_CASE(each_mistake_is_named_with_its_line_and_the_way_out) {
  BOOST_TEST(check_refusals(R"table(
replace {"copy in": "image"},
with    3,
says    14: stage 1: a stage is an object, not 3; write {"copy in": "image"}
with    {},
says    14: stage 1: a stage needs "copy in", "memset", "kernel" or "copy out"; write for instance
        {"copy in": "image"}
with    {"copyin": "image"},
says    14: stage 1: "copyin" is not a key of a stage; did you mean "copy in"?
with    {"copy in": "image", "copy out": "image"},
says    14: stage 1: a stage is either "copy in" or "copy out", not both; write two stages
with    {"copy in": "imgae"},
says    14: stage 1: "imgae" is not a buffer; did you mean "image"?
with    {"copy in": ["image"]},
says    14: stage 1: an array is not a buffer; write its name in quotes
with    {"copy in": "image", "value": 3},
says    14: stage 1: "value" is not a key of a "copy in" stage; use "copy in", "name", "after"
with    {"copy in": "image", "neighbours": 1},
says    14: stage 1: "neighbours" is not possible: chunks are independent by definition; copy what a
        chunk needs of its neighbours into its own buffers, and order the stages of a chunk with
        "after"
with    {"copy in": "image", "depends on": "memset result"},
says    14: stage 1: "depends on" is not possible: chunks are independent by definition; copy what a
        chunk needs of its neighbours into its own buffers, and order the stages of a chunk with
        "after"
replace "value": 7
with    "value": 256
says    15: stage 2: the "value" of a memset, a byte, must be a whole number from 0 to 255, not 256
with    "value": 0.5
says    15: stage 2: the "value" of a memset, a byte, must be a whole number from 0 to 255, not 0.5
with    "name": "a", "after": "copy in image"
says    15: stage 2: "after" must be an array of names of earlier stages, not "copy in image"
with    "after": ["copy in imgae"]
says    15: stage 2: "copy in imgae" is not the name of an earlier stage; did you mean "copy in
        image"?
with    "after": ["blur"]
says    15: stage 2: "blur" is not the name of an earlier stage; use "copy in image"
with    "after": ["copy in image", "copy in image"]
says    15: stage 2: "after" names "copy in image" twice; leave one out
with    "after": [0]
says    15: stage 2: 0 is not the name of an earlier stage; write its name in quotes
replace {"copy in": "image"},\n    {"memset": "result", "value": 7}
with    {"copy in": "image", "name": "a"},\n    {"memset": "result", "name": "a"}
says    15: stage 2: "a" is the name of an earlier stage; use another
replace "kernel": "blur", "file": "blur.cu"
with    "kernel": "", "file": "blur.cu"
says    16: stage 3: "kernel" must be a text of 1 to 1000 printable characters, not ""
with    "kernel": "blur"
says    16: stage 3: a "kernel" stage needs "file"; write for instance "file": "blur.cu"
with    "kernel": "blur", "file": "blur.c"
says    16: stage 3: "file" must end in .cu, .ptx, .cubin or .fatbin, not "blur.c"
with    "kernel": "blur", "file": "blur.cu", "stream": 1
says    16: stage 3: "stream" is not a key of a "kernel" stage; use "kernel", "name", "after",
        "file", "grid", "block", "shared", "arguments", "time_us", "early"
replace "grid": ["rows", 1],
with
says    16: stage 3: a "kernel" stage needs "grid"; write for instance "grid": "ceil(n / 256)"
replace "grid": ["rows", 1]
with    "grid": []
says    16: stage 3: "grid" must be one number or expression or an array of 1 to 3, not of 0
with    "grid": [1, 1, 1, 1]
says    16: stage 3: "grid" must be one number or expression or an array of 1 to 3, not of 4
with    "grid": ["rows", null]
says    16: stage 3: a number of "grid" must be a whole number or an expression such as "n / 256",
        not null
with    "grid": ["rows", 65536]
says    16: stage 3: the second number of a grid must be from 1 to 65535, not 65536
with    "grid": ["rows", "rows - 2"]
says    16: stage 3: the second number of a grid must be from 1 to 65535, not 0: "rows - 2" with
        rows = 2 (in the last chunk, of n = 100)
with    "grid": ["rows", "rows -"]
says    16: stage 3: "rows -" ends where a number or a name must follow
with    "grid": "rows / (width - 64)"
says    16: stage 3: "rows / (width - 64)" divides by zero with rows = 64, width = 64; divide by 1
        or more, for instance max(a, 1)
replace "block": "width"
with    "block": "width * 17"
says    23: stage 4: the first number of a block must be from 1 to 1024, not 1088: "width * 17" with
        width = 64
with    "block": [32, 32, 2]
says    23: stage 4: a block has at most 1024 threads, not 32 x 32 x 2 = 2048; use smaller blocks
        and a larger grid
with    "block": 64, "shared": "1M"
says    23: stage 4: bytes of shared memory must be from 0 to 262144, not 1048576: "1M"
with    "block": 64, "time_us": "10us"
says    23: stage 4: "time_us" must be a number from 0 to 100000, not "10us"
with    "block": 64, "time_us": -1
says    23: stage 4: "time_us" must be a number from 0 to 100000, not -1
with    "block": 64, "early": 1
says    23: stage 4: "early" must be true or false, not 1
replace "arguments": [{"in": "scratch"}, {"inout": "result"}, {"chunk": "offset"}]
with    "shared": 0
says    23: stage 4: a "kernel" stage needs "arguments"; write for instance "arguments": [{"in":
        "image"}]
with    "arguments": {"in": "scratch"}
says    24: stage 4: "arguments" must be an array in the kernel's order, such as [{"in": "image"},
        {"size": "n"}], not an object
replace {"chunk": "offset"}
with    "n"
says    24: stage 4, argument 3: an argument is an object, not "n"; write {"in": "image"} or
        {"size": "n"}
with    {}
says    24: stage 4, argument 3: an argument needs "in", "out", "inout", "size", "chunk" or "value";
        write for instance {"in": "image"} or {"size": "n"}
with    {"in": "scratch", "out": "scratch"}
says    24: stage 4, argument 3: an argument is either "in" or "out", not both; write "inout" for a
        buffer that is read and written
with    {"size": "n", "value": 3}
says    24: stage 4, argument 3: an argument is either "size" or "value", not both; write two
        arguments
with    {"chunk": "previous"}
says    24: stage 4, argument 3: "previous" is not known of a chunk; use "number", "offset"
with    {"chunk": "offset", "type": "uint16"}
says    24: stage 4, argument 3: the offset of the last chunk is 126976, which does not fit in
        uint16; use uint64
with    {"chunk": "number", "type": "float"}
says    24: stage 4, argument 3: "type": "float" does not fit a whole number; use an integer type
        and convert it in the kernel
with    {"in": "nothing"}
says    24: stage 4, argument 3: "nothing" is not a buffer; use "image", "scratch", "result"
with    {"in": "scratch", "type": "float"}
says    24: stage 4, argument 3: "type" stands with the buffer in "buffers"; leave it out here
with    {"size": "n", "type": "int8"}
says    24: stage 4, argument 3: an argument of type int8 must be from 0 to 127, not 4096: "n" with
        n = 4096
with    {"size": "n * k"}
says    24: stage 4, argument 3: "n * k" has "k", which is not a size; sizes stand in "sizes",
        before they are used
replace {"value": 0.5, "type": "float"}
with    {"value": 0.5}
says    21: stage 3, argument 4: a value needs a "type"; write for instance {"value": 0.5, "type":
        "float"}
with    {"value": 0.5, "type": "int32"}
says    21: stage 3, argument 4: a value of type int32 must be a whole number from -2147483648 to
        2147483647, not 0.5
with    {"value": 300, "type": "uint8"}
says    21: stage 3, argument 4: a value of type uint8 must be a whole number from 0 to 255, not 300
with    {"value": -129, "type": "int8"}
says    21: stage 3, argument 4: a value of type int8 must be a whole number from -128 to 127, not
        -129
with    {"value": -1, "type": "uint64"}
says    21: stage 3, argument 4: a value of type uint64 must be a whole number from 0 to
        18446744073709551615, not -1
with    {"value": 18446744073709551616, "type": "uint64"}
says    21: stage 3, argument 4: a value of type uint64 must be a whole number from 0 to
        18446744073709551615, not 1.8446744073709552e+19
with    {"value": 1e39, "type": "float"}
says    21: stage 3, argument 4: a value of type float must be a number from -3.40282e+38 to
        3.40282e+38, not 1e+39
with    {"value": "0.5", "type": "float"}
says    21: stage 3, argument 4: a value of type float must be a number from -3.40282e+38 to
        3.40282e+38, not "0.5"
with    {"value": true, "type": "int32"}
says    21: stage 3, argument 4: a value of type int32 must be a whole number from -2147483648 to
        2147483647, not true
)table") == 57);
}

BOOST_AUTO_TEST_CASE(each_contradiction_is_named_with_its_line_and_the_way_out) {
  BOOST_TEST(check_refusals(R"table(
replace {"copy in": "image"},
with
says    18: stage 2, argument 1: "image" is read before any stage writes it; put a "copy in",
        "memset" or "kernel" that writes it before
with    {"copy in": "image"}, {"copy in": "image"},
says    14: stage 2: "image" has a "copy in" stage already, stage 1; copy it once, or use another
        buffer
replace {"out": "scratch"}
with    {"inout": "scratch"}
says    19: stage 3, argument 2: "scratch" is read before any stage writes it; put a "copy in",
        "memset" or "kernel" that writes it before
replace     {"copy out": "result"}\n
with        {"copy out": "result"}, {"copy out": "result"}\n
says    25: stage 6: "result" has a "copy out" stage already, stage 5; copy it once, or use another
        buffer
with        {"memset": "result"}\n
says    13: "stages" has no "copy out", so nothing can be checked; add for instance {"copy out":
        "result"}
replace {"out": "scratch"}
with    {"in": "scratch"}
says    19: stage 3, argument 2: "scratch" is read before any stage writes it; put a "copy in",
        "memset" or "kernel" that writes it before
replace {"memset": "result", "value": 7}
with    {"copy out": "result"}
says    15: stage 2: "result" is read before any stage writes it; put a "copy in", "memset" or
        "kernel" that writes it before
replace     {"copy out": "result"}\n
with        {"copy out": "result", "after": []}\n
says    25: stage 5: "after" leaves out "sum", which uses the same data; add it, or leave "after"
        out
with        {"copy out": "result", "after": ["blur"]}\n
says    25: stage 5: "after" leaves out "sum", which uses the same data; add it, or leave "after"
        out
replace {"kernel": "sum",
with    {"kernel": "sum", "after": ["blur"],
says    23: stage 4: "after" leaves out "memset result", which uses the same data; add it, or leave
        "after" out
replace {"kernel": "blur",
with    {"kernel": "blur", "after": ["memset result"],
says    16: stage 3: "after" leaves out "copy in image", which uses the same data; add it, or leave
        "after" out
replace [{"in": "image"}, {"out": "result"}]}
with    [{"in": "image"}]}
says    28: fused: the fused kernel does not write "result", which the stages copy out; add {"out":
        "result"}
with    [{"in": "scratch"}, {"out": "result"}]}
says    28: fused, argument 1: "scratch" has no "copy in" stage; name a buffer that has one, because
        a fused kernel works on the host's memory
with    [{"inout": "result"}]}
says    28: fused, argument 1: "result" has no "copy in" stage; name a buffer that has one, because
        a fused kernel works on the host's memory
with    [{"out": "image"}, {"out": "result"}]}
says    28: fused, argument 1: "image" has no "copy out" stage; name a buffer that has one, because
        a fused kernel works on the host's memory
replace "kernel": "all", "file": "blur.cu", "grid": "rows"
with    "kernel": "all", "file": "blur.cu", "grid": "rows - 2"
says    27: fused: the first number of a grid must be from 1 to 2147483647, not 0: "rows - 2" with
        rows = 2 (in the last chunk, of n = 100)
replace "kernel": "all", "file": "blur.cu"
with    "kernel": "all", "file": "blur.cu", "after": []
says    27: fused: "after" is not a key of "fused"; use "kernel", "file", "grid", "block", "shared",
        "arguments", "time_us"
with    "kernel": "all"
says    27: fused: "fused" needs "file"; write for instance "file": "blur.cu"
)table") == 18);
}

BOOST_AUTO_TEST_SUITE_END()
