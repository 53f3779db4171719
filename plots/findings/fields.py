"""Finds sentences on a page and replaces the figures in them."""
import collections
import re

UNKNOWN = "…"  # instead of a figure whose file is not there yet
_OPEN, _CLOSE = "\x02", "\x03"  # around each figure of a sentence
_FIELD = r"([^\s|](?:(?:[^|\n]|\n(?!\s*\n)){0,250}?[^\s|])??)"

# A sentence, or a row of a table, with its figures marked by field(). `holds`: true if the results
# support its claim beyond figures.
Sentence = collections.namedtuple("Sentence", "text holds", defaults=(True,))


def field(text):
    """Marks a figure in the text of a sentence."""
    return f"{_OPEN}{text}{_CLOSE}"


def plain(text):
    return text.replace(_OPEN, "").replace(_CLOSE, "")


def _pattern(text):
    """Matches the text with any figures in it, however its lines are broken."""
    between = re.split(f"{_OPEN}[^{_CLOSE}]*{_CLOSE}", text)
    found = _FIELD.join(re.sub(r"(?:\\\s)+", r"\\s+", re.escape(part)) for part in between)
    # A final "." must not match the point of a number.
    found = f"^{found}$" if text.startswith("|") else rf"{found}(?![\w.])"
    return re.compile(found, re.MULTILINE)


def _matches(page, sentence):
    return list(_pattern(sentence.text).finditer(page))


def _same(old, new):
    return old.split() == new.split()


def mistakes(page, sentences):
    """Returns what is wrong with the sentences on that page, a line each."""
    for sentence in sentences:
        found = _matches(page, sentence)
        if not sentence.holds:
            yield f"the results contradict: {plain(sentence.text)}"
        elif len(found) != 1:
            yield f"stands {len(found)} times on the page, and should once: {plain(sentence.text)}"
        elif not _same(found[0].group(), plain(sentence.text)):
            yield f"by the results: {plain(sentence.text)}"


def written(page, sentences):
    """The page with the figures of the results; sentences that are not found once stay."""
    for sentence in sentences:
        found = _matches(page, sentence)
        values = re.findall(f"{_OPEN}([^{_CLOSE}]*){_CLOSE}", sentence.text)
        if len(found) == 1:
            for number in range(len(values), 0, -1):
                start, end = found[0].span(number)
                if not _same(page[start:end], values[number - 1]):
                    page = page[:start] + values[number - 1] + page[end:]
    return page


_CODE = re.compile(r"^ *```.*?^ *```|`[^`\n]*`|<!--.*?-->|\]\([^)]*\)", re.MULTILINE | re.DOTALL)
_UNIT = "µs|us|ms|s|min|%|[KMGT]i?B|GB/s|x|×|times|passes"
_FIGURE = re.compile(rf"(?<![\w.])(?!95%\sinterval)\d[\d.,]*\s?(?:{_UNIT})(?!\w)")


def uncovered(page, sentences):
    """Numbers with a unit that are on the page outside of sentences, code and links."""
    for sentence in sentences:
        page = _pattern(sentence.text).sub("", page)
    return [match.group() for match in _FIGURE.finditer(_CODE.sub("", page))]
