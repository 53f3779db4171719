"""Puts the Markdown that the program prints on a page, between <!-- trilane ... --> and
<!-- end -->."""
import re

from findings.files import ROOT

_BLOCK = re.compile(r"^<!-- trilane ([^\n]*) -->\n.*?^<!-- end -->", re.MULTILINE | re.DOTALL)
_QUESTION = re.compile(r"^### (.*\?)(?:: |\n\n)(\w+)$", re.MULTILINE)
_EXPERIMENTS = ROOT / "common/measure/questions"


def without(page):
    """The page without what stands there."""
    return _BLOCK.sub("", page)


def written(page, printed):
    """The page with what printed(words) gives for each command, and links to the experiments."""
    def block(match):
        return f"<!-- trilane {match[1]} -->\n\n{_linked(printed(match[1]))}\n<!-- end -->"
    return _BLOCK.sub(block, page)


def _linked(markdown):
    """Below the headings of questions, the command and the file of the experiment."""
    return _QUESTION.sub(lambda found: f"### {found[1]}\n\n`trilane ask {found[2]}`, settled by "
                         f"{_experiment(found[2])}.", markdown)


def _experiment(name):
    """A link to the file that enrols the question."""
    for path in sorted(_EXPERIMENTS.rglob("*.cpp")):
        if f'"{name}"' in path.read_text(encoding="utf-8"):
            return f"[{path.name}](../../{path.relative_to(ROOT)})"
    return "an experiment that is gone"
