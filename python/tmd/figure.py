"""The common part of figures: fonts and colours, and the bytes of their files."""

import io

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as pyplot  # noqa: E402  (after the choice of what draws)

matplotlib.rcParams.update(
    {
        "svg.fonttype": "none", # keeps texts as texts
        "svg.hashsalt": "tmd", # makes the bytes of a figure reproducible
        "font.size": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.axisbelow": True,
        "axes.grid": True,
        "grid.color": "#e4e4e4",
        "grid.linewidth": 0.6,
        "legend.frameon": False,
        "legend.fontsize": 8,
    }
)

BLUE, ORANGE, GREEN, BLACK, GREY = "#2060a0", "#c05020", "#408040", "#202020", "#707070"
FORMATS = ("svg", "png", "pdf")
DPI = 100 # a hundred pixels per inch


def new_figure(width, height):
    """A figure of so many pixels."""
    return pyplot.figure(figsize=(width / DPI, height / DPI), dpi=DPI)


def plain(text):
    """The text, in a form in which matplotlib sees no formula."""
    return text.replace("$", r"\$")


def figure_bytes(figure, file_format):
    """The figure's file: `svg`, `png` or `pdf`."""
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(file_format)
    stream = io.BytesIO()
    figure.savefig(stream, format=file_format, metadata=metadata)
    pyplot.close(figure)
    return stream.getvalue()
