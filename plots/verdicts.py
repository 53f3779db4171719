"""Prints the verdict of each comparison in a results file, one per line. If times are simulated, a
line before them says so."""
import argparse

import results
from input_file import InputError


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", metavar="RESULTS.json", help="written by trilane --json")
    try:
        found = results.load(parser.parse_args().results)
        if results.simulated(found):
            print(f"Simulated, not measured: the times are those of {results.simulated(found)}.")
        for comparison in found["comparisons"]:
            print(comparison["verdict"])
    except InputError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")


if __name__ == "__main__":
    main()
