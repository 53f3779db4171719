"""One case of a campaign: the program in a folder of its own, under limits, and what was found."""
import contextlib
import dataclasses
import os
import pathlib
import random
import re
import shlex
import signal
import subprocess
import time

HANG_S = 60
DOCUMENTED = {0, 1, 2, 3, 4, 5, 130}

# Words of a library or a sanitizer, not of the program.
RAW = re.compile(rb"terminate called|std::|filesystem error|boost|what\(\)|bad_alloc|length_error"
                 rb"|basic_string|core dumped|Sanitizer|runtime error:|stoi|stoul|stod")
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\u202a-\u202e]")


@dataclasses.dataclass
class End:
    """Tells how a program ended: its exit code, or minus the signal's number as of a child."""
    code: int
    out: bytes = b""
    err: bytes = b""
    hung: bool = False
    interrupted: bool = False

    def last_words(self):
        return self.err.decode(errors="backslashreplace").strip()[-160:].replace("\n", " | ")


def quoted(word):
    """A word as bash reads it, whatever its bytes."""
    raw = os.fsencode(word)
    cut = "..." if len(raw) > 200 else ""
    if all(32 <= byte < 127 for byte in raw):
        return shlex.quote(word[:200]) + cut
    return "$'" + "".join(chr(b) if 32 <= b < 127 and b not in b"\\'" else f"\\x{b:02x}"
                          for b in raw[:200]) + "'" + cut


def trick(text):
    """Returns what in a text can deceive the reader of a terminal, in words; empty when nothing
    does."""
    found = CONTROL.search(text)
    if not found:
        return ""
    code = ord(found[0])
    return "a control character" if code < 0xa0 else "invalid UTF-8" if code >= 0xd800 and \
        code <= 0xdfff else "a mark that turns or breaks lines"


def signal_name(code):
    """Returns what ended a program: as a child's exit code, or as a shell's."""
    number = -code if code < 0 else code - 128
    return signal.Signals(number).name if number in {*signal.Signals} else f"code {code}"


def members(session):
    """The processes of a session that have not ended."""
    found = []
    for pid in map(int, filter(str.isdigit, os.listdir("/proc"))):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            if os.getsid(pid) == session:
                state = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
                found += [pid] if state not in "ZX" else []
    return found


def until(condition, seconds):
    """Waits until it holds; whether it does."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.002)
    return True


class Case:
    """One case: what it draws from, its folder, and what it found."""

    def __init__(self, args, number, folder):
        self.args, self.number, self.folder = args, number, folder
        self.program = str(args.program)
        self.draw = random.Random(f"{args.seed}/{number}")
        self.defects, self.ran, self.comment = [], "", ""
        for name in ("tmp", "home"):
            (folder / name).mkdir()

    def memory_limit(self, gigabytes):
        """A prefix for run()."""
        return "" if self.args.sanitized else f"ulimit -v {gigabytes << 20};"

    def defect(self, kind, what):
        self.defects.append((kind, what, f"{self.ran}  # {self.comment}".removesuffix("  # ")))

    def start(self, words, prefix="", redirect="", environment=None, **streams):
        """Starts the program; by way of a shell if one must set limits first, which then becomes
        it. On a GPU every run is one with checks; only a simulated device must be asked for them.
        """
        words = [word for word in words if not (self.args.gpu and word == "--check")]
        self.ran = " ".join([prefix, pathlib.Path(self.program).name, *map(quoted, words),
                             redirect]).strip()
        own = {"TMPDIR": str(self.folder / "tmp"), "HOME": str(self.folder / "home"),
               "XDG_STATE_HOME": str(self.folder / "home")}
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE,
                   "stderr": subprocess.PIPE, **streams}
        shell = ["sh", "-c", f'{prefix} exec "$@" {redirect}', "sh"] if prefix or redirect else []
        return subprocess.Popen(
            [*shell, self.program, *words], cwd=self.folder, start_new_session=True,
            env={**os.environ, **own, **(environment or {})}, **streams)

    def finish(self, process, seconds=HANG_S, interrupt_after=None):
        """Waits for the end; interrupts what takes longer than that. What hangs then, or is left
        running, is killed and is a defect."""
        end = End(0)
        try:
            try:
                end.out, end.err = process.communicate(timeout=interrupt_after or seconds)
            except subprocess.TimeoutExpired:
                if interrupt_after is None:
                    raise
                end.interrupted = True
                process.send_signal(signal.SIGINT)
                end.out, end.err = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            end.hung = True
            since = "SIGINT" if end.interrupted else "the start"
            self.defect("hangs", f"no end {seconds} s after {since}")
        if end.hung or not until(lambda: not members(process.pid), HANG_S):
            left = members(process.pid)
            if not end.hung:
                self.defect("a child is left running", f"{len(left)} processes")
            for pid in left:
                os.kill(pid, signal.SIGKILL)
        if end.hung:
            end.out, end.err = process.communicate()
        end.out, end.err, end.code = end.out or b"", end.err or b"", process.returncode
        return end

    def run(self, words, prefix="", redirect="", **more):
        return self.finish(self.start(words, prefix, redirect, **more))

    def run_aside(self, words):
        """Runs what only looks at the outcome: the line to repeat stays that of the case."""
        ran = self.ran
        end = self.run(words)
        self.ran = ran
        return end

    def messages(self, end):
        """Returns what was said apart from progress."""
        names = (pathlib.Path(self.program).name, "trilane")
        return [line for line in end.err.decode(errors="replace").splitlines()
                if line.startswith(names)]

    def check(self, end, codes=DOCUMENTED):
        """Checks what holds of every end. Returns true if it is worth looking further."""
        raw = RAW.search(end.err) or RAW.search(end.out)
        if raw:
            self.defect("raw text of a library", f"{raw[0]!r}: {end.last_words()}")
        if end.hung:
            return False
        if end.code < 0 or end.code > 130:
            self.defect(f"ended by {signal_name(end.code)}", end.last_words())
        elif end.code not in codes:
            self.defect(f"exit code {end.code}", f"not in {sorted(codes)}: {end.last_words()}")
        return 0 <= end.code <= 130

    def check_refusal(self, end, most=500):
        """Checks that a refusal is one line, without what could play tricks on a terminal."""
        text = end.err.decode(errors="surrogateescape")
        if text.count("\n") != 1 or not text.endswith("\n"):
            self.defect("not one line", f"{text.count(chr(10))} lines: {end.last_words()!r}")
        if len(end.err) > most:
            self.defect("a long message", f"{len(end.err)} bytes: {end.last_words()!r}")
        if found := trick(text):
            self.defect(f"{found} in a message", repr(end.last_words()))
