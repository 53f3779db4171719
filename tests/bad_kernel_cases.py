"""Kernels and pipeline files with one mistake each, for bad_kernels.py, and what has to be said."""
import copy
import dataclasses
import enum
import re

# A pipeline without a mistake; each case changes a copy. `triple` reads words and writes sums.
PIPELINE = {
    "chunks": 4, "items": 65536, "lanes": 2,
    "buffers": {"words": {"type": "uint32", "count": "n"},
                "sums": {"type": "uint32", "count": "n"}},
    "stages": [{"copy in": "words"},
               {"kernel": "triple", "file": "bad.cu", "grid": "ceil(n / 256)", "block": 256,
                "arguments": [{"in": "words"}, {"out": "sums"}, {"size": "n"}]},
               {"copy out": "sums"}]}
KERNEL = """__global__ void triple(const unsigned* words, unsigned* sums, unsigned long long n) {
  const unsigned long long i = blockIdx.x * 256ull + threadIdx.x;
  if (i >= n) return;
  BODY
}
"""
GOOD_BODY = "sums[i] = words[i] * 3;"

# PTX that any recent driver can read, except for its target.
PTX = """.version 8.0
.target TARGET
.address_size 64
.visible .entry triple(.param .u64 words, .param .u64 sums, .param .u64 n) { ret; }
"""


class Needs(enum.Enum):
    """Says what the mistake takes to be noticed."""
    FILE = "the file alone"
    COMPILER = "NVRTC"
    NVCC = "nvcc to make the file, and a GPU"
    GPU = "a GPU"


@dataclasses.dataclass
class Case:
    """Words are regular expressions, all of which the messages must have, whatever the case of
    letters. With code 2 nothing runs, and `trilane pipeline check` says the same."""
    name: str
    words: tuple
    code: int = 2
    needs: Needs = Needs.COMPILER
    kernel: str = KERNEL.replace("BODY", GOOD_BODY)
    pipeline: dict = dataclasses.field(default_factory=lambda: copy.deepcopy(PIPELINE))
    text: str = ""  # of the pipeline file, if it is not JSON of `pipeline`
    files: dict = dataclasses.field(default_factory=dict)  # more files: name -> bytes
    cubin: tuple = ()  # nvcc's architecture, the file's name, bytes to keep (0: all)
    options: tuple = ()
    lines: int = 1  # of the message; compilers say more, so 0: any number


def wrong_file(name, *words, edit=None, **more):
    """A mistake in the pipeline file, which needs no compiler."""
    case = Case(name, words, needs=Needs.FILE, **more)
    if edit:
        edit(case.pipeline)
    return case


def wrong_source(name, kernel, *words, edit=None, **more):
    """A kernel file that cannot be compiled or does not fit the pipeline file."""
    case = Case(name, words, kernel=kernel, **more)
    if edit:
        edit(case.pipeline)
    return case


def wrong_run(name, body, *words, edit=None, kernel=KERNEL, **more):
    """A kernel that goes wrong on the device."""
    case = Case(name, words, 1, Needs.GPU, kernel.replace("BODY", body), **more)
    if edit:
        edit(case.pipeline)
    return case


def kernel_stage(pipeline):
    return next(stage for stage in pipeline["stages"] if "kernel" in stage)


def with_stage(**changes):
    return lambda pipeline: kernel_stage(pipeline).update(changes)


def with_buffer(name, **changes):
    return lambda pipeline: pipeline["buffers"].setdefault(name, {}).update(changes)


def with_memset(pipeline):
    """The kernel adds to sums that were cleared before."""
    pipeline["stages"].insert(1, {"memset": "sums"})
    kernel_stage(pipeline)["arguments"][1] = {"inout": "sums"}


def with_floats(pipeline):
    """Both buffers of floating-point numbers; words of -1 to 1 are added to sums."""
    with_memset(pipeline)
    for buffer in pipeline["buffers"].values():
        buffer["type"] = "float"


