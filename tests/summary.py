"""Names the ten slowest tests in a report that ctest wrote as JUnit XML, the skipped and the failed
ones, and counts them; the last line is the count."""
import argparse
import sys
import xml.etree.ElementTree


def sort_out(cases):
    """Names by outcome. A test that could not be run, because its program is missing say, has
    failed: only one that chose to skip, or is disabled, counts as skipped."""
    outcomes = {"passed": [], "failed": [], "skipped": []}
    for case in cases:
        skip = case.find("skipped")
        if case.get("status") == "run":
            outcome = "passed"
        elif case.get("status") == "disabled" or (
                skip is not None and skip.get("message", "").startswith("SKIP_")):
            outcome = "skipped"
        else:
            outcome = "failed"
        outcomes[outcome].append(case.get("name"))
    return outcomes


def slowest(cases, most=10):
    """Lines with the longest times in seconds."""
    taken = sorted(((float(case.get("time", 0)), case.get("name")) for case in cases), reverse=True)
    return [f"{seconds:8.1f} s  {name}" for seconds, name in taken[:most]]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("report", metavar="REPORT.xml", help="of ctest --output-junit")
    report = parser.parse_args().report
    try:
        cases = list(xml.etree.ElementTree.parse(report).iter("testcase"))
    except (OSError, xml.etree.ElementTree.ParseError) as error:
        print(f"{parser.prog}: '{report}' is no report of ctest: {error}", file=sys.stderr)
        cases = []
    outcomes = sort_out(cases)
    print("\nslowest:", *slowest(cases), sep="\n")
    for outcome in ("skipped", "failed"):
        for name in outcomes[outcome]:
            print(f"{outcome}: {name}")
    print(", ".join(f"{len(names)} {outcome}" for outcome, names in outcomes.items()))
    return 1 if outcomes["failed"] or not outcomes["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
