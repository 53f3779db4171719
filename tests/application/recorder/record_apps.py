#!/usr/bin/env python3
"""Checks whether `trilane record` leaves applications as they are, and says what is true of them.

Runs each planted application (recorder/planted/) by itself and under `trilane record`: standard
output and exit code must be the same, and what is said must fit. Instead, --costs measures for that
many seconds what a call takes longer while a recorder looks for an iteration, and an iteration when
it is done, see record_costs.py, where --only names kinds of iterations; --memory checks that
neither the application's memory nor the device's goes on to be taken. Of some applications what is
said hangs on times: --alone runs only those, which want a machine to themselves, and --beside only
the others.

  record_apps.py [--costs [--budget SECONDS] | --memory] [--alone | --beside] [--only NAME,...]
                 [TRILANE APP...]

Without programs those beside this script are used, as the install component gpu-tests lays them
out. Exit codes: 0 no defect, 1 defects, 2 usage, 77 no GPU.
"""
import argparse
import concurrent.futures
import dataclasses
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from chosen import chosen
from record_costs import KINDS, measure_costs
from record_memory import check_memory

LIMIT_S = 120
BY_REPLAY = "by a replay"  # which times each operation by itself
REPLAY = ("--time", "1s")  # at most; what is looked for hangs on no time of a replay
# Memory that CUPTI frees is then unmapped, so that a function that still uses it crashes.
UNMAPPED = {"MALLOC_MMAP_THRESHOLD_": "65536"}
HERE = pathlib.Path(__file__).resolve().parent


@dataclasses.dataclass
class Case:
    app: str
    says: str  # a regular expression found in trilane's output
    arguments: tuple = ()
    options: tuple = ()
    code: int = 0
    stdin: str = ""
    saved: bool = True  # an iteration is expected in the file of --save
    traced: object = True  # with device times, or certainly without; None: either
    nodes: tuple = ()  # kinds of the operations in the graph that each iteration launches
    # A regular expression that must not occur in trilane's output.
    silent: str = r"remove\s+the\s+(wait|call|memset):"
    changed: tuple = ()  # arguments with which the application follows advice, with the same output
    captured: bool = False  # it says what a capture of its calls contains, and the replay must
                            # agree
    audited: bool = False  # it says what became of its captures, and the recording must agree
    measured: bool = False  # it says what memory its first graphs took, and the recording agrees

    @property
    def alone(self):
        """Returns true if what is said hangs on times, or on the device's memory.

        Findings below 1% of an iteration are not said, nor graphs that pay at once."""
        return self.app in ("advised", "conditions", "together", "pieces", "beside", "steps",
                            "branches", "two_threads", "graph_costs")


def found(calls):
    return rf"(?m)^trilane: {calls} calls an iteration, \d+ iterations seen, one every [\d.]+ "


def iteration(calls):
    return rf"^trilane: {calls} calls an iteration, "


def replayed(calls):
    return (rf"(?ms){iteration(calls)}.*(instead\s+of|Nothing\s+that\s+was\s+tried|"
            r"No\s+gain\s+is\s+promised)")


def replayed_ahead(calls):
    return rf"(?ms){iteration(calls)}.*they\s+are\s+issued\s+back\s+to\s+back"


def replayed_alone(calls):
    """As an iteration that leaves nothing behind."""
    return (rf"(?ms){iteration(calls)}(?!.*leaves\s+work\s+behind)"
            r".*In\s+the\s+application\s+an\s+iteration\s+takes")


def breaks(calls, reason):
    return rf"(?ms)^trilane: {calls} calls an iteration, .*{reason}"


def refused(calls, why):
    return rf"(?ms)^trilane: {calls} calls an iteration, .*Nothing\s+is\s+claimed:.*{why}"


def finds(calls, what):
    return rf"(?ms)^trilane: {calls} calls an iteration, .*{what}"


def wrapped(words):
    """Returns a regular expression for words between which lines may break."""
    return r"\s+".join(map(re.escape, words.split()))


IDLE_WAIT = r"remove\s+the\s+wait"
OVERWRITTEN = r"remove\s+the\s+memset"
LEGACY = r"only\s+the\s+legacy\s+stream's\s+rule\s+delays"
LEGACY_EVENT = ("record an event on each stream whose work it marks, and use events where one "
                "needs the other's data; only the legacy stream's rule delays")
