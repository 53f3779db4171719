"""Reads and checks the files that are drawn."""
import json
import math
from pathlib import Path

# In a shape, a class means a value of that class, [x] a list of x, and (x,) an optional x. float is
# a finite number of at least 0; ANY may be negative, as differences may.
ANY = object()
_WORDS = {str: "a text", float: "a finite number of at least 0", ANY: "a finite number",
          dict: "an object", list: "a list"}


class InputError(Exception):
    """A file that cannot be drawn: one line with the place, the value and how to fix it."""


def read(path, way_out):
    """The content of the JSON file at `path`; raises InputError, which ends with `way_out`."""
    name = repr(str(path))
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{name} cannot be read ({error.strerror}): {way_out}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name} is not JSON ({error}): {way_out}") from error


def document(path, schema, versions, noun, way_out):
    """The JSON object in the file at `path`, which must have this `schema` and one of the
    `versions`; raises InputError, which calls the wanted content `noun`."""
    name = repr(str(path))
    found = read(path, way_out)
    if not isinstance(found, dict) or found.get("schema") != schema:
        raise InputError(f"{name} is JSON but no {noun} of trilane: its \"schema\" should be "
                         f"\"{schema}\"; {way_out}")
    version = found.get("schema_version")
    if version not in versions:
        known = " to ".join(dict.fromkeys((str(versions[0]), str(versions[-1]))))
        raise InputError(f"{name} has schema version {version!r}, and these scripts read "
                         f"{known}: use those of the trilane that wrote it")
    return found


def check(value, shape, place):
    """Raises InputError with the place unless `value` has that shape."""
    if isinstance(shape, tuple):
        if value is not None:
            check(value, shape[0], place)
    elif isinstance(shape, dict):
        if not isinstance(value, dict):
            raise wrong(place, _WORDS[dict], value)
        for key, inner in shape.items():
            check(value.get(key), inner, f"{place}.{key}")
    elif isinstance(shape, list):
        if not isinstance(value, list):
            raise wrong(place, "a list", value)
        for index, item in enumerate(value):
            check(item, shape[0], f"{place}[{index}]")
    elif shape in (float, ANY):
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not (number and math.isfinite(value) and (value >= 0 or shape is ANY)):
            raise wrong(place, _WORDS[shape], value)
    elif not isinstance(value, shape):
        raise wrong(place, _WORDS[shape], value)


def wrong(place, wanted, value):
    """The error for a wrong value."""
    found = "missing" if value is None else json.dumps(value)[:60]
    return InputError(f"{place} should be {wanted} and is {found}: write the file again with "
                      "trilane --json")
