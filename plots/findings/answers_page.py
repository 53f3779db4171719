"""Sentences of plots/results/questions.md and plots/results/loop.md, beside what trilane prints."""
from findings import files
from findings.fields import Sentence
from findings.words import Missing


def sentences_on_answers(folder=files.FOLDER):
    yield _origin(folder / "answers.json.gz")


def sentences_on_loop(folder=files.FOLDER):
    yield _origin(folder / "loop.json.gz")


def _origin(path):
    made = files.Context(path) if path.exists() else Missing()
    return Sentence(f"Measured on {made.machine()}, with revision {made.revision()}.")