LEGACY_WAIT = ("use non-blocking streams, and events where one needs the other's data; only the "
               "legacy stream's rule delays")
WAIT = ("wait or poll later or less often, if until then neither the host nor another stream needs "
        "that work done")
DONE = "remove the wait: its event is known to be done"
EMPTY = "remove the call: it copies or sets no bytes"
TOGETHER = r"Put\s+\d\s+iterations\s+in\s+each\s+graph"
STEP = 2 << 20
LOOP = r"With\s+a\s+WHILE\s+node"
BRANCHES = r"\(graph_branches,\s+a\s+bound\)"
PIECES = r"make\s+one\s+copy\s+of\s+these"
IN_EACH = r"In\s+each\s+of\s+2\s+threads:\s+"
APART = r"overlap\s+the\s+copy\s+with\s+kernels\s+that\s+use\s+other\s+data"

# The call that is tried in a capture, the capture's mode, and the thread that makes the call.
TRIED = [
    ("sound", "global", "same"),
    *((call, mode, thread) for call in ("legacy", "malloc")
      for mode in ("global", "thread", "relaxed") for thread in ("same", "other")),
    *((call, mode, "same") for call in ("wait", "query", "event", "unjoined", "thread")
      for mode in ("global", "relaxed")),
    *((call, "global", "same") for call in ("outside", "merge", "unmatched", "side", "pool",
                                            "batch")),
]

SECOND = r"use\s+a\s+second\s+stream"
NEEDLESS = r"waits\s+for\s+events.*StreamWaitEvent"
QUEUE = r"CUDA_DEVICE_MAX_CONNECTIONS"
# Advice with its condition, and the modes of app_conditions that get it, with their calls. It helps
# the first, and would do harm in the others without the condition.
CONDITIONS = [
    ("pin its host memory, and wait for the copy before the host or another stream uses or changes "
     "its data; it copies", ("pageable", 4), ("rewritten", 4)),
    ("wait for it before the host or another stream uses or changes its data; the host waits, "
     "because", ("synchronous", 4), ("crossing", 4)),
    (WAIT, ("each", 3)),
    ("in a buffer of their own, if the host may act so late", ("small", 3), ("decides", 3)),
    ("allocate once, before the loop, all that is in use at a time, and wait where only a free did",
     ("allocation", 6), ("kept", 6)),
    ("let the host wait for it and run the function, and only then issue what uses the same memory",
     ("function", 5), ("feeds", 5)),
    ("with a second buffer, overlap the copy with the next iteration's kernels, if the host may "
     "run ahead and no data stay in the buffer", ("buffer", 3), ("state", 3)),
]
# Modes of app_beside, calls of an iteration, and the reason.
BESIDE = [("stream", 7, SECOND), ("chain", 9, SECOND), ("event", 9, NEEDLESS),
          ("queue_2", 9, QUEUE), ("queue_4", 13, QUEUE), ("queues", 13, QUEUE),
          ("threads", 7, r"fewer\s+or\s+smaller\s+blocks.*no\s+room"),
          ("shared", 7, r"less\s+shared\s+memory.*no\s+room"),
          ("registers", 7, r"limit\s+its\s+registers.*no\s+room")]
# What each iteration does with executable graphs, its calls, and what is said of them.
GRAPHS = r"executable\s+graphs\s+made\s+at\s+\S*graph_costs\.cu:\d+"
GRAPH_COSTS = [("piling", 5, r"pile\s+up"), ("once", 6, r"were\s+launched\s+once"),
               ("never", 6, r"were\s+never\s+launched"), ("updated", 5, ""), ("set", 5, ""),
               ("sizes", 4, ""), ("sound", 4, "")]
# What is said of a pool, and why it grew.
POOL = r"A\s+memory\s+pool"
POOLS = [
    ("stream", r"holds\s+more\s+than\s+is\s+used", r"free\s+in\s+another\s+stream"),
    ("ahead", r"(still\s+grows|holds\s+more)", r"free\s+in\s+another\s+stream"),
    ("leak", r"still\s+grows", r"more\s+was\s+in\s+use"),
    ("sizes", r"holds\s+more\s+than\s+is\s+used", r"each\s+free\s+block\s+was\s+too\s+small"),
    ("released", r"releases\s+memory", r"Set\s+cudaMemPoolAttrReleaseThreshold"),
]
# How each iteration launches its kernels, and what is said of that.
UNORDERED = r"Nothing\s+orders\s+7\s+launches"
LITTLE = r"serialization\s+gains\s+little"
PROGRAMMATIC = [("attribute", UNORDERED, LITTLE), ("waits", LITTLE, UNORDERED),
                *((how, "", f"{UNORDERED}|{LITTLE}") for how in ("off", "full"))]

