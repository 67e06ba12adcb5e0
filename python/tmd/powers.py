"""One table of integer powers and roots, from searches of all their arguments.

python3 -m tmd.powers RESULT|DIR ... [--output FILE.md]

A row is a function: its hard-to-round cases, the hardest of each kind, exact and undecided ones. Functions whose search
has not covered all of the job's arguments are marked.
"""

import argparse
import re
import sys
from pathlib import Path

from .errors import UsageError, report_errors
from .publication import BREAKPOINTS
from .publish import result_files, write_file
from .results import plural, read_result

MEMBER = re.compile(r"([a-z][a-z0-9]*):(-?\d+)")


def order_of(result):
    """Powers before roots, N = 3, 4, … before -2, -3, …"""
    family, n = MEMBER.fullmatch(result.job.record["function"]).groups()
    return family, int(n) < 0, abs(int(n))


def read_members(files):
    """The results in the order of their functions. UsageError where they do not make one table."""
    results = []
    for file in files:
        result = read_result(str(file))
        if not MEMBER.fullmatch(result.job.record["function"]):
            raise UsageError(f"'{file}' is of {result.job.record['function']}, which is no member of a family")
        results.append(result)
    results.sort(key=order_of)
    for one, other in zip(results, results[1:]):
        if one.job.record["function"] == other.job.record["function"]:
            raise UsageError(f"two results are of {one.job.record['function']}")
        if one.job.kind()[1:] != other.job.kind()[1:]:
            names = [result.job.record["function"] for result in (one, other)]
            raise UsageError(f"{names[0]} and {names[1]} are searched in other formats, or with other K")
    return results


def hardest_text(result, breakpoint_kind):
    one = next((one for one in result.cases if one.breakpoint == breakpoint_kind), None)
    return f"`{one.record['x']}` {one.bits:.4f}" if one else ""


def row_of(result):
    columns = [
        result.job.record["function"],
        len(result.cases) + result.in_ranges("all"),
        *(hardest_text(result, kind) for kind in BREAKPOINTS),
        result.exact_count(),
        len(result.undecided) or "",
        "**partial**" if result.left_out else "all",
        "" if result.seconds is None else f"{result.seconds:.1f}",
    ]
    return "| " + " | ".join(str(one) for one in columns) + " |\n"


def table(results):
    record = results[0].job.record
    return (
        f"# Integer powers and roots in {record['format']}\n\nHard-to-round cases with K = {record['bits']}, breakpoints: "
        f"{record['rounding']}, of {plural(len(results), 'function')}: pown:N is x^N, rootn:N is x^(1/N).\nOf each kind "
        "the hardest case, with its bits. Where values repeat, by f(-x) = ±f(x) or by a power of two, cases are those\nof "
        "the arguments that decide all others. Made by `python3 -m tmd.powers`.\n\n"
        "| function | cases | hardest, representable | hardest, midpoint | exact | undecided | arguments | seconds |\n"
        "|---|--:|---|---|--:|--:|---|--:|\n" + "".join(row_of(one) for one in results)
    )


@report_errors
def main(arguments):
    parser = argparse.ArgumentParser(prog="python3 -m tmd.powers", description=__doc__.partition("\n")[0])
    parser.add_argument("results", nargs="+", help="a file of `tmd search --json`, or a folder of such files")
    parser.add_argument("--output", help="a file (default: standard output)")
    asked = parser.parse_args(arguments)
    text = table(read_members(result_files(asked.results)))
    if asked.output is None:
        sys.stdout.write(text)
    else:
        write_file(Path(asked.output), text.encode())


if __name__ == "__main__":
    sys.exit(main())
