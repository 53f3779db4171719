"""JSON Schemas of files, and the check of a value against one. Those of the program's own files are
in schemas/, where the build puts what `trilane schema` prints; parts of others are made here. Two
further keywords hold functions: "rules" between values, see rules.py, and "which", from a value to
a further schema or None."""
import functools
import json
import sys
from pathlib import Path

try:
    import jsonschema
    from jsonschema import Draft202012Validator
except ImportError:
    sys.exit(f"{sys.executable} cannot import jsonschema 4: install python3-jsonschema, "
             "or use a Python that has it, such as /usr/bin/python3")
from plain_text import cut

FOLDER = Path(__file__).resolve().parent / "schemas"
_KEYWORDS = Draft202012Validator.VALIDATORS


class Wrong(Exception):
    """A value that is not as it should be: its place, what it should be, and what it is."""

    def __init__(self, place, wanted, value):
        super().__init__(place, wanted, value)
        found = "missing" if value is None else cut(json.dumps(value, ensure_ascii=False))
        self.words = f"{place} should be {wanted} and is {found}"


@functools.cache
def printed(kind):
    """The schema of a file of the program, without its name and version."""
    found = json.loads((FOLDER / f"{kind}.json").read_bytes())
    del found["$schema"]  # within another schema it would choose the library's own validator
    return {**found, "properties": {**found["properties"], "schema": {}, "schema_version": {}}}


def without(schema, names):
    """The schema that does not require these names: older files lack what a version added."""
    if isinstance(schema, list):
        return [without(part, names) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: [name for name in value if name not in names] if key == "required"
            and isinstance(value, list) else without(value, names)
            for key, value in schema.items()}


def number(least, most, kind="number"):
    return {"type": kind, "minimum": least, "maximum": most}


def text(least, most):
    return {"type": "string", "minLength": least, "maxLength": most}


def one_of(*words):
    return {"enum": list(words)}


def list_of(items, **more):
    return {"type": "array", "items": items, **more}


def map_of(values):
    """An object whose members may have any names."""
    return {"type": "object", "additionalProperties": values}


def members(required, optional=None, **more):
    """An object that has the required members and may have others."""
    return {"type": "object", "properties": required | (optional or {}),
            "required": list(required), **more}


MOST_US = 1e15  # 31 years
TIME = number(0, MOST_US)
LASTING = number(1e-6, MOST_US)  # for divisors, and for values drawn on a log axis
DIFFERENCE = number(-MOST_US, MOST_US)
BYTES = number(0, 2**60, "integer")
COUNT = number(0, 10**12, "integer")
SOME = number(1, 10**12, "integer")
FACTOR = number(1e-9, 1e9)
LOW_FACTOR = {"anyOf": [{"const": 0}, FACTOR]}  # 0: the interval is unknown
# A backslash in a name is that of an escape, see plain_text.
NAME = text(1, 200) | {"pattern": r"^[^\\]*$"}
SHORT = text(0, 200)
TEXT = text(0, 100_000)


def check(value, schema):
    """Raises Wrong with the first mistake."""
    error = next(_Validator(schema).iter_errors(value), None)
    if error:
        raise _wrong(error)


def _wrong(error):
    place = "".join(f"[{step}]" if isinstance(step, int) else f".{cut(step)}"
                    for step in error.absolute_path)
    shape = error.schema
    if error.validator == "rules":
        step, wanted = error.message
        return Wrong(place + step, wanted, error.instance)
    if error.validator == "required":
        key = next(key for key in shape["required"] if key not in error.instance)
        return Wrong(f"{place}.{cut(key)}", _wanted(shape["properties"].get(key, {})), None)
    if error.validator == "additionalProperties":
        key = next(key for key in error.instance if key not in shape["properties"])
        return Wrong(f"{place}.{cut(key)}", "left out", error.instance[key])
    if error.validator == "type" and error.validator_value == "string":
        return Wrong(place, "a text", error.instance)
    return Wrong(place, _wanted(shape), error.instance)


def _wanted(schema):
    """Returns what a schema asks for, in words."""
    if "enum" in schema:
        return "one of " + cut(", ".join(schema["enum"]), 400)
    if "anyOf" in schema:
        return " or ".join(map(_wanted, schema["anyOf"]))
    if "const" in schema:
        return json.dumps(schema["const"])
    kind = schema.get("type")
    if kind in ("integer", "number"):
        noun = "a whole number" if kind == "integer" else "a number"
        return f"{noun} from {schema['minimum']:,.10g} to {schema['maximum']:.4g}"
    if kind == "string":
        return (f"a text of {schema.get('minLength', 0)} to {schema['maxLength']:,} printable "
                "characters" + " without backslashes" * ("pattern" in schema))
    if kind == "array":
        return "a list" + " of at least one" * ("minItems" in schema)
    return {"object": "an object", "boolean": "true or false"}.get(kind, "there")


def _rules(_, rules, value, __):
    for rule in rules:
        for step, wanted, found in rule(value):
            yield jsonschema.ValidationError((step, wanted), instance=found)


def _which(validator, choose, value, _):
    shape = choose(value)
    if shape:
        yield from validator.descend(value, shape)


def _items(validator, items, values, schema):
    """Lists of times and of events are long, and right: these take a tenth of the time."""
    if isinstance(values, list) and _right(values, items):
        return ()
    return _KEYWORDS["items"](validator, items, values, schema)


def _right(values, schema):
    """Returns true if all values are surely right, which is looked up member by member."""
    kind, keys = schema.get("type"), schema.keys()
    types = {*map(type, values)}
    if kind in ("integer", "number") and keys == {"type", "minimum", "maximum"}:
        return (types <= ({int} if kind == "integer" else {int, float}) and
                (not values or schema["minimum"] <= min(values) <= max(values) <= schema["maximum"]))
    if types <= {str} and keys <= {"type", "minLength", "maxLength", "pattern", "enum"}:
        return all(map(_Validator(schema).is_valid, {*values}))
    if (kind in ("object", None) and types <= {dict}
            and keys <= {"type", "properties", "required", "which"}):
        return (all(key in value for key in schema.get("required", ()) for value in values)
                and all(_right([value[key] for value in values if key in value], inner)
                        for key, inner in schema.get("properties", {}).items())
                and _further_right(values, schema.get("which")))
    return False


def _further_right(values, choose):
    groups = {}
    for value in values if choose else ():
        shape = choose(value)
        groups.setdefault(id(shape), (shape, []))[1].append(value)
    return all(_right(group, shape) for shape, group in groups.values() if shape)


_Validator = jsonschema.validators.extend(
    Draft202012Validator, {"rules": _rules, "which": _which, "items": _items},
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine(
        "integer", lambda _, value: isinstance(value, int) and not isinstance(value, bool)))
