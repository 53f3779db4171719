"""Prints the verdict of each comparison in a results file, a line each."""
import argparse
import sys

import results


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", metavar="RESULTS.json", help="written by trilane --json")
    try:
        for comparison in results.load(parser.parse_args().results)["comparisons"]:
            print(comparison["verdict"])
    except results.ResultsError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
