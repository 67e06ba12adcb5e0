"""Pages of results, in Markdown: one for each function, and the table of all."""

import math
import re
import shlex
from dataclasses import dataclass

from .chance import chi_square, has_extrema
from .numbers import size
from .publication import describe_range
from .results import in_range, integer, program_text

MOST_ROWS = 64 # greatest number of rows in the table of binades
MOST_NAMED = 20 # greatest number of exact cases, and of undecided arguments, on a page
MOST_RANGES = 50 # number of the hardest cases of each kind
SUMS = ("arguments", "cases", "midpoints", "exact", "expected")


@dataclass
class Row:
    """A binade, or several side by side, with all that was searched in them one by one."""

    negative: bool
    first: int # exponents of the binades; one below the least normal exponent for subnormal numbers
    last: int
    is_subnormal: bool
    is_fair: bool
    arguments: int
    cases: int
    midpoints: int
    exact: int
    expected: float

    @staticmethod
    def of(job, binade):
        exponent = job.numbers.exponent(binade.first)
        record = binade.record
        return Row(
            negative=binade.first < 0,
            first=exponent,
            last=exponent,
            is_subnormal=exponent < job.numbers.min_exponent,
            is_fair=record["fair"],
            arguments=binade.end - binade.first,
            cases=record["cases"],
            midpoints=record["midpoints"],
            exact=integer(record["exact"]),
            expected=binade.expected(job),
        )

    def add(self, other):
        self.first, self.last = min(self.first, other.first), max(self.last, other.last)
        self.is_subnormal = self.is_subnormal or other.is_subnormal
        self.is_fair = self.is_fair and other.is_fair
        for name in SUMS:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def name(self):
        sign = "-" if self.negative else ""
        if self.is_subnormal and self.first == self.last:
            return sign + "subnormal"
        return f"{sign}[{'subnormal' if self.is_subnormal else f'2^{self.first}'}, 2^{self.last + 1})"


def rows_of(published):
    """A row for each binade, in the order of |x|, positive ones first."""
    rows = [Row.of(published.job, one) for block in published.blocks for one in block.binades]
    result = []
    for row in sorted(rows, key=lambda one: (one.negative, one.first)):
        if result and (result[-1].negative, result[-1].first) == (row.negative, row.first):
            result[-1].add(row)
        else:
            result.append(row)
    return result


def in_groups(rows):
    """Joins neighbouring rows until there are not too many."""
    most = 1
    while len(rows) // most > MOST_ROWS:
        most *= 2
    groups, in_group = [], 0
    for row in rows:
        last = groups[-1] if groups else None
        is_next = last and (last.negative, last.is_fair, last.last + 1) == (row.negative, row.is_fair, row.first)
        if is_next and in_group < most:
            last.add(row)
            in_group += 1
        else:
            groups.append(Row(**vars(row)))
            in_group = 1
    return groups


def chance_of(rows):
    return chi_square([(row.cases, row.expected) for row in rows if row.is_fair])


def chi_square_text(total, degrees, p):
    if degrees == 0:
        return "no binade is a fair sample"
    return f"χ² = {total:.1f} of {degrees} binade{'' if degrees == 1 else 's'}, p = {p:.3g}"


def binade_table(job, rows):
    has_both = job.record["rounding"] == "all"
    lines = [
        f"| binades of x | arguments | cases | expected | in σ |{' midpoints |' if has_both else ''} exact |",
        f"|---|--:|--:|--:|--:|{'--:|' if has_both else ''}--:|",
    ]
    for row in in_groups(rows):
        off = f"{(row.cases - row.expected) / math.sqrt(row.expected):+.2f}" if row.is_fair else ""
        midpoints = f" {row.midpoints} |" if has_both else ""
        lines.append(
            f"| {row.name()} | {row.arguments} | {row.cases} | {row.expected:.1f} | {off} |{midpoints} {row.exact} |"
        )
    return "\n".join(lines) + "\n"


def named(published, kind):
    """A number and names, such as 3: `0x1p+0`, `0x1p+1`, …"""
    count = published.count(kind)
    names = [f"`{one['x']}`" for block in published.blocks for one in block.named if one["type"] == kind][:MOST_NAMED]
    return str(count) + (": " + ", ".join(names) if names else "") + (", …" if 0 < len(names) < count else "")


def range_list(heading, ranges):
    """A list under a heading, cut off if there are too many entries."""
    if not ranges:
        return ""
    lines = [f"- {one}" for one in ranges[:MOST_RANGES]]
    if len(ranges) > MOST_RANGES:
        lines.append(f"- and {len(ranges) - MOST_RANGES} more")
    return f"\n## {heading}\n\n" + "\n".join(lines) + "\n"


def programs_of(block):
    """The program that has searched a block, and others that have found some of it."""
    return "<br>".join(program_text(one) for one in [block.record, *block.record.get("other_programs", [])])


def search_table(published):
    lines = [
        "\n## Searches\n",
        "| range | arguments | cases | seconds | device | version, commit, kernels |",
        "|---|--:|--:|--:|---|---|",
    ]
    for block in published.blocks:
        record = block.record
        seconds = "" if record["seconds"] is None else f"{record['seconds']:.1f}"
        lines.append(
            f"| [{record['from']}, {record['to']}) | {size(block.covered)} | {block.cases} | {seconds} | "
            f"{record['devices']} | {programs_of(block)} |"
        )
    return "\n".join(lines) + "\n"


