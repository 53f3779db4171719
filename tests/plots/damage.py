"""Ways to damage a JSON file, each by the numbers of a random generator."""
import copy
import json

_TWICE, _RAW = "\ue000", "\ue001"  # marks for changes to the text of the file afterwards
_TEXTS = ("", "\0", "a\x1b[2Jb", "two\nlines", "\ud800", "a\udc80b", "\u202e", "\ufffe", "\x7f",
          "\t", "</svg></script><b>&\"'", "$\\frac{1}{2}$", "../../etc/passwd", "\U0001f600",
          "–" * 90, "x" * 199, "x" * 999, "y " * 40_000, "z" * 200_000, "streams", "ok", "failed",
          "at once", "us", "µs", "1e5")
_NUMBERS = ("0", "-0.0", "-1", "1", "1.5", "1e-320", "1e-300", "1e-12", "1e9", "1e15", "1e16",
            "1e300", "1e999", "-1e999", "NaN", "Infinity", "9007199254740993", "18446744073709551616",
            "9" * 401, "-" + "9" * 401, "9" * 5000, "0." + "3" * 400, "1e-7", "1e6")
_OTHERS = (None, True, False, [], {}, [[]], [None], [0], {"": 0}, {"median": 1}, [1, "2", None])


def damaged(document, chance):
    """The bytes of the document, an object or a list, with one to three kinds of damage."""
    document = copy.deepcopy(document)
    for _ in range(chance.choice((1, 1, 1, 1, 1, 2, 3))):
        holder, key = _place(document, chance)
        chance.choice(_IN_TREE)(holder, key, document, chance)
    text = json.dumps(document, ensure_ascii=chance.random() < 0.8)
    text = text.replace(json.dumps(_TWICE)[1:-1], "").replace(_TWICE, "")
    for mark in (json.dumps(_RAW)[1:-1], _RAW):
        text = text.replace(f'"{mark}', "").replace(f'{mark}"', "")
    content = text.encode(errors="surrogatepass")
    return chance.choice(_IN_BYTES)(content, chance) if chance.random() < 0.15 else content


def _place(document, chance):
    """A random holder in the document and one of its keys, near the root or deep in it."""
    holder, key = None, None
    inner = document
    while isinstance(inner, (dict, list)) and inner and (holder is None or chance.random() < 0.85):
        holder, key = inner, chance.choice(list(inner) if isinstance(inner, dict)
                                           else range(len(inner)))
        inner = holder[key]
    return holder, key


def _text(holder, key, _, chance):
    holder[key] = chance.choice(_TEXTS)


def _number(holder, key, _, chance):
    holder[key] = f"{_RAW}{chance.choice(_NUMBERS)}{_RAW}"


def _scale(holder, key, _, chance):
    found = holder[key]
    if isinstance(found, (int, float)):
        whole, factor = isinstance(found, int), 10.0**chance.choice((-30, -9, -1, 0, 0, 1, 9, 30))
        found *= factor * chance.choice((1, 1, 1.01, 0.99, -1))
        holder[key] = round(found) if whole and chance.random() < 0.5 else found


def _other(holder, key, _, chance):
    holder[key] = copy.deepcopy(chance.choice(_OTHERS))


def _lose(holder, key, *_):
    del holder[key]


def _swap(holder, key, document, chance):
    other, there = _place(document, chance)
    if other is not None:
        other[there], holder[key] = copy.deepcopy(holder[key]), copy.deepcopy(other[there])


def _twice(holder, key, _, chance):
    if isinstance(holder, dict):
        holder[key + _TWICE] = chance.choice((holder[key], 0))
    else:
        holder.insert(key, copy.deepcopy(holder[key]))


def _rename(holder, key, _, chance):
    if isinstance(holder, dict):
        holder[chance.choice(_TEXTS)] = holder.pop(key)


def _lengthen(holder, key, _, chance):
    if isinstance(holder[key], list):
        holder[key] = holder[key] * chance.choice((0, 2, 100))
    elif isinstance(holder[key], str):
        holder[key] *= 300


def _nest(holder, key, _, chance):
    for _ in range(chance.choice((1, 30, 40, 100))):
        holder[key] = [holder[key]]


_IN_TREE = (_text, _text, _number, _number, _scale, _scale, _other, _other, _lose, _lose, _swap,
            _twice, _rename, _lengthen, _nest)


def _cut(content, chance):
    return content[:chance.randrange(len(content) + 1)]


def _flip(content, chance):
    changed = bytearray(content)
    for _ in range(chance.choice((1, 1, 4, 64)) if changed else 0):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def _insert(content, chance):
    place = chance.randrange(len(content) + 1)
    return content[:place] + chance.choice((b"\0", b"\xff\xfe", b"[" * 5000, b"\xed\xa0\x80", b"{",
                                            content[:500])) + content[place:]


_IN_BYTES = (_cut, _flip, _flip, _insert)
