"""A campaign of damaged files, which every script draws or refuses in one line: never with a
traceback, a warning, half a file or XML that is none. Run by ctest in a short form. The long form:
TRILANE_PROGRAM=trilane-sim python3 damaged_files_test.py [CASES [SEED]]"""
import collections
import contextlib
import io
import json
import os
import random
import re
import runpy
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import unittest
import xml.etree.ElementTree
from pathlib import Path
from unittest import mock

import synthetic
from plot_test_case import PLOTS

import damage
import input_file
from matplotlib import figure, pyplot

CASES, SEED = 220, 14
DRAWN = 11  # one of this many cases is drawn, which takes the most time; others get an empty
            # drawing
LONGEST_S = 120  # a longer case hangs
_ILLEGAL = re.compile("[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_EMPTY = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>'
# Script to the files that it reads, one of which is damaged.
READS = {"times": ["results"], "speedup": ["results"], "clocks": ["results"], "setup": ["results"],
         "footprint": ["results"], "verdicts": ["results"], "nodes": ["profile"],
         "iteration": ["diagnosis"], "regimes": ["map"], "curves": ["curves"],
         "compared": ["comparison"], "history": ["history"],
         "fleet": ["fleet"],
         "timeline": ["trace"], "predicted": ["measured", "results"],
         "report": ["results", "trace"]}


def made(folder):
    """Kind to documents: small files of every kind, as the program writes them, and committed
    ones."""
    def run(*words):
        subprocess.run([os.environ["TRILANE_PROGRAM"], *words], cwd=folder, check=True,
                       capture_output=True)
        return json.loads((folder / "made.json").read_text(encoding="utf-8"))
    names = ("--variant", "streams,graph,pool,fused", "--time", "10ms")
    found = {"results": run("run", "--preset", "search", *names, "--trace", "trace.json", "--json",
                            "made.json")}
    found["trace"] = json.loads((folder / "trace.json").read_text(encoding="utf-8"))
    (folder / "made.json").rename(folder / "old.json")
    run("run", "--preset", "search", *names, "--seed", "2", "--json", "made.json")
    (folder / "made.json").rename(folder / "new.json")
    found["comparison"] = run("compare", "old.json", "new.json", "--json", "made.json")
    (folder / "made.json").unlink()
    found["fleet"] = run("merge", "old.json", "new.json", "--json", "made.json")
    (folder / "made.json").unlink()
    found["history"] = run("history", "old.json", "new.json", "--json", "made.json")
    (folder / "made.json").unlink()
    found["map"] = run("sweep", "chunk-size=4K,64K", "chunks=2,16", *names, "--json", "made.json")
    (folder / "made.json").unlink()
    found["curves"] = run("sweep", "chunks=1,4,16", *names, "--json", "made.json")
    found["measured"] = {**found["results"], "context": {**found["results"]["context"],
                                                         "simulated": ""}}
    (folder / "made.json").unlink()
    recording = PLOTS.parent / "tests/application/recordings/steady.json.gz"
    found["diagnosis"] = run("diagnose", str(recording), "--json", "made.json", "--trace",
                             "recorded.json")
    found = {kind: [document] for kind, document in found.items()}
    found["trace"].append(json.loads((folder / "recorded.json").read_text(encoding="utf-8")))
    found["results"].append(synthetic.replay())
    for kind, path in (("profile", "common/device/profile/h200.json"),
                       ("results", "plots/results/waiting.json.gz"),
                       ("curves", "plots/results/chunks.json.gz")):
        found.setdefault(kind, []).append(input_file.read(PLOTS.parent / path, ""))
    return found


class Campaign:
    def __init__(self, folder, seed):
        self.folder, self.seed, self.documents = folder, seed, made(folder)
        self.codes = collections.Counter()

    def case(self, number):
        """Returns what is wrong with how a script takes the damaged file of that number; empty if
        nothing."""
        chance = random.Random(f"{self.seed} {number}")
        script = list(READS)[number % len(READS)]
        hurt = chance.choice(READS[script])
        paths = [self.folder / f"{kind}.json" for kind in READS[script]]
        for path in paths:
            # Files that are read together belong to one run, the first.
            document = chance.choice(self.documents[path.stem][:1 if paths[1:] else None])
            path.write_bytes(damage.damaged(document, chance) if path.stem == hurt
                             else json.dumps(document).encode())
        with tempfile.TemporaryDirectory(dir=self.folder) as out:
            target = Path(out) / "r.html" if script == "report" else out
            words = [*paths, *([] if script == "verdicts" else [target])]
            code, said, wrong = self._run(script, words, number // len(READS) % DRAWN == 0)
            self.codes[script, code] += 1
            wrong += self._wrong_words(script, code, *said)
            wrong += self._wrong_files(script, code, Path(out))
        return [f"case {number} of seed {self.seed}: {script}, {hurt} damaged: {text}"
                for text in wrong]

    def _run(self, script, words, drawn):
        """The exit code, what was said on both streams, and what went wrong."""
        path, wrong = PLOTS / f"{script}.py", []
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
        empty = contextlib.nullcontext() if drawn else mock.patch.object(
            figure.Figure, "savefig", lambda _, target, **__: target.write(_EMPTY))
        signal.alarm(LONGEST_S)
        try:
            with mock.patch.object(sys, "argv", [str(path), *map(str, words)]), empty, \
                    contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                runpy.run_path(str(path), run_name="__main__")
            code = "none"
        except SystemExit as end:
            code = end.code or 0
        except BaseException:
            code, wrong = "exception", [traceback.format_exc()]
        signal.alarm(0)
        pyplot.close("all")
        return code, [stream.buffer.getvalue().decode() for stream in (out, err)
                      if not stream.flush()], wrong

    @staticmethod
    def _wrong_words(script, code, out, err):
        if code not in (0, 2):
            yield f"it ended with {code}"
        # A refusal says why; a drawn report may have a note on its size.
        lines = "{1}" if code == 2 else "?" if script == "report" else "{0}"
        if not re.match(rf"({script}\.py: .{{10,1500}}\n){lines}\Z", err):
            yield f"it ended with {code} and said: {err[:2000]}"
        if _ILLEGAL.search(err) or _ILLEGAL.search(out):
            yield f"it said what cannot be shown: {ascii(out + err)[:2000]}"
        if out and script not in ("verdicts", "predicted"):
            yield f"it printed {out[:200]}"

    @staticmethod
    def _wrong_files(script, code, out):
        files = sorted(out.rglob("*"))
        if code and files or code == 0 and not files and script != "verdicts":
            yield f"it ended with {code} and left {files}"
        for path in files:
            if path.suffix not in (".png", ".svg", ".html"):
                yield f"it left {path.name}"
            content = path.read_bytes()
            if path.suffix == ".png" and content != _EMPTY and not (
                    content.startswith(b"\x89PNG") and b"IEND" in content[-12:]):
                yield f"{path.name} is not whole"
            if path.suffix == ".svg":
                try:
                    xml.etree.ElementTree.fromstring(content)
                except xml.etree.ElementTree.ParseError as error:
                    yield f"{path.name} is no XML: {error}"
            if path.suffix == ".html" and (_ILLEGAL.search(content.decode()) or
                                           not content.rstrip().endswith(b"</html>")):
                yield f"{path.name} is not whole, or holds what XML cannot"


class DamagedFiles(unittest.TestCase):
    def test_every_script_draws_or_refuses_them_in_a_line(self):
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            campaign = Campaign(Path(folder), SEED)
            wrong = []
            for number in range(CASES):
                for text in campaign.case(number):
                    print(text, file=sys.stderr, flush=True)
                    wrong.append(text)
        refused = sum(count for (_, code), count in campaign.codes.items() if code == 2)
        print(f"{CASES} damaged files, seed {SEED}: {refused} refused, {len(wrong)} taken wrongly, "
              f"{time.monotonic() - began:.0f} s", file=sys.stderr)
        self.assertEqual(len(wrong), 0, "see above")
        # Damage that is always refused, or never, would test nothing.
        self.assertGreater(refused, CASES / 5)
        self.assertLess(refused, CASES * 9 / 10)
        self.assertEqual({script for script, _ in campaign.codes}, set(READS))


if __name__ == "__main__":
    CASES, SEED = (list(map(int, sys.argv[1:])) + [CASES, SEED][len(sys.argv) - 1:])[:2]
    unittest.main(argv=sys.argv[:1])
