"""Shows what has to change in the code: the variant that is advised beside the reference."""
import difflib
import re
from pathlib import Path

import tiers
from page.markup import details, tag

_HERE = Path(__file__).resolve().parent.parent
FOLDERS = (_HERE.parent / "variants", _HERE.parent / "share" / "trilane" / "variants")
_KINDS = {"+": "added", "-": "removed", "@": "skipped"}


def changes(comparisons, folders=FOLDERS):
    """The differences, once for each pair; a line instead of them where there are no sources."""
    pairs = _pairs(comparisons)
    if not pairs:
        return ""
    if not any(folder.is_dir() for folder in folders):
        said = [tag("p", "The variants' sources are not installed beside these scripts, so that "
                    "nothing can be shown here.")]
    else:
        said = [_difference(*pair, names, folders) for pair, names in pairs.items()]
    return details(tag("h2", "What to change in the code"), tag("div", *said, id="code"))


def _pairs(comparisons):
    """(reference, variant) to the names of the comparisons where that variant is advised or wins
    its tier."""
    found = {}
    for comparison in comparisons:
        reference = comparison["reference"]
        winners = [winner["variant"] for winner in tiers.winners(comparison).values()]
        for variant in dict.fromkeys([(comparison.get("advice") or {}).get("use"), *winners]):
            if variant and reference and variant != reference:
                found.setdefault((reference, variant), []).append(comparison["name"])
    return found


_FILES = {"pool_trim": "pool"}  # variants that are settings of others


def source(variant, folders):
    """The lines of a variant's file, which policies of a pool share; None if there is no file."""
    name = variant.partition(":")[0]
    name = _FILES.get(name, name)
    if not re.fullmatch(r"[a-z0-9_]+", name):
        return None
    for folder in folders:
        try:
            return (folder / f"{name}.cpp").read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            continue
    return None


def _difference(reference, variant, names, folders):
    before, after = (source(name, folders) for name in (reference, variant))
    heading = f"{reference} → {variant} ({', '.join(names)})"
    if before is None or after is None:
        missing = reference if before is None else variant
        return details(heading, tag("p", f"The source of {missing} is not here."))
    lines = list(difflib.unified_diff(before, after, f"{reference}.cpp", f"{variant}.cpp",
                                      lineterm=""))
    if not lines:
        return details(heading, tag("p", "The code is the same; an option makes the difference."))
    counts = [sum(line.startswith(sign) for line in lines[2:]) for sign in "+-"]
    marked = [tag("span", line, class_=_KINDS.get(line[0])) for line in lines[2:]]
    return details(f"{heading}: {counts[0]} lines added, {counts[1]} removed",
                   tag("pre", *marked, class_="diff", tabindex=0, role="region",
                       aria_label=heading))
