"""The measurements of `tmd compare --json` on several machines, in one table and one picture.

python3 -m tmd compare MACHINE.jsonl ... [--plot FIGURE.svg]

A machine is a file, named as the file is. All files are to be of the same search, and of the same cases.
"""

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

from .comparison import COLOURS, algorithms_of
from .errors import UsageError, report_errors
from .results import plural, program_text, read_text, records_of, require_schema

FIGURES = (".svg", ".png", ".pdf")
UNSOUND = 4 # exit status if machines found different cases


@dataclass
class Row:
    """One way of a machine to search: a device, its CPU mode and its kernels."""

    machine: str
    device: str
    way: str  # "vector", or with several deployments "vector, three"
    cells: dict # by algorithm

    def seconds(self, algorithm):
        """Seconds of the device; None if it has not run, or has failed."""
        cell = self.cells.get(algorithm)
        return cell["seconds"]["device"] if cell and cell["state"] == "done" else None

    def best(self):
        return min((s for name in self.cells if (s := self.seconds(name)) is not None), default=float("inf"))

    def rate(self):
        """Arguments a second by the best algorithm."""
        rates = [cell["arguments_per_second"] for cell in self.cells.values() if cell["state"] == "done"]
        return max(rates, default=None)


@dataclass
class Machine:
    """A file of `tmd compare --json`."""

    name: str
    head: dict
    cells: list

    @classmethod
    def read(cls, file):
        try:
            records = [record for _, record in records_of(read_text(file))]
            if not records or records[0]["type"] != "comparison":
                raise UsageError("it has no records of a comparison, which `tmd compare --json FILE` writes")
            require_schema(records[0])
            cells = [one for one in records if one["type"] == "cell"]
            return cls(Path(file).name.split(".jsonl")[0], records[0], cells)
        except UsageError as error:
            raise UsageError(str(error) if str(file) in str(error) else f"'{file}': {error}") from None

    def rows(self, has_deployments):
        rows = {}
        for cell in self.cells:
            way = cell["cpu_mode"]["asked"] + (f", {cell['deployment']}" if has_deployments else "")
            device = next(one for one in self.head["devices"] if one["index"] == cell["device"])
            name = f"{device['name']} ({device['platform']})"
            row = rows.setdefault((cell["device"], way), Row(self.name, name, way, {}))
            row.cells[cell["algorithm"]] = cell
        return list(rows.values())


