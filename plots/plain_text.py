"""Texts of files and of the system, made fit to be shown: on a terminal, in pictures and pages."""


def plain(text):
    """The text with escapes for what cannot be printed: control characters, lone surrogates, line
    breaks and marks that turn the direction of writing. XML cannot hold most of these at all."""
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else
                   character.encode("unicode_escape").decode() for character in text)


def cut(text, most=60):
    """The text, with its middle left out if it is longer than that."""
    return text if len(text) <= most else f"{text[:most * 2 // 3]} … {text[-most // 4:]}"
