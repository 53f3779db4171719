"""Rules between the values of a file, for descriptions: each yields the places that break it, with
what should be there and what is."""
import itertools

from plain_text import cut


def rising(*keys):
    """The members of these names that are there do not fall."""
    def rule(value):
        there = [key for key in keys if value.get(key) is not None]
        for one, other in itertools.pairwise(there):
            if value[one] > value[other]:
                yield f".{other}", f"at least .{one}, {value[one]:.10g},", value[other]
    return rule


def as_long(key, *others):
    """The lists of these names, or those within them, are as long as the first."""
    def rule(value):
        for other in others:
            for step, found in _innermost(value[other], f".{other}"):
                if len(found) != len(value[key]):
                    yield step, f"a list of {len(value[key])}, as .{key},", found
    return rule


def _innermost(found, place):
    """The lists of numbers in a list or a map of them, with their places."""
    if isinstance(found, dict):
        return [(f"{place}.{cut(name)}", inner) for name, inner in found.items()]
    if found and isinstance(found[0], list):
        return [(f"{place}[{index}]", inner) for index, inner in enumerate(found)]
    return [(place, found)]


def unlike(noun, key=lambda item: item):
    """No two items of a list have the same key."""
    def rule(value):
        seen = set()
        for place, item in enumerate(value):
            if key(item) in seen:
                yield f"[{place}]", f"another {noun} than those before", item
            seen.add(key(item))
    return rule


def filled(value):
    """The list is not empty."""
    if not value:
        yield "", "a list of at least one", value
