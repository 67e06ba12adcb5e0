"""Draws the result of a search: how many cases there are in each bit beside the expected number, where they are, and
what its devices did all the time.

python3 -m tmd.plot RESULT [--panel cases] [--panel range] [--panel time] [--format svg] > FIGURE
"""

import argparse
import math
import sys

import numpy as np

from .axis import ArgumentAxis
from .errors import UsageError, report_errors
from .figure import BLACK, BLUE, FORMATS, GREEN, GREY, ORANGE, figure_bytes, new_figure, plain
from .numbers import complement, size
from .result_page import page
from .results import plural, read_result

PANELS = ("cases", "range") # those that are drawn when none is named
ALL_PANELS = (*PANELS, "time")
COLOURS = {"representable": BLUE, "midpoint": ORANGE}

# The stages that are work of devices, with what they do; and what idle devices wait for.
BUSY = {
    "wide_polynomials": "wide test, polynomials",
    "wide_groups": "wide test",
    "wide_refused": "wide test, refused parts",
    "wide_refused_again": "wide test, parts refused again",
    "wide_check": "candidates evaluated",
    "phase_starts": "phase walk, starts",
    "phase_walk": "phase walk",
    "phase_again": "phase walk, refused chunks",
    "polynomials_on_device": "domains' coefficients",
    "phase1": "existence test",
    "phase2": "existence test, sub-domains",
    "phase3": "sub-domains, every argument",
}
IDLE = {
    "kernels": "for kernels",
    "polynomials": "for polynomials",
    "parts": "for parts of the search",
    "self_tests": "for self-tests",
    "host": "for the host",
    "other": "otherwise",
}

# Sizes in pixels.
WIDTH, LEFT, RIGHT = 1000, 85, 70
LABELS = 130 # more on the left for words
HEADING, TITLE, FOOT = 78, 34, 62
HEIGHTS = {"cases": 330, "range": 360, "time": 300}
HALF_A_PIXEL = 0.5 / (WIDTH - LEFT - RIGHT)


class SearchFigure:
    """The data from which the panels are drawn."""

    def __init__(self, result):
        self.result, self.job = result, result.job
        self.axis = ArgumentAxis(self.job)
        self.bits = np.array([one.bits for one in result.cases])
        # Arguments for which chance decides whether they are cases.
        self.tested = size(result.covered) - result.in_ranges("all") - result.in_ranges("none")
        # Where f is almost x, few cases have a thousand bits: the axis ends some bits beyond the expected ones.
        beyond_chance = 10
        chance = math.log2(2 * self.tested) if self.tested > 0 else 0
        hardest = self.bits[0] if len(self.bits) else 0
        most = max(self.job.bits, chance) + beyond_chance
        self.is_cut = hardest > most
        self.last_bit = math.ceil(max(most if self.is_cut else hardest, chance, self.job.bits + 1) + 0.5)

    def expected(self, bits):
        """The expected number of cases with at least so many bits."""
        return 2.0 * self.tested * np.exp2(-bits)

    def heading(self):
        """The heading, of three lines."""
        described = self.job.describe()
        end = described.index("), ") + 1
        whole, covered = self.job.size, size(self.result.covered)
        counts = (
            f"{plural(len(self.result.cases), 'hard-to-round case')}, {plural(self.result.exact_count(), 'exact case')}; "
            f"{plural(whole, 'argument')}, {'all' if covered == whole else self._percent(covered)} covered"
        )
        if self.result.in_ranges("all"):
            counts += f", {self._percent(self.result.in_ranges('all'))} in ranges of cases"
        if self.result.undecided:
            counts += f"; {len(self.result.undecided)} undecided"
        most_letters = 100
        first = described[:end]
        return first if len(first) <= most_letters else first[: most_letters - 3] + "...", described[end + 2 :], counts

    def _percent(self, part):
        return f"{math.floor(10000 * part / self.job.size) / 100:.2f} %" # a part must not look like the whole

    def steps(self):
        """(bits, count) of the cases with at least so many bits: the count drops after each."""
        if not len(self.bits):
            return np.empty((0, 2))
        bits = np.minimum(self.bits[::-1], self.last_bit)
        counts = np.arange(len(bits), 0, -1)
        # The first of the steps in the same half pixel is drawn, and always the last of all.
        columns = np.floor((bits - self.job.bits) / (HALF_A_PIXEL * (self.last_bit - self.job.bits)))
        kept = np.concatenate(([True], columns[1:] != columns[:-1]))
        kept[-1] = True
        return np.column_stack((bits[kept], counts[kept]))

    def band(self):
        """(bits, mean, mean − 2σ, mean + 2σ) of the counts that chance gives."""
        least = 0.5
        if self.tested <= 0:
            return np.empty((0, 4))
        bits = np.linspace(self.job.bits, self.last_bit, 201)
        mean = self.expected(bits)
        reach = 2 * np.sqrt(mean)
        return np.column_stack((bits, mean, np.maximum(mean - reach, least), np.maximum(mean + reach, least)))

    def points(self):
        """(position, bits, colour) of the cases, the hardest last, on top of the others; of those that would be drawn
        upon each other one."""
        few, columns, rows = 5000, 1200, 400
        drawn = set()
        points = []
        for one in self.result.cases:
            x = self.axis.position(one.rank)
            y = min(one.bits, self.last_bit)
            place = (
                int(x * columns),
                int((y - self.job.bits) / (self.last_bit - self.job.bits) * rows),
                one.breakpoint,
            )
            if len(self.result.cases) <= few or place not in drawn:
                drawn.add(place)
                points.append((x, y, COLOURS[one.breakpoint]))
        return points[::-1]

    def marks(self, cases):
        """The positions of cases without bits, at most one in half a pixel."""
        drawn = []
        for one in cases:
            x = self.axis.position(one.rank)
            if not drawn or x - drawn[-1] >= HALF_A_PIXEL:
                drawn.append(x)
        return drawn

    def boxes(self, ranges):
        """(begin, end) of ranges, as wide as can be seen at least."""
        boxes = []
        for first, end in sorted(ranges):
            left = self.axis.position(first)
            right = max(self.axis.position(end), left + HALF_A_PIXEL)
            if boxes and left - boxes[-1][1] < HALF_A_PIXEL:
                boxes[-1] = (boxes[-1][0], max(boxes[-1][1], right))
            else:
                boxes.append((left, right))
        return boxes

    def times(self):
        """(what, seconds, whether the device was idle) of all that took time, in the order in which it is drawn."""
        times, idle = self.result.times, self.result.times.get("idle", {})
        bars = [(text, times.get(key, {}).get("seconds", 0), False) for key, text in BUSY.items()]
        bars += [(f"idle, {text}", idle.get(key, 0), True) for key, text in IDLE.items()]
        return [bar for bar in bars if bar[1] > 0]

    def missing(self):
        """The ranges that were not searched."""
        return complement(self.result.covered, self.job.range)

    def ranges_of(self, cases):
        """The ranges of which all arguments are cases, or few or none."""
        return [ranks for ranks, record in self.result.ranges if (record["cases"] == "all") == (cases == "all")]


