"""A search as one HTML file that needs no server: a picture that can be zoomed, a table that can be sorted and filtered,
and a box that answers whether an argument is a case.

python3 -m tmd.plot RESULT --format html > PAGE
"""

import html
import json
from pathlib import Path

from .axis import ArgumentAxis
from .results import plural

MOST_CASES = 100_000 # greatest number of cases in a page, the hardest ones


def data_of(result, heading):
    """The data of the page's script: numbers as C hex floats, positions from 0 to 1."""
    job, axis = result.job, ArgumentAxis(result.job)
    in_hex = job.numbers.hex

    def ranges(pairs):
        return [[in_hex(first), in_hex(end)] for first, end in pairs]

    def entries(found):
        return [[in_hex(one.rank), axis.position(one.rank), one.bits, one.breakpoint] for one in found]

    return {
        "heading": heading,
        "bits": job.bits,
        "precision": job.record["argument_precision"],
        "cases": entries(result.cases[:MOST_CASES]),
        "more": max(0, len(result.cases) - MOST_CASES),
        "exact": [in_hex(one.rank) for one in result.exact],
        "unlisted": result.unlisted_exact,
        "undecided": [in_hex(one.rank) for one in result.undecided],
        "covered": ranges(result.covered),
        "ranges": ranges(pair for pair, record in result.ranges if record["cases"] == "all"),
        "some": ranges(pair for pair, record in result.ranges if record["cases"] == "some"),
        "ticks": [[position, label.strip("$").replace("{", "").replace("}", "")] for position, label in axis.ticks()],
    }


def page(result, heading):
    """Returns the bytes of the file. heading: lines of text."""
    template = (Path(__file__).parent / "result_page.html").read_text(encoding="utf-8")
    data = json.dumps(data_of(result, heading), separators=(",", ":")).replace("<", "\\u003c")
    title = f"{result.job.record['function']}: {plural(len(result.cases), 'hard-to-round case')}"
    return template.replace("TITLE", html.escape(title)).replace('"DATA"', data, 1).encode()
