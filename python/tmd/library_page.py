"""A page with the findings of `tmd libm` and pictures, as one file: of a function, or of all functions of a library.

python3 -m tmd.library_page RECORDS.jsonl [--format html] > PAGE
"""

import argparse
import base64
import html
import sys
from dataclasses import dataclass, field

import numpy
from matplotlib.colors import LogNorm

from .errors import UsageError, report_errors
from .figure import BLUE, ORANGE, figure_bytes, new_figure, plain
from .results import program_text, read_text, records_of, require_schema

MOST_FAULTS, MOST_PLACES = 8, 8 # greatest number of rows of a table
MOST_BINADES = 150 # more binades are drawn closer together, except those around 1
STYLE = """body { font: 15px/1.45 system-ui, sans-serif; max-width: 1000px; margin: 2em auto; padding: 0 1em;
       color: #202020 }
h2 { margin-top: 2em; border-top: 1px solid #ccc; padding-top: 0.6em } .wide { overflow-x: auto }
table { border-collapse: collapse; font-size: 13px; margin: 1em 0 } td, th { padding: 2px 14px 2px 0; text-align: left;
         white-space: nowrap }
th { border-bottom: 1px solid #888 } td.number, th.number { text-align: right; font-variant-numeric: tabular-nums }
img { max-width: 100% } code { font-size: 13px }"""


@dataclass
class Tested:
    """A function, from its first record to its summary."""

    head: dict
    records: list = field(default_factory=list)
    summary: dict = None

    def of(self, kind):
        return [one for one in self.records if one["type"] == kind]

    @property
    def name(self):
        return self.head.get("symbol") or self.head["function"]

    @property
    def target(self):
        return self.head.get("library") or self.head.get("command") or self.head.get("device")

    def misrounded(self):
        return sum(one["misrounded"] for one in self.summary["directions"])


def tested_functions(text):
    """The functions whose records are complete; if one was tested twice, the last test."""
    found, current = {}, None
    for _, record in records_of(text):
        if record["type"] == "library":
            require_schema(record)
            current = Tested(record)
        elif current and record["type"] == "summary":
            current.summary = record
            found[current.name] = current
            current = None
        elif current:
            current.records.append(record)
    if not found:
        raise UsageError("there are no records of a library, which `tmd libm --json FILE` writes")
    return sorted(found.values(), key=lambda one: one.name)


def shares_of(binades, directions, is_sample):
    """By bits and binade, from the first to the last one: the share of results that are misrounded, or their number
    where not all results were counted; no number where nothing is. And the first binade; subnormal numbers, which have
    no exponent, stand before it."""
    exponents = [one["exponent"] for one in binades if one["exponent"] is not None]
    first = min(exponents, default=0)
    places = [first - 1 if one["exponent"] is None else one["exponent"] for one in binades]
    first, last = min(places), max(places)
    table = numpy.full((max(len(one["misrounded"]) for one in binades), last - first + 1), numpy.nan)
    for place, one in zip(places, binades):
        for bits, count in enumerate(one["misrounded"]):
            if count:
                table[bits, place - first] = count / (one["results"][bits] * directions) if is_sample else count
    return table, first


def draw_places(axes, function):
    binades = function.of("binade")
    is_sample = all(one["results"] for one in binades)
    table, first = shares_of(binades, len(function.summary["directions"]), is_sample)
    low, high = numpy.nanmin(table), numpy.nanmax(table)
    bits, binades_shown = table.shape
    image = axes.pcolormesh(
        numpy.arange(first, first + binades_shown + 1), numpy.arange(bits + 1) - 0.5, table, cmap="YlOrRd",
        norm=LogNorm(min(low, high / 10), high), rasterized=True,
    )  # fmt: skip
    if binades_shown > MOST_BINADES:
        axes.set_xscale("symlog", linthresh=16, linscale=2)
    axes.figure.colorbar(image, ax=axes, label="share misrounded" if is_sample else "misrounded results", pad=0.02)
    axes.set_xlabel("binade of |x|: exponent" + (", the first: subnormal" if binades[0]["exponent"] is None else ""))
    axes.set_ylabel("equal bits behind the round bit")


def bin_label(bins, number):
    return f"≥ {bins[number]:g}" if number + 1 == len(bins) else f"{bins[number]:g}–{bins[number + 1]:g}"


def draw_errors(axes, function):
    bins = function.summary["error_bins"]
    rows = {one["rounding"]: numpy.array(one["errors"]) for one in function.summary["directions"]}
    nearest = rows.pop("nearest", numpy.zeros(len(bins), int))
    directed = sum(rows.values(), numpy.zeros(len(bins), int))
    some = numpy.flatnonzero(nearest + directed)
    shown = numpy.arange(some[0], some[-1] + 1)
    for shift, counts, colour, label in ((-0.2, nearest, BLUE, "nearest"), (0.2, directed, ORANGE, "directed")):
        axes.bar(numpy.arange(len(shown)) + shift, counts[shown], 0.4, color=colour, label=label)
    axes.set_yscale("log")
    axes.set_ylim(bottom=0.5)
    axes.set_xticks(range(len(shown)), [bin_label(bins, number) for number in shown], rotation=45, ha="right")
    axes.grid(axis="x", visible=False)
    axes.set_xlabel("error in ulps")
    axes.set_ylabel("misrounded results")
    axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=2, borderaxespad=0.1)