def draw_cases(axes, figure):
    steps, band = figure.steps(), figure.band()
    first, last = figure.job.bits, figure.last_bit
    most = max(figure.expected(first), len(figure.bits), 1)
    if len(band):
        axes.fill_between(band[:, 0], band[:, 2], band[:, 3], color="#e0e0e0", linewidth=0, label="±2σ (Poisson)")
        label = f"by chance: 2·N·2$^{{-k}}$, N = {short_number(figure.tested)} arguments"
        axes.plot(band[:, 0], band[:, 1], "--", color=GREY, linewidth=1.5, label=label)
    if len(steps):
        bits = np.concatenate(([first], steps[:, 0], [] if figure.is_cut else [figure.bits[0]]))
        counts = np.concatenate(([len(figure.bits)], steps[:, 1], [] if figure.is_cut else [0.5]))
        axes.step(bits, counts, where="pre", color=BLUE, linewidth=2, label="cases")
    axes.set(xlim=(first, last), ylim=(0.5, 3 * most), yscale="log", ylabel="cases (logarithmic)")
    axes.set_xlabel("k, bits: −log₂ of the distance from the breakpoint, in breakpoint spacings")
    if most < 1e4: # enough digits to distinguish them
        axes.yaxis.set_major_formatter("{x:g}")
    axes.set_title("Cases with at least k bits", loc="left", fontsize=11)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(loc="upper right")


def short_number(value):
    """A number such as 1.10·10^12 as a formula; short whole numbers as they are."""
    if value < 1e6:
        return str(value)
    exponent = math.floor(math.log10(value))
    return f"{value / 10**exponent:.2f}·10$^{{{exponent}}}$"


