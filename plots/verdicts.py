"""Prints the verdict of each comparison in a results file, one per line. If times are simulated, a
line before them says so."""
import command_line
import output_file
import results


def main():
    parser = command_line.Parser(description=__doc__)
    parser.add_argument("results", metavar="RESULTS.json", help="written by trilane --json")
    found = results.load(parser.parse_args().results)
    if results.simulated(found):
        output_file.say(["Simulated, not measured: the times are those of "
                         f"{results.simulated(found)}."])
    output_file.say(comparison["verdict"] for comparison in found["comparisons"])


if __name__ == "__main__":
    command_line.run(main)