CASES = [
    Case("steady", found(9)),
    Case("steady_shared", found(9)),
    Case("pageable", found(4)),
    Case("double_buffers", found(4)),
    Case("float_atomics", found(5)),
    Case("accumulates", found(4)),
    Case("freed_host", found(4)),
    Case("races", found(5)),
    Case("changes_shape", found(4), traced=None),  # it changes before that
    # The loop of one thread; the other stands still during the replay, or makes the same calls.
    Case("two_threads", finds(r"\d+", r"(stood\s+still\s+during|2\s+threads\s+replayed)"),
         ("4000",), traced=None),
    # A graph in each gains, or nothing; or memory points to what is another thread's.
    Case("two_threads", finds(43, IN_EACH + r"use\s+graph"), ("4000", "small"),
         changed=("4000", "small", "changed"), options=("--thread", "1"), traced=None),
    Case("two_threads", finds(7, IN_EACH), ("300", "long"), options=("--thread", "1"),
         silent=IN_EACH + "use", traced=None),
    Case("two_threads", finds(4, r"could\s+not\s+do\s+so\s+at\s+once:\s+wrong\s+data"),
         ("4000", "linked"), options=("--thread", "1"), silent=IN_EACH, traced=None),
    Case("two_threads", finds(4, r"The\s+loop\s+is\s+that\s+of\s+thread\s+1"), ("4000",),
         options=("--thread", "1"), traced=None),
    Case("backward_pass", finds(7, r"One\s+thread\s+replayed\s+the\s+calls"), ("4000",)),
    Case("backward_pass", r"it\s+may\s+wait\s+for\s+one\s+of\s+them", ("4000", "needed")),
    Case("forks", found(4)),
    Case("crashes", found(4), ("200", "abort"), code=134),
    Case("crashes", r"SIGABRT", ("200", "abort"), code=134),
    Case("crashes", r"no iteration was found; .* SIGSEGV after \d+ calls", ("2", "segv"), code=139,
         saved=False),
    Case("crashes", found(4), ("200", "illegal"), code=9),
    Case("exits_within", found(4), code=7),
    Case("exits_within", r"no iteration was found", ("2",), code=7, saved=False),
    Case("no_cuda", r"did not use CUDA", saved=False),
    Case("waits_for_input", found(4), traced=None, stdin="".join(f"{i}\n" for i in range(100))),
    Case("waits_for_input", r"no iteration was found", saved=False),
    Case("allocates", found(8)),
    Case("allocates", found(8), ("200", "async")),
    Case("allocates", r"(?ms)^trilane: 8 calls an iteration, .*CUPTI\s+stayed", ("200", "behind")),
    Case("allocates", replayed(8), ("200", "later")),
    Case("handed_on", replayed(8)),
    Case("mapped_memory", replayed(5)),
    Case("copy_shapes", replayed(6)),
    Case("inner_loop", found(42)),
    Case("legacy_stream", found(5), silent=LEGACY),  # the data need its order
    # Their waits are for an earlier iteration, and needed.
    Case("lagged_waits", found(20), traced=None),
    Case("lagged_waits", found(14), ("200", "buffers"), traced=None),
    Case("lagged_waits", found(16), ("200", "pool"), traced=None),
    # Possible changes are found, and no longer once they are made.
    Case("advised", finds(11, IDLE_WAIT), ("200", "waits"), silent="",
         changed=("200", "waits", "changed")),
    Case("advised", found(3), ("200", "waits", "changed")),
    Case("advised", finds(5, OVERWRITTEN), ("200", "memset"), silent="",
         changed=("200", "memset", "changed")),
    Case("advised", found(4), ("200", "memset", "changed"), silent=OVERWRITTEN),
    Case("advised", found(5), ("200", "half"), silent=OVERWRITTEN),
    Case("advised", finds(5, wrapped(LEGACY_EVENT)), ("200", "legacy"),
         changed=("200", "legacy", "changed")),
    Case("advised", found(5), ("200", "legacy", "changed"), silent=LEGACY),
    Case("advised", finds(5, wrapped(LEGACY_WAIT)), ("200", "barrier"),
         changed=("200", "barrier", "changed")),
    Case("advised", found(5), ("200", "barrier", "changed"), silent=LEGACY),
    Case("advised", finds(4, APART), ("200", "overlap"), changed=("200", "overlap", "changed")),
    Case("advised", found(4), ("200", "overlap", "changed"), silent=APART),
    # The same would be wrong: something needs the wait, the order or the memory.
    Case("advised", finds(6, wrapped(WAIT)), ("200", "needed"), silent=IDLE_WAIT),
    Case("advised", found(6), ("200", "ordered"), silent=LEGACY),
    Case("advised", found(4), ("200", "same"), silent=APART),
    Case("advised", finds(6, wrapped(LEGACY_EVENT)), ("200", "marks")),
    # Advice helps, and would be wrong without the condition that it states.
    *(Case("conditions", finds(calls, wrapped(words)), ("200", mode),
           changed=("200", mode, "changed") if (mode, calls) == modes[0] else ())
      for words, *modes in CONDITIONS for mode, calls in modes),
    # Without a wait that is known as one it takes 10,000 calls, and no trace is possible.
    Case("conditions", finds(5, wrapped("and wait where only a free did")), ("4000", "freed"),
         traced=None),
    Case("conditions", finds(14, wrapped(DONE)), ("200", "done"), silent="",
         changed=("200", "done", "changed")),
    Case("conditions", found(9), ("200", "again")),
    Case("conditions", finds(11, wrapped(EMPTY)), ("200", "empty"), silent="", traced=None,
         changed=("200", "empty", "changed")),
    Case("conditions", finds(4, r"Steps\s+repeat\s+in\s+kind"), ("250", "sometimes"),
         traced=False),
    # Several iterations in a graph gain, gain nothing, would be wrong, or are a bound.
    Case("together", finds(4, TOGETHER), ("2000", "short"), changed=("2000", "short", "changed")),
    Case("together", found(4), ("200", "long"), silent=TOGETHER),
    Case("together", finds(5, r"it\s+may\s+use\s+what\s+the\s+host\s+writes"),
         ("2000", "input"), silent=TOGETHER),
    Case("together", finds(5, r"graph_of_8[^\n]*\sa\s+bound"),
         ("2000", "result"), silent=TOGETHER),
    # A loop on the device gains, gains nothing, or would be wrong; the replay keeps the bytes.
    Case("steps", finds(4, LOOP), ("3000", "word"), changed=("3000", "word", "changed")),
    Case("steps", found(4), ("40", "long"), silent=LOOP),
    Case("steps", finds(5, r"it\s+may\s+use\s+what\s+the\s+host\s+writes"), ("3000", "host"),
         silent=LOOP),
    # Branches of a graph are a bound, because memory may need an order that no argument tells of.
    Case("branches", finds(13, BRANCHES), ("200", "apart"), silent=r"Use\s+graph_branches",
         changed=("200", "apart", "changed")),
    Case("branches", finds(13, r"graph_branches\s+failed"), ("200", "hidden"), silent=BRANCHES),
    # Copies that one could make.
    Case("pieces", finds(11, PIECES), ("2000", "small"), changed=("2000", "small", "changed")),
    Case("pieces", found(11), ("2000", "apart"), silent=PIECES),
    # Kernels that could run side by side, and what keeps them apart.
    *(case for mode, calls, why in BESIDE for case in (
        Case("beside", finds(calls, rf"run\s+beside\s+kernel.*{why}"), ("200", mode),
             changed=("200", mode, "changed")),
        Case("beside", found(r"\d+"), ("200", mode, "changed"), silent=r"run\s+beside"))),
    *(Case("beside", found(7), ("200", mode), silent=r"run\s+beside") for mode in
      ("beside", "data")),
    # A turn of the ring of four, of the two buffers, and four steps with one wait.
    Case("runs_ahead", replayed_ahead(20), ("4000", "ring")),
    Case("runs_ahead", replayed_ahead(10), ("4000", "double")),
    Case("runs_ahead", replayed_alone(13), ("4000", "seldom")),
    # Its steps are found after some thousand calls, or at its end.
    Case("growing", finds(5, r"For\s+the\s+step\s+that\s+was\s+replayed"), ("4000",)),
    Case("growing", finds(5, r"Steps\s+repeat\s+in\s+kind"), traced=False),
    Case("host_function", finds(6, r"the\s+stream\s+stands\s+still.*--skip-host-functions"),
         ("1000",)),
    Case("host_function", finds(6, r"Without\s+its\s+1\s+host\s+function"), ("1000",),
         options=("--skip-host-functions",)),
    Case("device_variable", replayed(5)),
    Case("device_variable", refused(5, r"may\s+print\s+from\s+the\s+device"), ("200", "aloud")),
    Case("device_heap", refused(5, r"may\s+allocate\s+memory\s+on\s+the\s+device")),
    # What it allocated and loaded before is unknown.
    Case("profiled", refused(4, r"another\s+tool\s+had\s+CUPTI"), ("20000",)),
    Case("mapped_input", replayed(4)),
    Case("managed", refused(4, r"managed\s+memory")),
    # With a replay no trace is taken if the application has graphs.
    Case("captured", found(3), nodes=("copy", "kernel"), options=("--no-replay",)),
    Case("captured", replayed(3), nodes=("copy", "kernel"), traced=BY_REPLAY),
    Case("graph_copies", replayed(2), nodes=("copy", "memset", "kernel", "kernel", "copy"),
         traced=BY_REPLAY),
    Case("graph_copies", replayed(2), ("200", "child"), traced=BY_REPLAY,
         nodes=("copy", "memset", "kernel", "kernel", "copy")),
    Case("graph_copies", r"calls a function of the program on the host", ("200", "host"),
         nodes=("copy", "memset", "kernel", "kernel", "copy", "host function"), traced=False),
    Case("graph_copies", r"Without\s+its\s+1\s+host\s+function", ("200", "host"),
         nodes=("copy", "memset", "kernel", "kernel", "copy", "host function"), traced=False,
         options=("--skip-host-functions",)),
    # Launched as it is: the driver does not clone it.
    Case("graph_memory", replayed(4), traced=BY_REPLAY, nodes=(
        "stream-ordered allocation", "kernel", "kernel", "stream-ordered free")),
    Case("graph_sets_node", replayed(3), nodes=("copy", "kernel", "copy"), traced=BY_REPLAY),
    Case("graph_updates", replayed(3), nodes=("copy", "kernel", "copy"), traced=BY_REPLAY),
    Case("attributes", replayed(15), captured=True),
    Case("attributes", replayed(17), ("200", "joined"), captured=True),
    Case("capture_fails", breaks(6, r"(\d+)\s+of\s+\1\s+captures\s+failed\s+at\s+cudaMemset\s+"
                                    r"\([\s\S]*?\s+error\s+906\).*Write\s+cudaMemsetAsync")),
    Case("capture_fails", breaks(5, r"error\s+904\):\s+(a|the)\s+stream"), ("200", "unjoined")),
    Case("capture_fails", breaks(7, r"cudaMalloc\s.*:\s+a\s+capture\s+does\s+not\s+allow\s+it"),
         ("200", "allocates")),
    Case("capture_fails", breaks(5, r"cudaMemcpyBatchAsync\s.*:\s+a\s+capture\s+fails"),
         ("200", "batch")),
    Case("capture_fails", breaks(5, r"cudaMemcpyAsync\s.*:\s+it\s+copies\s+pageable\s+memory"),
         ("200", "pageable")),
    *(Case("captures", found(5), ("200", *words), traced=None, audited=True) for words in TRIED),
    *(Case("graph_costs", finds(calls, GRAPHS + r"[\s\S]{0,200}?" + words) if words else found(calls),
           ("200", how), silent="" if words else GRAPHS, traced=None, options=("--no-replay",),
           nodes=("kernel",) * (400 if how == "piling" else 20), measured=how == "sizes")
      for how, calls, words in GRAPH_COSTS),
    *(Case("pools", rf"{POOL}\s+{what}(.|\n)*?at\s+pools\.cu:\d+\s(.|\n)*?{why}", ("200", how),
           traced=None) for how, what, why in POOLS),
    *(Case("pools", finds(r"\d+", r"pool\s+reserved\s+at\s+most"), ("200", how), traced=None,
           silent=POOL)
      for how in ("same", "event", "host", "own", "alternate")),
    *(Case("programmatic", finds(11, said), ("200", how), silent=silent)
      for how, said, silent in PROGRAMMATIC),
    Case("named_ranges", replayed(6), ("2000", "equal"), options=("--iteration", "step")),
    Case("named_ranges", r"(?m)^trilane: \d+ calls an iteration", options=("--iteration", "step"),
         traced=None),
    Case("named_ranges", r"(?m)^trilane: \d+ calls an iteration", ("200", "start"), traced=None,
         options=("--iteration", "step")),
    Case("named_ranges", r"no iteration was found", options=("--iteration", "stepp"), saved=False),
]