def command_text(job):
    record = job.record
    function = (
        record["function"] if re.fullmatch(r"[\w+\-=./:,@%^]+", record["function"]) else shlex.quote(record["function"])
    )
    text = f"tmd search {function} --format {record['format']} --bits {record['bits']}"
    for option, usual in (("rounding", "all"), ("values", "format"), ("argument_precision", record["precision"])):
        if record[option] != usual:
            text += f" --{option.replace('_', '-')} {record[option]}"
    return text


def title(job):
    record = job.record
    text = f"{record['function']} in {record['format']}"
    if record["argument_precision"] != record["precision"]:
        text += f", arguments of {record['argument_precision']} bits"
    if record["rounding"] != "all":
        text += f", {record['rounding']}"
    return text if record["values"] == "format" else text + ", values without bounds"


def summary_rows(name, published, rows):
    """(name, value) of the table at the beginning of a function's page."""
    job = published.job
    ranges = [one for block in published.blocks for one in block.ranges]
    kinds = {kind: sum(in_range(one, kind) for one in ranges) for kind in ("all", "none")}
    complete = "**partial**" if published.missing() else "complete"
    yield "arguments", f"{size(published.covered())} of {job.size}: {complete}"
    yield "proven at once", f"{kinds['none']} in ranges without a case, {kinds['all']} in ranges of cases"
    expected = sum(row.expected for row in rows)
    yield "cases", f"{published.cases()}, {expected:.1f} expected; {chi_square_text(*chance_of(rows))}"
    for one in published.hardest():
        yield f"hardest, {one['breakpoint']}", f"`{one['x']}`, {one['bits']:.4f} bits"
    yield "exact cases", named(published, "exact")
    yield "undecided", named(published, "undecided")
    listed = f"the {len(published.listed)} cases from K = {published.listed_from} on"
    yield "list", f"[{name}.wc.xz]({name}.wc.xz): {listed}"


def function_page(name, published):
    """How far a function has been searched, its cases by binade beside their expectation, the hardest ones, exact and
    undecided ones, ranges, and the searches."""
    job, numbers = published.job, published.job.numbers
    rows = rows_of(published)
    text = (
        f"# {title(job)}\n\nThe hard-to-round cases with K = {job.bits}, breakpoints: {job.record['rounding']}"
        f"{job.describe_reduction(published.symmetry)}. Made by `tmd publish` from `{command_text(job)}`.\n\n"
        "| | |\n|---|---|\n"
    )
    text += "".join(f"| {key} | {value} |\n" for key, value in summary_rows(name, published, rows))
    extrema = ", and those beside extrema that are breakpoints" if has_extrema(job) else ""
    text += (
        f"\n## Cases by binade\n\n{binade_table(job, rows)}\nExpected are 2·N·2^-K of the N arguments that were searched "
        f"one by one and are not exact{extrema}. Where chance does not say how many there\nshould be, as where f hardly "
        "bends, no deviation is given.\n"
    )
    ranges = [one for block in published.blocks for one in block.ranges if one[1]["cases"] != "none"]
    text += range_list("Ranges of cases", [describe_range(numbers, *one) for one in ranges])
    missing = [f"[{numbers.hex(first)}, {numbers.hex(end - 1)}]" for first, end in published.missing()]
    return text + range_list("Not searched", missing) + search_table(published)


_RESULTS_HEAD = """# Results

What searches of whole functions have found. A page says how far a function is searched, how many cases there are in
each binade beside what chance gives, which are the hardest, and how they were found; beside it are the cases from the
least K on at which their list is small, as CORE-MATH has its lists, and the counts as records. `tmd publish` makes
all of it from the results of `tmd run`.
"""

_RESULTS_TABLE = """
| function | breakpoints | K | arguments | cases | expected | p | hardest, in bits | exact | undecided | listed \
from | seconds |
|---|---|--:|---|--:|--:|--:|---|--:|--:|--:|--:|
"""


def results_page(pages, before=""):
    """The table of all functions. pages: (name, publication), by format and name. Text before the table is kept."""
    head, table, _ = before.partition(_RESULTS_TABLE)
    text = (head if table else _RESULTS_HEAD) + _RESULTS_TABLE
    for name, published in pages:
        job = published.job
        rows = rows_of(published)
        _, degrees, p = chance_of(rows)
        hardest = "<br>".join(f"`{one['x']}` {one['bits']:.4f} ({one['breakpoint']})" for one in published.hardest())
        seconds = sum(block.record["seconds"] or 0 for block in published.blocks)
        columns = (
            f"[{title(job)}]({job.record['format']}/{name}.md)",
            job.record["rounding"],
            job.bits,
            "**partial**" if published.missing() else "all",
            published.cases(),
            f"{sum(row.expected for row in rows):.1f}",
            f"{p:.3g}" if degrees else "",
            hardest,
            published.count("exact"),
            published.count("undecided"),
            published.listed_from,
            f"{seconds:.1f}",
        )
        text += "| " + " | ".join(str(one) for one in columns) + " |\n"
    return text