def draw_range(axes, figure):
    result, first, last = figure.result, figure.job.bits, figure.last_bit
    boxes = (
        ("all are cases", figure.ranges_of("all"), {"color": "#ffe0b0"}),
        ("none is a case", figure.ranges_of("none"), {"color": "#e8e8e8"}),
        ("not searched", figure.missing(), {"facecolor": "none", "edgecolor": "#a0a0a0", "hatch": "///"}),
    )
    for label, ranges, style in boxes:
        for begin, end in figure.boxes(ranges):
            axes.axvspan(begin, end, linewidth=0, label=label, **style)
            label = None
    count = len(result.cases)
    diameter = 5 if count <= 30 else 3.5 if count <= 300 else 2.2 if count <= 3000 else 1.2 if count <= 30000 else 0.8
    if count:
        x, y, colours = zip(*figure.points())
        axes.scatter(x, y, s=diameter**2, c=colours, linewidths=0, rasterized=count > 30000)
        for kind, colour in COLOURS.items():
            if any(one.breakpoint == kind for one in result.cases):
                axes.scatter([], [], s=14, c=colour, label=kind)
    else:
        axes.text(0.5, 0.5, "no case with bits", transform=axes.transAxes, ha="center", color=GREY)
    edge = last - 0.015 * (last - first)
    for cases, marker, colour, label in (
        (result.exact, "^", GREEN, "exact (∞ bits)"),
        (result.undecided, "x", BLACK, "undecided"),
    ):
        if cases:
            marks = figure.marks(cases)
            axes.scatter(marks, [edge] * len(marks), s=14, c=colour, marker=marker, label=label)
    at_edge = f" (at the edge: {last} and more)" if figure.is_cut else ""
    axes.set(xlim=(0, 1), ylim=(first, last), ylabel=f"k, bits{at_edge}")
    wide = " (all binades are equally wide: each has as many arguments)" if figure.axis.binades >= 3 else ""
    axes.set_xlabel("argument x" + wide)
    positions, labels = zip(*figure.axis.ticks())
    axes.set_xticks(positions, labels)
    axes.set_title("Cases over the range", loc="left", fontsize=11)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=4, borderaxespad=0.2)


def draw_time(axes, figure):
    bars = figure.times()
    if not bars:
        raise UsageError("the result does not say what its devices did: it is a journal, or was made with --reproducible")
    whole = sum(seconds for _, seconds, _ in bars)
    begin = 0
    for row, (_, seconds, is_idle) in enumerate(bars):
        axes.barh(row, seconds, left=begin, height=0.8, color=ORANGE if is_idle else BLUE)
        begin += seconds
        # Beside the bar, where there is more room.
        at, align = (begin, "left") if begin < 0.8 * whole else (begin - seconds, "right")
        axes.text(at, row, f"  {seconds:.{3 if seconds < 1 else 1}f} s  ", va="center", ha=align)
    axes.set(xlim=(0, whole), ylim=(len(bars) - 0.5, -0.5), xlabel="seconds of devices")
    axes.set_yticks(range(len(bars)), [text for text, _, _ in bars])
    axes.grid(axis="y", visible=False)
    busy = sum(seconds for _, seconds, is_idle in bars if not is_idle)
    axes.set_title(f"Time of devices: {100 * busy / whole:.1f} % busy", loc="left", fontsize=11)


def draw(result, panels, file_format):
    """The figure's file, the panels one above the other; as `html` a page that needs no server."""
    data = SearchFigure(result)
    if file_format == "html":
        return page(result, data.heading())
    height = HEADING + sum(TITLE + HEIGHTS[panel] + FOOT for panel in panels)
    figure = new_figure(WIDTH, height)
    for line, y, points in zip(data.heading(), (18, 40, 56), (12, 9, 9)):
        figure.text(LEFT / WIDTH, 1 - y / height, plain(line), fontsize=points, va="center")
    top = HEADING
    for panel in panels:
        top += TITLE
        left = LEFT + (LABELS if panel == "time" else 0)
        box = (left / WIDTH, 1 - (top + HEIGHTS[panel]) / height, 1 - (left + RIGHT) / WIDTH, HEIGHTS[panel] / height)
        {"cases": draw_cases, "range": draw_range, "time": draw_time}[panel](figure.add_axes(box), data)
        top += HEIGHTS[panel] + FOOT
    return figure_bytes(figure, file_format)


@report_errors
def main(arguments):
    parser = argparse.ArgumentParser(prog="python3 -m tmd.plot", description="Draws what a search has found.")
    parser.add_argument("result", help="a file of `tmd search --json`, packed or not, or a journal")
    parser.add_argument("--panel", action="append", choices=ALL_PANELS, help="draw this alone; may be repeated")
    parser.add_argument("--format", choices=(*FORMATS, "html"), default="svg", help="what is written to standard output")
    asked = parser.parse_args(arguments)
    panels = [panel for panel in ALL_PANELS if panel in (asked.panel or PANELS)]
    sys.stdout.buffer.write(draw(read_result(asked.result), panels, asked.format))


if __name__ == "__main__":
    sys.exit(main())