def run(words, stdin=""):
    return subprocess.run(words, input=stdin, capture_output=True, text=True, timeout=LIMIT_S,
                          check=False, env={**os.environ, **UNMAPPED})


def shell_code(code):
    return code if code >= 0 else 128 - code


def saved_defects(path, case):
    if not path.exists():
        return ["nothing was saved"] if case.saved else []
    recording = json.loads(path.read_text())
    defects = []
    if case.saved and not recording["calls"]:
        defects.append("the saved recording has no calls")
    operations = [call for call in recording["calls"]
                  if call["kind"] in ("kernel", "copy", "graph launch")]
    timed = (True if any("device_start_us" in call for call in operations)
             else BY_REPLAY if any("device_us" in call for call in operations) else False)
    if case.saved and case.code == 0 and case.traced not in (None, timed):
        defects.append(f"operations have device times: {timed}, not {case.traced}")
    graphs = [tuple(node["kind"] for node in graph["nodes"]) for graph in recording["graphs"]]
    if graphs != ([case.nodes] if case.nodes else []):
        defects.append(f"the graphs hold {graphs}, not {case.nodes}")
    for call in operations:
        if call["kind"] == "kernel" and "(" not in recording["kernels"][call["kernel"]]["name"]:
            defects.append("a kernel's name is not demangled")
    return defects


