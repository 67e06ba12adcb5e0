"""Draws the times of `tmd compare --json`: a bar a combination, its gain over Lefèvre's test above it.

python3 -m tmd.comparison COMPARISON.jsonl [--format svg] > FIGURE
"""

import argparse
import sys
import textwrap

from .errors import UsageError, report_errors
from .figure import FORMATS, figure_bytes, new_figure, plain
from .results import read_text, records_of

COLOURS = ("#c05020", "#2060a0", "#70a040", "#806090", "#c0a020", "#606060")
GAP = 0.8 # gap between groups, in bars; the gap between devices is twice as large
FAR_APART = 30 # bars with a greater ratio are only visible on a logarithmic scale


def algorithms_of(cells):
    """The algorithms, each once; Lefèvre's test, with which gains are computed, comes first."""
    names = list(dict.fromkeys(cell["algorithm"] for cell in cells))
    return sorted(names, key=lambda name: not name.startswith("lefevre"))


def lay_out(cells):
    """The groups of bars, one a device, CPU mode and deployment: [(device, label, begin)]; and the place of each cell's
    bar."""
    algorithms = algorithms_of(cells)
    has_deployments = len({cell["deployment"] for cell in cells}) > 1
    groups, places = {}, []
    end = 0
    for cell in cells:
        mode = cell["cpu_mode"]["asked"]
        key = cell["device"], f"{mode}, {cell['deployment']}" if has_deployments else mode
        if key not in groups:
            same_device = groups and list(groups)[-1][0] == key[0]
            groups[key] = end + (0 if not groups else GAP if same_device else 2 * GAP)
            end = groups[key] + len(algorithms)
        places.append(groups[key] + algorithms.index(cell["algorithm"]))
    return [(*key, begin) for key, begin in groups.items()], places


def draw(head, cells, file_format):
    """Returns the bytes of the figure."""
    algorithms = algorithms_of(cells)
    groups, places = lay_out(cells)
    end = groups[-1][2] + len(algorithms)
    bar = max([46] + [7 * (len(label) + 2) / (len(algorithms) + GAP) for _, label, _ in groups])
    width = max(800, 130 + int((end + 1) * bar))
    figure = new_figure(width, 480)
    axes = figure.add_axes((85 / width, 0.22, 1 - 115 / width, 0.64))
    done = [cell["seconds"]["device"] for cell in cells if cell["state"] == "done"]
    for number, name in enumerate(algorithms):
        bars = [
            (x, c["seconds"]["device"])
            for x, c in zip(places, cells)
            if c["algorithm"] == name and c["state"] == "done"
        ]
        if bars:
            axes.bar(*zip(*bars), width=0.9, color=COLOURS[number % len(COLOURS)], alpha=0.85, label=name)
    is_wide = done and max(done) > FAR_APART * min(done)
    if is_wide:
        axes.set_yscale("log")
        axes.set_ylim(0.5 * min(done), 3 * max(done))
    elif done:
        axes.set_ylim(0, 1.15 * max(done))
    for x, cell in zip(places, cells):
        if cell["state"] != "done":
            why = "not run" if cell["state"] == "waiting" else "failed"
            axes.text(x, 0.03, why, transform=axes.get_xaxis_transform(), rotation=90, ha="center", color="#a00000")
        elif cell["gain"]:
            gain = cell["gain"]
            axes.text(x, cell["seconds"]["device"], f"{gain:.{1 if gain < 10 else 0}f}x", ha="center", va="bottom")
    axes.set_ylabel("device time, seconds" + (" (logarithmic)" if is_wide else ""))
    axes.set_xlim(-1, end)
    middle = (len(algorithms) - 1) / 2
    axes.set_xticks([begin + middle for _, _, begin in groups], [label for _, label, _ in groups])
    axes.grid(axis="x", visible=False)
    for device in head["devices"]:
        begins = [begin for index, _, begin in groups if index == device["index"]]
        if begins:
            room = (begins[-1] - begins[0] + len(algorithms) + GAP) * (width - 115) / (end + 1)
            name = f"{device['index']}: {device['name']} ({device['platform']})"
            lines = textwrap.wrap(name, max(8, int(room / 6.5)), max_lines=3, placeholder="...")
            centre = (begins[0] + begins[-1]) / 2 + middle
            axes.annotate(plain("\n".join(lines)), (centre, 0), xycoords=axes.get_xaxis_transform(), xytext=(0, -22),
                          textcoords="offset points", ha="center", va="top")  # fmt: skip
    figure.text(85 / width, 0.95, plain(head["job"]), fontsize=10)
    if done:
        axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=len(algorithms))
    return figure_bytes(figure, file_format)


@report_errors
def main(arguments):
    parser = argparse.ArgumentParser(prog="python3 -m tmd.comparison", description="Draws what `tmd compare` measured.")
    parser.add_argument("comparison", help="a file of `tmd compare --json`; - is standard input")
    parser.add_argument("--format", choices=FORMATS, default="svg", help="what is written to standard output")
    asked = parser.parse_args(arguments)
    text = sys.stdin.read() if asked.comparison == "-" else read_text(asked.comparison)
    records = [record for _, record in records_of(text)]
    if not records or records[0]["type"] != "comparison":
        raise UsageError(f"'{asked.comparison}' has no records of a comparison, which `tmd compare --json FILE` writes")
    cells = [one for one in records if one["type"] == "cell"]
    sys.stdout.buffer.write(draw(records[0], cells, asked.format))


if __name__ == "__main__":
    sys.exit(main())
