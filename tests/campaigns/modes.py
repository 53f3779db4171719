"""Lists what campaigns run: a command line of every mode of the program, and what its files
hold."""
import dataclasses
import functools
import gzip
import json
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
RESULTS = HERE.parents[1] / "plots" / "results"
PROFILE = HERE.parents[1] / "common" / "device" / "profile" / "h200.json"
TINY = "--chunks 2 --chunk-size 4K"
TWO = "--variant streams,graph --check --time 10ms"


@dataclasses.dataclass(frozen=True)
class Mode:
    words: str
    outputs: tuple[str, ...]  # the files that it writes; the first can be read again
    needs: tuple[str, ...] = ()
    resumes: bool = False  # continues with its own file

    def command(self, force=False):
        return self.words.split() + (["--force"] if force and self.outputs else [])


MODES = {
    "run": Mode(f"run {TINY} {TWO} --json r.json --csv r.csv", ("r.json", "r.csv")),
    "all variants": Mode("run --chunks 4 --chunk-size 64K --check --time 10ms --json r.json "
                         "--csv r.csv", ("r.json", "r.csv")),
    "several": Mode(f"run --preset launch,search {TWO} --json r.json --csv r.csv",
                    ("r.json", "r.csv")),
    "processes": Mode(f"run {TINY} {TWO} --processes 3 --json r.json", ("r.json",)),
    "trace": Mode(f"run --preset launch {TWO} --json r.json --trace t.json", ("r.json", "t.json")),
    "break-even": Mode(f"run {TINY} {TWO} --prove-break-even --json r.json", ("r.json",)),
    "curve": Mode("sweep chunks=1,2,4 --size 64K --check --time 1s --json m.json", ("m.json",),
                  resumes=True),
    "map": Mode("sweep chunks=1,2,4 depth=1,2 --size 64K --check --time 1s --json m.json",
                ("m.json",), resumes=True),
    "aa": Mode(f"aa graph {TINY} --check --time 10ms --repeat 10 --json r.json", ("r.json",)),
    "calibrate": Mode("calibrate p.json", ("p.json",)),
    "validate": Mode("validate gpu.json p.json", ("p.json",), needs=("gpu.json",)),
    "compare": Mode("compare gpu.json gpu.json --json c.json", ("c.json",), needs=("gpu.json",)),
    "show": Mode("show gpu.json --all --bounds --setup", (), needs=("gpu.json",)),
    "diagnose": Mode("diagnose app.json --json d.json --trace t.json", ("d.json", "t.json"),
                     needs=("app.json",)),
    "ask": Mode("ask free_waits missing_event launch_constant --json a.json", ("a.json",)),
    "ask, processes": Mode("ask free_waits launch_constant --processes 2 --json a.json",
                           ("a.json",)),
    "loop": Mode("loop pair --items 5 --json l.json", ("l.json",)),
    "loop, processes": Mode("loop pair --items 5 --processes 2 --json l.json", ("l.json",)),
}

# Predictions, which make few CUDA calls.
SMALL = "--chunks 2 --chunk-size 4 --lanes 1 --time 1us --json r.json"
PREDICTED = {
    "predicted": Mode(f"run --variant streams,graph {SMALL}", ("r.json",)),
    "predicted, all variants": Mode(f"run {SMALL}", ("r.json",)),
    "predicted, two workloads": Mode("run --preset launch,search --variant streams,graph "
                                     "--time 1us --json r.json --csv r.csv", ("r.json", "r.csv")),
    "predicted, map": Mode("sweep chunks=1,2 lanes=1,2 --size 64 --json m.json", ("m.json",)),
    "predicted, aa": Mode(f"aa graph --repeat 2 {SMALL}", ("r.json",)),
    "throughput": Mode(f"run --mode throughput --variant streams,graph {SMALL}", ("r.json",)),
    "pools": Mode(f"run --variant streams,pool --pool kept/threshold=0 {SMALL}", ("r.json",)),
    "pageable": Mode(f"run --variant streams,threads --host-memory pageable {SMALL}", ("r.json",)),
    "kernel time": Mode(f"run --kernel-time 20us --variant streams,graph {SMALL}", ("r.json",)),
}


@functools.cache
def gpu_results():
    """Results of a GPU, of one workload."""
    results = json.loads(gzip.decompress((RESULTS / "h200.json.gz").read_bytes()))
    results["comparisons"] = results["comparisons"][:1]
    return json.dumps(results)


@functools.cache
def recording():
    """A recording of an application that was made up: a bit of everything."""
    return gzip.decompress((HERE / "recording.json.gz").read_bytes()).decode()


def provide(mode, folder):
    """Puts what a mode reads into the folder."""
    for name in mode.needs:
        (folder / name).write_text(recording() if name == "app.json" else gpu_results())


def reads(name, folder):
    """The command that reads an output again, or none."""
    if name == "r.json":
        return ["show", str(folder / name), "--all"]
    if name in ("a.json", "l.json"):
        return ["show", str(folder / name)]
    if name == "p.json":
        return f"run {TINY} --variant streams --time 10ms --profile {folder / name}".split()
    return None


def read_json(path):
    """Returns what a file holds, or None when it is not JSON."""
    try:
        return json.loads(path.read_bytes())
    except (ValueError, OSError):
        return None


def not_whole(path):
    """Returns why a file that a run wrote is not whole; empty when it is."""
    if path.suffix == ".html":
        return "" if path.read_bytes().rstrip().endswith(b"</html>") else "a cut page"
    if path.suffix != ".csv":
        return "no JSON" if read_json(path) is None else ""
    lines = path.read_text(errors="replace").split("\n")
    columns = {line.count(",") for line in lines[:-1]}
    return "" if len(lines) > 1 and not lines[-1] and len(columns) == 1 else "a cut line"


def statuses(results):
    """The statuses of the measurements of a run, a list for each comparison."""
    if (results or {}).get("schema") != "trilane-results":
        return []
    return [[m["status"] for m in c["measurements"]] for c in results["comparisons"]]