def captured_defects(said, path):
    """Returns what the graph that was tried holds otherwise than the application's own capture."""
    captured = re.search(r"(?m)^captured ({.*})$", said)
    if not captured:
        return ["the application does not say what it captured"]
    if not path.exists():
        return ["there are no results"]
    comparison = json.loads(path.read_text())["comparisons"][0]
    evidence = [m["evidence"] for m in comparison["measurements"] if m["variant"] == "graph"][0]
    return [f"{name}: {count} in the application's capture, {evidence.get(name)} in the graph tried"
            for name, count in json.loads(captured[1]).items() if evidence.get(name) != count]


def audit_defects(said, path):
    """Returns what the recording says otherwise than the application of its captures."""
    tried = re.search(r"(?m)^tried ({.*})$", said)
    if not tried or not path.exists():
        return ["the application does not say what it tried, or nothing was recorded"]
    tried = json.loads(tried[1])
    captures = json.loads(path.read_text()).get("captures", {"failed": []})
    audit = captures.get("audit", {"sites": [], "calls": []})

    def lines(place):
        frames = audit["source"]["stacks"][place["stack"]]["frames"] if "stack" in place else []
        return frozenset(audit["source"]["frames"][frame]["line"] for frame in frames) - {0}

    calls = [(call["place"], call["code"]) for call in captures["failed"] + audit["calls"]]
    found = {(place["effect"], code, place["other_thread"], lines(place)) for place, code in calls}
    wanted = {tuple(call) for call in tried["calls"]}
    defects = [f"{one} is not recorded" for one in wanted
               if not any((one[0], one[2], one[3]) == known[:3] and one[1] in known[3] | {0}
                          for known in found)]
    if len(found) != len(wanted):
        defects.append(f"recorded are {found}, and the application says {wanted}")
    for key in ("ended", "elsewhere"):
        if sum(site[key] for site in audit["sites"]) < tried[key]:
            defects.append(f"of {tried[key]} captures that {key} some are not recorded")
    return defects