def with_scratch(kind):
    """The kernel has one more argument, a buffer that nothing has written."""
    def edit(pipeline):
        pipeline["buffers"]["scratch"] = {"type": "uint32", "count": "n"}
        kernel_stage(pipeline)["arguments"].insert(2, {kind: "scratch"})
    return edit


def without_copy_out(pipeline):
    pipeline["stages"].pop()


def without_argument(pipeline):
    kernel_stage(pipeline)["arguments"].pop()


def with_one_more(pipeline):
    kernel_stage(pipeline)["arguments"].append({"value": 1, "type": "uint32"})


def with_small_size(pipeline):
    kernel_stage(pipeline)["arguments"][2] = {"size": "n", "type": "uint32"}


def with_other_buffer(pipeline):
    kernel_stage(pipeline)["arguments"][0] = {"in": "wrods"}


GOOD = KERNEL.replace("BODY", GOOD_BODY)
TEMPLATE = "template <typename T> " + GOOD.replace("unsigned*", "T*")
TWICE = GOOD + GOOD.replace("const unsigned* words", "const float* words")
SCRATCH = KERNEL.replace("unsigned long long n)", "unsigned* scratch, unsigned long long n)")
FLOATS = KERNEL.replace("unsigned*", "float*")
LIMITED = GOOD.replace("void triple", "void __launch_bounds__(128) triple")
BIG = KERNEL.replace("BODY", "__shared__ unsigned big[30000]; big[i % 30000] = words[i]; "
                             "__syncthreads(); sums[i] = big[i * 7 % 30000];")
LIMIT = ("--kernel-limit", "2s")

FILE_CASES = [
    wrong_file("no JSON", r"bad\.json", text='{"chunks": 4, "items": '),
    wrong_file("kernel file not there", r"gone\.cu", edit=with_stage(file="gone.cu")),
    wrong_file("block too large", "1024", "2048", edit=with_stage(block=[32, 64])),
    wrong_file("grid of nothing", "grid", edit=with_stage(grid="n / 131072")),
    wrong_file("division by zero", "n / 0", "zero", edit=with_stage(grid="n / 0")),
    wrong_file("unknown buffer", "wrods", "words", edit=with_other_buffer),
    wrong_file("unknown name in an expression", "rows", edit=with_stage(grid="rows / 8")),
    wrong_file("nothing copied out", "copy out", edit=without_copy_out),
    wrong_file("reads scratch that nothing writes", "scratch", edit=with_scratch("in"),
               kernel=SCRATCH.replace("BODY", "sums[i] = words[i] + scratch[i];")),
    wrong_file("after a stage that is not there", "sieve", edit=with_stage(after=["sieve"])),
]

COMPILER_CASES = [
    wrong_source("syntax error", GOOD.replace("* 3;", "* 3"), r"bad\.cu\(\d+\)", 'expected a ";"',
                 lines=0),
    wrong_source("undefined name", GOOD.replace("* 3", "* four"), "four", "undefined", lines=0),
    wrong_source("missing header", "#include <no_such_header.h>\n" + GOOD, "no_such_header",
                 lines=0),
    wrong_source("kernel name not there", GOOD, "tirple", edit=with_stage(kernel="tirple")),
    wrong_source("empty file", "", "empty"),
    wrong_source("no kernel but a function", GOOD.replace("__global__", "__device__"), "triple",
                 "__global__|kernel"),
    wrong_source("ambiguous name", TWICE, "triple", "write one of"),
    wrong_source("template without arguments", TEMPLATE, "triple", "template|<"),
    wrong_source("template of an unknown type", TEMPLATE, "nonsense", lines=0,
                 edit=with_stage(kernel="triple<nonsense>")),
    wrong_source("one argument too few", GOOD, "triple", "argument", edit=without_argument),
    wrong_source("one argument too many", GOOD, "triple", "argument", edit=with_one_more),
    wrong_source("argument of the wrong size", GOOD, "triple", "4 bytes", "8", edit=with_small_size),
    wrong_source("too much static shared memory", BIG, "shared", lines=0),
]

