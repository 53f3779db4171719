"""The one way out for what scripts write: files that are whole or not there, and lines."""
import errno
import itertools
import os
import sys
from pathlib import Path

_made = itertools.count()


class OutputError(Exception):
    """What cannot be written: one line with the cause and how to fix it."""

    def __init__(self, place, error, noun, otherwise):
        full = error.errno in (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)
        super().__init__(f"{place} cannot be written ({error.strerror}): "
                         + (f"make room or name another {noun}" if full else otherwise))


def write(contents):
    """Writes each path's bytes: first all under other names, so that none is left half written and
    an older file stays until all are there. Raises OSError."""
    partial = {}
    try:
        for path, content in contents.items():
            partial[path] = Path(path).parent / f".trilane-{os.getpid()}-{next(_made)}.tmp"
            with open(partial[path], "xb") as file:
                file.write(content)
        for path, made in partial.items():
            os.replace(made, path)
    finally:
        for made in partial.values():
            made.unlink(missing_ok=True)


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
                          "name a file or a program that reads it all") from error


def silence(descriptor):
    """Lets Python, which tries again to write the rest when it ends, write it to nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
