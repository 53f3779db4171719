"""Names that a user gives, for the scripts beside this one."""
import sys


def chosen(text, known, what):
    """The names in a list with commas, all without one. Ends with 2 if one is not known."""
    names = [name for name in text.split(",") if name] or list(known)
    for name in names:
        if name not in known:
            print(f"there is no {what} '{name}'; there are {', '.join(known)}", file=sys.stderr)
            sys.exit(2)
    return names
