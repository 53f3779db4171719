"""The one way out for what scripts write: files that are whole or not there, and lines."""
import atexit
import contextlib
import errno
import fcntl
import itertools
import os
import sys
from pathlib import Path

_made = itertools.count()
_temporaries = {}  # names of files that are being written, to the open files


class OutputError(Exception):
    """Says what cannot be written: one line with the cause and how to fix it."""

    def __init__(self, place, error, noun, otherwise):
        full = error.errno in (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)
        super().__init__(f"{place} cannot be written ({error.strerror}): "
                         + (f"make room or name another {noun}" if full else otherwise))


def _temporary(path):
    """A new file beside it. Locked while it is open, because the program removes temporary files
    that nobody has locked, as left behind by a dead run."""
    name = f"{Path(path).parent}/.trilane-{os.getpid()}-{next(_made)}.tmp"
    _temporaries[name] = None  # before the file exists: a signal can come between any two lines
    try:
        _temporaries[name] = file = open(name, "xb")
    except OSError:
        del _temporaries[name]
        raise
    with contextlib.suppress(OSError):  # no locks here: nothing is removed either
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return file


def write(contents):
    """Writes each path's bytes: first all under other names, so that none is left half written and
    an older file stays until all are there. Raises OSError."""
    partial = {}
    try:
        for path, content in contents.items():
            partial[path] = _temporary(path)
            partial[path].write(content)
            partial[path].flush()
        for path, file in partial.items():
            os.replace(file.name, path)
    finally:
        _clear()


@atexit.register  # for a signal that came while it ran
def _clear():
    for name, file in list(_temporaries.items()):
        with contextlib.suppress(OSError):  # an error in writing was reported
            os.unlink(name)
        with contextlib.suppress(OSError):
            if file:
                file.close()
        del _temporaries[name]


def say(lines=()):
    """Prints the lines and whatever was printed before; raises OutputError."""
    try:
        if sys.stdout is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        for line in lines:
            print(line)
        sys.stdout.flush()
    except OSError as error:
        silence(1)
        raise OutputError("standard output", error, "file for it",
                          "name a file, or a program that reads all of it") from error


def silence(descriptor):
    """Lets Python, which tries again to write the rest when it ends, write it to nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