def cost_defects(said, path):
    """Returns the graphs whose memory is over 10% off what the application measured alone, and more
    than a step in which the device's free memory changes."""
    took = re.search(r"(?m)^took (\[.*\])$", said)
    if not took or not path.exists():
        return ["the application does not say what its graphs took, or nothing was recorded"]
    resources = json.loads(path.read_text()).get("resources", {"executables": []})
    recorded = [one["bytes"] for one in resources["executables"]]
    wanted = json.loads(took[1])
    pairs = itertools.zip_longest(wanted, recorded[:len(wanted)], fillvalue=-1)
    return [f"a graph took {bytes_alone} bytes, recorded are {bytes_recorded}"
            for bytes_alone, bytes_recorded in pairs
            if not abs(bytes_recorded - bytes_alone) <= max(0.1 * bytes_alone, STEP)]


def defects_of(case, trilane, app, folder):
    """Everything that is wrong, a line each."""
    saved, results = folder / "app.recording", folder / "results.json"
    words = [app, *case.arguments]
    alone = run(words, case.stdin)
    replay = () if "--no-replay" in case.options else REPLAY
    options = [*case.options, *replay, "--all", "--save", saved]
    if case.captured:
        options += ["--results", results]
    recorded = run([trilane, "record", *options, "--", *words], case.stdin)
    defects = []
    if shell_code(alone.returncode) != case.code:
        defects.append(f"the application alone ended with {alone.returncode}: {alone.stderr}")
    if shell_code(recorded.returncode) != case.code:
        defects.append(f"exit code {recorded.returncode}, not {case.code}")
    if recorded.stdout != alone.stdout:
        defects.append(f"output differs: {alone.stdout!r} became {recorded.stdout!r}")
    if not re.search(case.says, recorded.stderr):
        defects.append(f"does not say {case.says!r}")
    if case.silent and re.search(case.silent, recorded.stderr):
        defects.append(f"says {case.silent!r}")
    if case.changed and run([app, *case.changed]).stdout != alone.stdout:
        defects.append(f"output differs with {' '.join(case.changed)}")
    defects += saved_defects(saved, case)
    if case.captured:
        defects += captured_defects(alone.stdout, results)
    if case.audited:
        defects += audit_defects(alone.stdout, saved)
    if case.measured:
        defects += cost_defects(alone.stderr, saved)
    saved.unlink(missing_ok=True)
    said = "".join(f"\n    {line}" for line in recorded.stderr.splitlines())
    return [f"{defect}{said}" for defect in defects]