GPU_CASES = [
    wrong_source("too much dynamic shared memory", GOOD, "shared", "1048576|1 MiB",
                 needs=Needs.GPU, edit=with_stage(shared="1M")),
    wrong_source("block larger than its kernel allows", LIMITED, "triple", "128|256",
                 needs=Needs.GPU),
    Case("truncated cubin", (r"bad\.cubin",), needs=Needs.NVCC, cubin=("sm_90", "bad.cubin", 1500)),
    Case("cubin for another architecture", (r"bad\.cubin", "architecture|sm_|compute capability"),
         needs=Needs.NVCC, cubin=("sm_80", "bad.cubin", 0)),
    Case("text as a cubin", (r"bad\.cubin",), needs=Needs.GPU, files={"bad.cubin": GOOD.encode()}),
    Case("empty cubin", (r"bad\.cubin",), needs=Needs.GPU, files={"bad.cubin": b""}),
    Case("PTX for another architecture", (r"bad\.ptx", "sm_121|architecture|PTX"), needs=Needs.GPU,
         files={"bad.ptx": PTX.replace("TARGET", "sm_121").encode()}, lines=0),
    Case("text as PTX", (r"bad\.ptx",), needs=Needs.GPU, files={"bad.ptx": GOOD.encode()}, lines=0),
    wrong_run("reads out of bounds", "sums[i] = words[i + (1ull << 40)];", "triple",
              "illegal (memory access|address)"),
    wrong_run("writes out of bounds", "sums[i + (1ull << 40)] = words[i];", "triple",
              "illegal (memory access|address)"),
    wrong_run("writes to address 0", "*(unsigned volatile*)(i * 4) = words[i];", "triple",
              "illegal (memory access|address)"),
    wrong_run("misaligned access",
              "*reinterpret_cast<unsigned long long*>(reinterpret_cast<char*>(sums) + 1) = i;",
              "triple", "misaligned"),
    wrong_run("loops for ever", "unsigned volatile* at = sums; while (n > 0) at[i] = words[i];",
              "triple", "2 s|limit", options=LIMIT),
    wrong_run("waits for what never comes", "while (atomicAdd(&sums[n - 1], 0) != 1234567) {}",
              "triple", "2 s|limit", options=LIMIT, edit=with_memset),
    wrong_run("trap", 'asm("trap;");', "triple"),
    wrong_run("assertion that fails", "assert(words[i] == sums[i] && n == 0);", "triple", "assert"),
    wrong_run("writes nothing", "if (n == 0) sums[i] = words[i];", "nothing wrote", "sums"),
    wrong_run("writes every other word", "if (i % 2 == 0) sums[i] = words[i];", "nothing wrote",
              "sums", "elements"),
    wrong_run("races on one address", "sums[i % 64] = sums[i % 64] + words[i];",
              "not deterministic|differ", "sums", "bytes", edit=with_memset),
    wrong_run("gives the time", "sums[i] = clock64();", "not deterministic|differ", "sums"),
    wrong_run("counts on from pass to pass", "sums[i] = atomicAdd(&calls, 1) / 262144;",
              "not deterministic|differ", "sums", kernel="__device__ unsigned calls;\n" + KERNEL),
    wrong_run("adds floats in any order", "atomicAdd(&sums[i % 64], words[i]);", "tolerance",
              "sums", kernel=FLOATS, edit=with_floats),
    wrong_run("writes its input", "const_cast<unsigned*>(words)[i] = 0; sums[i] = words[i];",
              "words", r"\bin\b|input"),
    wrong_run("reads what it says it only writes", "sums[i] += words[i];", "sums"),
    wrong_run("reads scratch before it writes it",
              "sums[i] = scratch[i]; scratch[i] = words[i];", "scratch|sums", kernel=SCRATCH,
              edit=with_scratch("out")),
]

CASES = FILE_CASES + COMPILER_CASES + GPU_CASES


def missing(case, messages):
    """The words of a case that the messages lack."""
    return [words for words in case.words if not re.search(words, messages, re.IGNORECASE)]
