"""Ways to damage a file: its values, its bytes, and what stands in its place."""
import copy
import json
import os

NUMBERS = ["1e308", "-1e308", "1e400", "1" + "0" * 400, "-1", "0", "-0.0", "1e-320", "NaN",
           "Infinity", "18446744073709551615", "18446744073709551616", "9223372036854775808",
           "2147483648", "1e18", "1e16", "0.1", "1e6", "3"]
OTHERS = ["null", "true", "[]", "{}", '""', '"\\u0000"', '"\\u001b[2J\\u0007"', '"a\\nb\\r\\nc"',
          '"' + "x" * 100_000 + '"', '"\\ud800"', '"\\u202etxt"', '"\xff\xfe"', "[[[[[]]]]]",
          "[" * 5000 + "]" * 5000, '{"a": {"a": {"a": 1}}}', '"<script>alert(1)</script>"']


def place(draw, value):
    """A member or element as (container, key); any level is about as likely as the next."""
    while True:
        key = draw.choice(list(value) if isinstance(value, dict) else range(len(value)))
        if not isinstance(value[key], (dict, list)) or not value[key] or draw.random() < 0.2:
            return value, key
        value = value[key]


def values(draw, held):
    """Changes one to four members of what a file holds; gives the text. A value that json cannot
    write has a mark in its place until then."""
    raw = {}
    for _ in range(draw.choice([1, 1, 1, 2, 4])):
        if not held:
            break
        where, key = place(draw, held)
        way = draw.randrange(10)
        if way <= 4:
            mark = f"raw{len(raw)}"
            raw[mark] = draw.choice(NUMBERS if draw.random() < 0.6 else OTHERS)
            where[key] = mark
        elif way == 5:
            del where[key]
        elif way == 6 and isinstance(where, dict):
            where[draw.choice([key + "x", key.upper(), "", "schema"])] = where.pop(key)
        elif way == 7 and isinstance(where, dict):  # the same name twice
            mark = f"raw{len(raw)}"
            raw[mark] = json.dumps(key)
            where[mark] = draw.choice([copy.deepcopy(where[key]), 0, "", None])
        elif way == 7:
            where[key:key] = [where[key]] * draw.choice([1, 2, 1000])
        else:
            other, name = place(draw, held)
            where[key] = copy.deepcopy(other[name])
    text = json.dumps(held)
    for mark, value in raw.items():
        text = text.replace(f'"{mark}"', value)
    return text.encode("latin-1")


def of_bytes(draw, text, other):
    """Flips, cuts, splices, repeats."""
    text = bytearray(text)
    way = draw.randrange(6)
    at = draw.randrange(len(text))
    if way == 0:
        for _ in range(draw.choice([1, 2, 10, 100])):
            text[draw.randrange(len(text))] ^= 1 << draw.randrange(8)
    elif way == 1:
        del text[at:]
    elif way == 2:
        text[at:] = other[draw.randrange(len(other)):]
    elif way == 3:
        del text[at:at + draw.choice([1, 10, 1000])]
    elif way == 4:
        text[at:at] = text[at:at + draw.choice([1, 10, 1000, 100_000])]
    else:
        text[at:at] = draw.choice([b"\0", b"\xff", b"\x1b[2J", b"[" * 100_000, b"9" * 1000, b"\\"])
    return bytes(text)


def not_a_file(draw, path):
    """Something else in the file's place."""
    way = draw.randrange(8)
    if way == 0:
        os.mkfifo(path)
    elif way == 1:
        path.mkdir()
    elif way == 2:
        path.symlink_to(path.name)
    elif way == 3:
        path.touch()
    elif way == 4:
        path.write_text("[" + "0," * (100 << 20) + "0]")  # 200 MB
    elif way <= 6:
        path.symlink_to(["/dev/zero", "/dev/full"][way - 5])
