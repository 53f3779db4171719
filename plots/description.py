"""Describes what scripts read of files, and checks it. A description is a Number, a Text, a OneOf,
a Map, [x] for a list of x, (x,) for x or nothing, a dict of the members that an object must have,
or Rules: one of these with rules between its values."""
import collections
import json

from plain_text import cut

Number = collections.namedtuple("Number", "least most whole zero", defaults=(False, False))
Text = collections.namedtuple("Text", "least most name", defaults=(False,))
OneOf = collections.namedtuple("OneOf", "words")
Map = collections.namedtuple("Map", "values")  # an object whose members may have any names
Rules = collections.namedtuple("Rules", "shape rules")  # a rule yields (place, wanted, value)
When = collections.namedtuple("When", "holds shape")  # a rule: the additional shape if that holds

MOST_US = 1e15  # 31 years
TIME = Number(0, MOST_US)
LASTING = Number(1e-6, MOST_US)  # for divisors, and for values drawn on a log axis
DIFFERENCE = Number(-MOST_US, MOST_US)
BYTES = Number(0, 2**60, whole=True)
COUNT = Number(0, 10**12, whole=True)
SOME = Number(1, 10**12, whole=True)
FACTOR = Number(1e-9, 1e9)
LOW_FACTOR = Number(1e-9, 1e9, zero=True)  # 0: the interval is unknown
NAME = Text(1, 200, name=True)
TEXT = Text(0, 100_000)


class Wrong(Exception):
    """A value that is not as described: its place, what it should be, and what it is."""

    def __init__(self, place, wanted, value):
        super().__init__(place, wanted, value)
        found = "missing" if value is None else cut(json.dumps(value, ensure_ascii=False))
        self.words = f"{place} should be {wanted} and is {found}"


def check(value, shape, place=""):
    """Raises Wrong unless `value`, which is at that place of a file, is as described."""
    _CHECKS[type(shape)](value, shape, place)


def _number(value, shape, place):
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not (number and (shape.least <= value <= shape.most or shape.zero and value == 0)
            and (isinstance(value, int) or not shape.whole)):
        raise Wrong(place, ("0 or " if shape.zero else "") + ("a whole number" if shape.whole else
                    "a number") + f" from {shape.least:,.10g} to {shape.most:.4g}", value)


def _text(value, shape, place):
    if not isinstance(value, str):
        raise Wrong(place, "a text", value)
    # A backslash in a name is that of an escape, see plain_text.
    if not shape.least <= len(value) <= shape.most or shape.name and "\\" in value:
        raise Wrong(place, f"a text of {shape.least} to {shape.most:,} printable characters"
                    + " without backslashes" * shape.name, value)


def _one_of(value, shape, place):
    if not isinstance(value, str) or value not in shape.words:
        raise Wrong(place, "one of " + cut(", ".join(shape.words), 400), value)


def _object(value, shape, place):
    if not isinstance(value, dict):
        raise Wrong(place, "an object", value)
    for key, inner in shape.items():
        check(value.get(key), inner, f"{place}.{key}")


def _map(value, shape, place):
    _object(value, {}, place)
    for key, inner in value.items():
        check(inner, shape.values, f"{place}.{cut(key)}")


def _list(value, shape, place):
    if not isinstance(value, list):
        raise Wrong(place, "a list", value)
    for index, item in enumerate(value):
        check(item, shape[0], f"{place}[{index}]")


def _optional(value, shape, place):
    if value is not None:
        check(value, shape[0], place)


def _rules(value, shape, place):
    check(value, shape.shape, place)
    for rule in shape.rules:
        if isinstance(rule, When):
            if rule.holds(value):
                check(value, rule.shape, place)
            continue
        for step, wanted, found in rule(value):
            raise Wrong(place + step, wanted, found)


_CHECKS = {Number: _number, Text: _text, OneOf: _one_of, Map: _map, Rules: _rules, dict: _object,
           list: _list, tuple: _optional}