def exit_code_of(defects):
    """Prints them. Returns the exit code."""
    for defect in defects:
        print(defect)
    return 1 if defects else 0


def programs_of(given):
    if given:
        return given[0], {pathlib.Path(app).name.removeprefix("app_"): app for app in given[1:]}
    apps = {app.name.removeprefix("app_"): str(app) for app in (HERE / "recorder").glob("app_*")}
    return str(HERE / "trilane"), apps


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--costs", action="store_true")
    parser.add_argument("--budget", type=float, default=90, metavar="SECONDS")
    parser.add_argument("--memory", action="store_true")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--alone", action="store_true")
    which.add_argument("--beside", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=4, metavar="N",
                        help="applications at a time, where what is said does not hang on times")
    parser.add_argument("programs", nargs="*")
    given = parser.parse_args()
    wanted = chosen(given.only, KINDS, "kind") if given.costs else chosen(
        given.only, dict.fromkeys(case.app for case in CASES), "application")
    trilane, apps = programs_of(given.programs)
    first = run([apps["steady"], "1"])
    if first.returncode != 0 and os.environ.get("TRILANE_REQUIRE_GPU") != "1":
        print(f"skipped for want of a GPU: {first.stderr.strip()}")
        return 77
    if given.costs:
        return exit_code_of(measure_costs(trilane, apps["call_costs"], given.budget, wanted))
    if given.memory:
        return exit_code_of(check_memory(trilane, apps["memory_marks"]))

    def tried(case):
        with tempfile.TemporaryDirectory() as folder:
            return case, defects_of(case, trilane, apps[case.app], pathlib.Path(folder))

    failed = 0
    cases = [case for case in CASES if case.app in wanted]
    all_tried = [tried(case) for case in cases if case.alone and not given.beside]
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        all_tried += pool.map(tried, (c for c in cases if not c.alone and not given.alone))
    for case, defects in all_tried:
        failed += bool(defects)
        print(f"{'FAILED' if defects else 'passed':<6}  {case.app} {' '.join(case.arguments)}")
        for defect in defects:
            print(f"  {defect}")
    print(f"{failed} of the cases failed" if failed else "no defect")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