def picture_of(function):
    """An SVG picture: misrounded results by bits and binade, and by errors."""
    figure = new_figure(980, 330)
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    if function.of("binade"):
        draw_places(left, function)
    else:
        left.set_axis_off()
    draw_errors(right, function)
    figure.suptitle(plain(f"{function.name}: misrounded results"), fontsize=10)
    figure.tight_layout()
    return figure_bytes(figure, "svg")


class HtmlPage:
    """Text with `code` between backquotes becomes HTML."""

    def __init__(self, title):
        self.parts = [f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{html.escape(title)}'
                      f"</title>\n<style>\n{STYLE}\n</style>\n</head>\n<body>"]  # fmt: skip

    @staticmethod
    def inline(text):
        pieces = html.escape(str(text)).split("`")
        return "".join(f"<code>{one}</code>" if i % 2 else one for i, one in enumerate(pieces))

    def heading(self, level, text):
        self.parts.append(f'<h{level} id="{html.escape(text)}">{self.inline(text)}</h{level}>')

    def paragraph(self, text):
        self.parts.append(f"<p>{self.inline(text)}</p>")

    def table(self, columns, rows):
        """Makes a table. A column whose name begins with `#` has numbers; the column `function` has links to headings."""

        def cell(tag, number, text):
            kind = ' class="number"' if columns[number].startswith("#") else ""
            inner = self.inline(str(text).removeprefix("#") if tag == "th" else text)
            if tag == "td" and columns[number] == "function":
                inner = f'<a href="#{html.escape(str(text))}">{inner}</a>'
            return f"<{tag}{kind}>{inner}</{tag}>"

        self.parts.append('<div class="wide"><table>')
        for tag, row in [("th", columns), *(("td", row) for row in rows)]:
            self.parts.append(f"<tr>{''.join(cell(tag, number, text) for number, text in enumerate(row))}</tr>")
        self.parts.append("</table></div>")

    def picture(self, svg, text):
        data = base64.b64encode(svg).decode()
        self.parts.append(f'<p><img alt="{html.escape(text)}" src="data:image/svg+xml;base64,{data}"></p>')

    def text(self):
        return "\n".join(self.parts) + "\n</body>\n</html>\n"


class MarkdownPage:
    """The same in Markdown; pictures are in the text, too."""

    def __init__(self, title):
        self.parts = []

    def heading(self, level, text):
        self.parts.append(f"{'#' * level} {text}\n")

    def paragraph(self, text):
        self.parts.append(f"{text}\n")

    def table(self, columns, rows):
        def line(cells):
            return "| " + " | ".join(str(one).replace("|", "\\|") for one in cells) + " |"

        lines = [line(one.removeprefix("#") for one in columns)]
        lines.append("|" + "|".join("--:" if one.startswith("#") else "---" for one in columns) + "|")
        for row in rows:
            first = f"[{row[0]}](#{row[0].lower()})" if columns[0] == "function" else row[0]
            lines.append(line([first, *row[1:]]))
        self.parts.append("\n".join(lines) + "\n")

    def picture(self, svg, text):
        self.parts.append(f"![{text}](data:image/svg+xml;base64,{base64.b64encode(svg).decode()})\n")

    def text(self):
        return "\n".join(self.parts)


def error_words(one):
    """An error with as many digits as distinguish most errors from half an ulp."""
    if one["largest_error"] is None:
        return "infinite" if one["x"] else ""
    return f"{one['largest_error']:.7g}"


def overview_row(function, has_promise):
    """A row of the table of functions; errors are without their signs."""
    rows = {one["rounding"]: one for one in function.summary["directions"]}
    nearest = rows.pop("nearest", None)
    directed = list(rows.values())
    promise = function.summary.get("promise")
    worst = max(
        directed, key=lambda one: (error_words(one) == "infinite", abs(one["largest_error"] or 0)), default=None
    )
    row = [
        function.name,
        max(one["arguments"] for one in function.summary["directions"]),
        nearest["misrounded"] if nearest else "",
        error_words(nearest).removeprefix("-") if nearest else "",
        sum(one["misrounded"] for one in directed),
        error_words(worst).removeprefix("-") if worst else "",
        sum(one["lost"] for one in function.summary["directions"]),
    ]
    if has_promise:
        row.append(f"{promise['text']}: {'broken' if promise['broken'] else 'kept'}" if promise else "")
    return row


OVERVIEW = ("function", "#arguments", "#to nearest", "#largest error", "#directed", "#largest error", "#lost")


def arguments_text(place):
    x = "|x|" if place["negative"] is None else "-x" if place["negative"] else "x"
    begin = "below" if place["from_exponent"] is None else f"from 2^{place['from_exponent']} to"
    return f"{x} {begin} 2^{place['to_exponent']}"


