"""Checks whether an application that is recorded takes ever more memory, from
recorder/app_memory_marks."""
import re
import subprocess

LIMIT_S = 120
GROWTH_KIB = 256
ALONE = 25_000  # iterations
# Iterations, and the mark from which resident memory must not grow. During its search the recorder
# keeps 600,000 calls and the hashes of a million, which are there after the third mark.
RUNS = {"iterations": (25_000, 0, r"\d+ calls an iteration"),
        "random": (1_250_000, 2, "no iteration was found")}


def marks_of(output):
    """Resident KiB and free bytes of the device at each mark."""
    found = re.findall(r"(?m)^iteration \d+ resident_kib\s+(\d+) device_free (\d+)$", output)
    return [tuple(map(int, mark)) for mark in found]


def run(words):
    return subprocess.run(words, capture_output=True, text=True, timeout=LIMIT_S, check=False)


def defects_in(kind, marks, said):
    _, settled, says = RUNS[kind]
    if len(marks) != 5:
        return [f"{kind}: {len(marks)} marks of 5:\n{said}"]
    defects = []
    if not re.search(says, said):
        defects.append(f"{kind}: does not say {says!r}:\n{said}")
    resident, free = zip(*marks)
    if len(set(free)) != 1:
        defects.append(f"{kind}: free memory of the device changes: {free}")
    # From each mark to the second next: 10,000 iterations of 25,000.
    for mark in range(settled, 3):
        if resident[mark + 2] - resident[mark] > GROWTH_KIB:
            defects.append(f"{kind}: resident memory grows: {resident} KiB")
            break
    return defects


def check_memory(trilane, app):
    """Prints the marks, alone and recorded. Returns what is wrong, a line each."""
    defects = []
    for kind, (iterations, _, _) in RUNS.items():
        alone = marks_of(run([app, str(ALONE), kind]).stdout)
        recorded = run([trilane, "record", "--time", "200ms", "--", app, str(iterations), kind])
        marks = marks_of(recorded.stdout)
        defects += defects_in(kind, marks, recorded.stderr)
        for name, each in (("alone", alone), ("recorded", marks)):
            print(f"{kind}, {name}: resident KiB {[kib for kib, _ in each]}, "
                  f"free on the device {[free for _, free in each]}")
    return defects