class Machines:
    """The machines of several files. Raises UsageError if they cannot be compared."""

    def __init__(self, files):
        self.machines = [Machine.read(file) for file in files]
        self.job = self.machines[0].head["job"]
        for one in self.machines:
            if one.head["job"] != self.job:
                raise UsageError(f"'{one.name}' is of another search than '{self.machines[0].name}': {one.head['job']}")
        cells = [cell for one in self.machines for cell in one.cells]
        self.algorithms = algorithms_of(cells)
        has_deployments = len({cell["deployment"] for cell in cells}) > 1
        self.rows = sorted((row for one in self.machines for row in one.rows(has_deployments)), key=Row.best)
        self.counts = {cell["cases"] for cell in cells if cell["state"] == "done"}

    def differ(self):
        """Whether the numbers of cases differ."""
        return len(self.counts) > 1 or any(c["state"] == "differing" for one in self.machines for c in one.cells)

    def cell_text(self, row, algorithm):
        cell = row.cells.get(algorithm)
        if cell is None or cell["state"] == "waiting":
            return ""
        return duration(cell["seconds"]["device"]) if cell["state"] == "done" else cell["state"]

    def table(self):
        """The table in Markdown, the fastest row first."""
        slowest = max((row.best() for row in self.rows if row.rate()), default=0)
        lines = [["machine", "device", "mode", *self.algorithms, "arguments/s", "ratio"]]
        for row in self.rows:
            times = [self.cell_text(row, name) for name in self.algorithms]
            rate = [f"{row.rate():.3g}", f"{slowest / row.best():.3g}"] if row.rate() else ["", ""]
            lines.append([row.machine, row.device, row.way, *times, *rate])
        lines.insert(1, ["---"] * len(lines[0]))
        return "".join("| " + " | ".join(text.replace("|", r"\|") for text in line) + " |\n" for line in lines)

    def text(self):
        """The search, the table, and what each machine ran."""
        cases = plural(next(iter(self.counts)), "case") if len(self.counts) == 1 else "no cases"
        found = "other cases on some: trust none" if self.differ() else f"{cases} everywhere"
        programs = "".join(f"- {one.name}: {program_text(one.head)}{drivers(one.head)}\n" for one in self.machines)
        return (
            f"{self.job}: {found}\n\n{self.table()}\nTimes are those of the device, the whole search; the rate is the best "
            f"algorithm's, and the ratio says how many times as fast it is as the slowest row's.\n\n{programs}"
        )

    def figure(self, file_format):
        """Bars of all rows, on one logarithmic scale; the figure's bytes."""
        from .figure import figure_bytes, new_figure, plain

        width, bar, gap, top, foot = 1000, 15, 10, 70, 60
        step = bar * len(self.algorithms) + gap
        height = top + foot + step * len(self.rows)
        figure = new_figure(width, height)
        axes = figure.add_axes((0.36, foot / height, 0.56, 1 - (top + foot) / height))
        done = [s for row in self.rows for name in self.algorithms if (s := row.seconds(name))]
        least, most = min(done, default=1), max(done, default=1)
        axes.set_xscale("log")
        axes.set_xlim(least / 2, 4 * most)
        for number, name in enumerate(self.algorithms):
            bars = [(place * step + number * bar, row) for place, row in enumerate(self.rows) if name in row.cells]
            for y, row in bars:
                axes.text(max(row.seconds(name) or 0, least / 2) * 1.1, y, self.cell_text(row, name), va="center", fontsize=8)
            bars = [(y, seconds) for y, row in bars if (seconds := row.seconds(name))]
            if bars:
                axes.barh(*zip(*bars), height=0.9 * bar, color=COLOURS[number % len(COLOURS)], alpha=0.85, label=name)
        middle = bar * (len(self.algorithms) - 1) / 2
        labels = [plain(f"{row.machine}, {row.way}\n{shortened(row.device)}") for row in self.rows]
        axes.set_yticks([place * step + middle for place in range(len(self.rows))], labels)
        axes.set_ylim(step * len(self.rows) - gap / 2, -bar)
        axes.grid(axis="y", visible=False)
        axes.set_xlabel("device time, seconds (logarithmic)")
        figure.text(0.02, 1 - 22 / height, plain(self.job), fontsize=10)
        if done:
            axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=len(self.algorithms))
        return figure_bytes(figure, file_format)


def duration(seconds):
    """A time with three digits, in the largest unit of which there is at least one."""
    for unit, size in (("s", 1), ("ms", 1e-3)):
        if seconds >= 0.9995 * size:
            return f"{digits(seconds / size)} {unit}"
    return f"{digits(seconds / 1e-6)} µs"


def digits(value):
    return f"{value:.0f}" if value >= 99.95 else f"{value:.1f}" if value >= 9.995 else f"{value:.2f}"


def drivers(head):
    texts = dict.fromkeys(f"{one['platform']} {one['driver']}" for one in head["devices"] if one.get("driver"))
    return "".join("; " + text for text in texts)


def shortened(text, most=48):
    return text if len(text) <= most else text[: most - 3] + "..."


@report_errors
def main(arguments):
    parser = argparse.ArgumentParser(
        prog="python3 -m tmd compare", description="Compares what `tmd compare --json` has measured on several machines."
    )
    parser.add_argument("machine", nargs="+", help="a file of `tmd compare --json`, packed or not, named after the machine")
    parser.add_argument("--plot", metavar="FILE", help="draw the times: .svg, .png or .pdf")
    asked = parser.parse_args(arguments)
    if asked.plot and Path(asked.plot).suffix not in FIGURES:
        raise UsageError(f"the figure's name, '{asked.plot}', must end in .svg, .png or .pdf")
    machines = Machines(asked.machine)
    if asked.plot:
        with open(asked.plot, "wb") as file:
            file.write(machines.figure(Path(asked.plot).suffix[1:]))
    print(machines.text(), end="")
    return UNSOUND if machines.differ() else 0


if __name__ == "__main__":
    sys.exit(main())