def sides_text(place):
    """The sides in the words of the program's table: "beside a representable number or above a midpoint"."""
    parts = []
    for what in ("a representable number", "a midpoint"):
        sides = [side.split()[0] for side in place["sides"] if side.endswith(what)]
        if sides:
            parts.append(f"{'beside' if len(sides) > 1 else sides[0]} {what}")
    return " or ".join(parts)


def share_text(share):
    return "most" if share > 0.5 else f"one in {1 / share:.2g}"


def add_details(page, function):
    summary = function.summary
    page.table(
        ("rounding", "#arguments", "#misrounded", "#lost", "#largest error in ulps", "at"),
        [
            (one["rounding"], one["arguments"], one["misrounded"], one["lost"], error_words(one),
             f"`{one['x']}`" if one["x"] else "")
            for one in summary["directions"]
        ],
    )  # fmt: skip
    if summary.get("correct"):
        page.paragraph("Proven to be correctly rounded at all arguments.")
    if promise := summary.get("promise"):
        count = f"broken at {promise['broken']} arguments, the least of them `{promise['x']}`"
        page.paragraph(f"Promise {promise['text']}: {count if promise['broken'] else 'kept'}.")
    if function.misrounded():
        page.picture(picture_of(function), f"misrounded results of {function.name}, by bits and binade, and by errors")
    if places := summary.get("places"):
        page.table(
            ("wrong", "arguments", "#bits", "next to", "share of such results", "share of all"),
            [
                (one["rounding"], arguments_text(one), f"{one['least_bits']} to {one['most_bits']}",
                 sides_text(one), share_text(one["share"]), share_text(one["share_of_all"]))
                for one in places[:MOST_PLACES]
            ],
        )  # fmt: skip
    if faults := function.of("fault"):
        page.paragraph("The worst calls:")
        page.table(
            ("rounding", "x", "result", "expected", "#error in ulps"),
            [
                (one["rounding"], f"`{one['x']}`", one.get("message") or f"`{one['result']}`",
                 f"`{one['expected']}`" if one["expected"] else "",
                 "" if one["error"] is None else f"{one['error']:.4g}")
                for one in faults[:MOST_FAULTS]
            ],
        )  # fmt: skip
    if flags := summary.get("flags"):
        page.paragraph("Flags and errno:" if flags["wrong"] else f"Flags are right at {flags['calls']} calls.")
        if flags["wrong"]:
            page.table(
                ("flag", "is", "#calls", "the least at", "rounding"),
                [(one["flag"], one["kind"], one["calls"], f"`{one['x']}`", one["rounding"]) for one in flags["wrong"]],
            )
        if not flags["errno"]:
            page.paragraph("errno is never set.")
    if differences := summary.get("differences"):
        other = function.head["against"]
        page.paragraph(f"Against `{other['symbol']}` of `{other['library']}`:")
        kinds = ("compared", "differ", "library", "other", "neither", "both", "unknown", "lost")
        names = ("#compared", "#differ", "#right", "#other right", "#neither", "#both", "#not known", "#lost")
        page.table(("rounding", *names), [(one["rounding"], *(one[kind] for kind in kinds)) for one in differences])


def how_text(functions):
    head = functions[0].head
    seeds = sorted({one.head["seed"] for one in functions if "seed" in one.head})
    if seeds:
        how = "at samples of every degree of hardness in every binade"
        return f"{how}, seed {seeds[0]}" if len(seeds) == 1 else how
    if head.get("list"):
        return f"at the arguments of `{head['list']}`"
    return f"at the cases of {head['search']}" if head.get("search") else "at all arguments"


def page_of(functions, page_format):
    head = functions[0].head
    what = functions[0].name + " of " if len(functions) == 1 else ""
    result = f", its {head['result']} result" if head.get("result") else ""
    title = f"{what}{functions[0].target} in {head['format']}{result}"
    page = (HtmlPage if page_format == "html" else MarkdownPage)(title)
    page.heading(1, title)
    many = "" if len(functions) == 1 else f"{len(functions)} functions, each "
    page.paragraph(
        f"Called {many}{how_text(functions)}, by {program_text(head)}. Errors are in ulps; of directed roundings the "
        "largest one is that of a misrounded result."
    )
    if len(functions) > 1:
        page.paragraph("Misrounded results to nearest and in the three directed roundings together:")
        has_promise = any("promise" in one.summary for one in functions)
        columns = OVERVIEW + (("promise",) if has_promise else ())
        page.table(columns, [overview_row(one, has_promise) for one in functions])
    for function in functions:
        if len(functions) > 1:
            page.heading(2, function.name)
        add_details(page, function)
    return page.text()


@report_errors
def main(arguments):
    parser = argparse.ArgumentParser(prog="python3 -m tmd.library_page", description="A page of what tmd libm found.")
    parser.add_argument("records", help="a file of `tmd libm --json`; - is standard input")
    parser.add_argument("--format", choices=("html", "md"), default="html", help="what is written to standard output")
    asked = parser.parse_args(arguments)
    text = sys.stdin.read() if asked.records == "-" else read_text(asked.records)
    sys.stdout.buffer.write(page_of(tested_functions(text), asked.format).encode())


if __name__ == "__main__":
    sys.exit(main())
