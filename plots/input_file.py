"""The one way in for files: regular files of a limited size, whose values and texts are within
stated limits and as described."""
import collections
import gzip
import io
import json
import math
import os
import stat
import zlib

from plain_text import cut, plain
from schema import Wrong, check

MOST_BYTES = 256 << 20  # the limits of the program: common/base/json
MOST_VALUES = 10_000_000
MOST_CHARACTERS = 100_000  # of a text
DEEPEST = 32  # objects and lists within each other, as in the program
LARGEST = 2**64

# A kind of file. `shape` is its JSON Schema, or gives that for a version; `again` is the command
# that writes such a file; `upgrade`, if any, completes an older, unchecked file.
Kind = collections.namedtuple("Kind", "schema versions noun again shape upgrade", defaults=(None,))


class InputError(Exception):
    """A file that cannot be used: one line with the place, the value and how to fix it."""


def content(path, way_out, most=MOST_BYTES, before=None):
    """The bytes of the regular file at `path`; raises InputError, which ends with `way_out`. With
    `before`, an object's members before the one that begins so, in a file of any size."""
    name = repr(str(path))
    try:
        # Opening a FIFO without a writer would wait.
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise InputError(f"{name} is not a regular file (save a pipe's output in one): "
                                 f"{way_out}")
            found = file.read(most + 1)
    except OSError as error:
        raise InputError(f"{name} cannot be read ({error.strerror}): {way_out}") from error
    if len(found) <= most and found.startswith(b"\x1f\x8b"):
        found = _gunzipped(found, most, name, way_out)
    if before and before in found:
        return found[:found.index(before)].rstrip().removesuffix(b",") + b"}"
    if len(found) > most:
        raise InputError(f"{name} is larger than {most >> 20} MiB: {way_out}")
    return found


def _gunzipped(found, most, name, way_out):
    """Returns what the gzip data holds, up to the first `most` + 1 bytes; raises InputError."""
    try:
        return gzip.GzipFile(fileobj=io.BytesIO(found)).read(most + 1)
    except (EOFError, OSError, zlib.error) as error:
        raise InputError(f"{name} cannot be read (its gzip data is damaged or cut short): "
                         f"{way_out}") from error


def text(path, way_out, most=MOST_BYTES):
    """The text of the regular file at `path`; raises InputError."""
    try:
        return content(path, way_out, most).decode()
    except ValueError as error:
        raise InputError(f"{str(path)!r} is not UTF-8 text ({error}): {way_out}") from error


def read(path, way_out, before=None):
    """The JSON in the file at `path`, with texts that can be shown; raises InputError."""
    name, found = repr(str(path)), content(path, way_out, before=before)
    if sum(map(found.count, (b",", b"[", b"{"))) > MOST_VALUES:
        raise InputError(f"{name} holds more than {MOST_VALUES:,} values: {way_out}")
    try:
        parsed = json.loads(found.decode(), parse_int=_whole, object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name} is not JSON ({error}): {way_out}") from error
    try:
        return _within_limits(parsed)
    except Wrong as error:
        raise InputError(f"{name}: {error.words}: {way_out}") from error


def load(path, kind, before=None):
    """The object in the file at `path`, of that kind and as described; raises InputError."""
    return described(document(path, kind, before), path, kind)


def document(path, kind, before=None):
    """The object in the file at `path`, of that kind and a known version; raises InputError."""
    name, way_out = repr(str(path)), f"name a file written by {kind.again}"
    found = read(path, way_out, before)
    if not isinstance(found, dict) or found.get("schema") != kind.schema:
        raise InputError(f"{name} is JSON but not a trilane {kind.noun} file: its \"schema\" "
                         f"should be \"{kind.schema}\"; {way_out}")
    version = found.get("schema_version")
    if not isinstance(version, int) or version not in kind.versions:
        known = " to ".join(dict.fromkeys((str(kind.versions[0]), str(kind.versions[-1]))))
        raise InputError(f"{name} has schema version {cut(repr(version))}, and these scripts read "
                         f"{known}: use those of the trilane that wrote it")
    if kind.upgrade:
        kind.upgrade(found)
    return found


def described(found, path, kind):
    """Returns what was found in the file at `path`; raises InputError unless it is as described."""
    try:
        check(found, kind.shape(found["schema_version"]) if callable(kind.shape) else kind.shape)
    except Wrong as error:
        raise InputError(f"{str(path)!r}: {error.words}: write the file again with "
                         f"{kind.again}") from error
    return found


def _whole(digits):
    return int(digits) if len(digits) <= 20 else math.inf  # which _within_limits refuses


def _object(members):
    found = dict(members)
    if len(found) < len(members):
        twice = collections.Counter(name for name, _ in members).most_common(1)[0][0]
        raise ValueError(f"an object has the member {cut(plain(twice))!r} twice")
    return found


def _within_limits(value, *steps):
    """The value with texts that can be shown. `steps` lead to it from the root."""
    if isinstance(value, str):
        if len(value) > MOST_CHARACTERS:
            raise Wrong(_place(steps), f"a text of at most {MOST_CHARACTERS:,} characters", value)
        return plain(value)
    if isinstance(value, (int, float)) and not abs(value) <= LARGEST:
        raise Wrong(_place(steps), "a finite number of at most 20 digits", value)
    if not isinstance(value, (list, dict)):
        return value
    if len(steps) == DEEPEST:
        raise Wrong(_place(steps), f"at most {DEEPEST} deep", value)
    if isinstance(value, list):
        return [_within_limits(item, *steps, index) for index, item in enumerate(value)]
    return {_within_limits(key, *steps): _within_limits(item, *steps, key)
            for key, item in value.items() if item is not None}  # null counts as missing


def _place(steps):
    return "".join(f"[{step}]" if isinstance(step, int) else f".{cut(plain(step))}"
                   for step in steps)
