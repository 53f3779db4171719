// Pipelines whose parts are valid, but not the whole.
#include "tests/model/workload/file/bad_files.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(bad_pipeline_data)

BOOST_AUTO_TEST_CASE(each_mistake_is_named_with_its_line_and_the_way_out) {
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
