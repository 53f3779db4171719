"""Finds D3, which draws the timelines, and its licence on this machine."""
import os
import re
from pathlib import Path

import input_file

VARIABLE = "TRILANE_D3"
PACKAGED = Path("/usr/share/nodejs/d3/dist/d3.min.js"), Path("/usr/share/doc/node-d3/copyright")
_HINT = (f"install the Debian or Ubuntu package node-d3, or set {VARIABLE} to the d3.min.js of the "
         "npm package d3, version 5 to 7, in its own folder")
_MOST_BYTES = 4 << 20


class MissingLibrary(Exception):
    """One line: what is missing, and how to get it."""


def find():
    """D3's minified source and its licence; raises MissingLibrary."""
    given = os.environ.get(VARIABLE)
    if given:
        source = Path(given)
        licences = [folder / "LICENSE" for folder in (source.parent, source.parent.parent)]
    else:
        source, *licences = PACKAGED
    code = _read(source)
    version = re.match(r"// https://d3js\.org v(\d{1,3})\.", code)
    if not version or int(version[1]) not in range(5, 8):
        raise MissingLibrary(f"'{source}' is no d3.min.js of version 5 to 7: {_HINT}")
    for licence in licences:
        if licence.is_file():
            return code, _read(licence)
    raise MissingLibrary(f"the licence of '{source}' is not in '{licences[0]}': {_HINT}")


def _read(path):
    try:
        return input_file.text(path, _HINT, _MOST_BYTES)
    except input_file.InputError as error:
        raise MissingLibrary(f"D3 is not there: {error}") from error
