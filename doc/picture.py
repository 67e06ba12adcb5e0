#!/usr/bin/env python3
"""Draws the cases of one search, bits against argument, and beside it how many there are in each bit, as chance has it.

usage: doc/picture.py SEARCH.jsonl > PICTURE.svg

SEARCH.jsonl is what `tmd search --json` wrote. The dashed lines of the right half are what values that are uniformly
distributed between breakpoints would give. The same file always gives the same picture.
"""

import json
import sys

WIDTH, HEIGHT = 860, 320
LEFT, TOP, PLOT_WIDTH, PLOT_HEIGHT = 52, 40, 560, 250
BARS_LEFT, BARS_WIDTH = LEFT + PLOT_WIDTH + 24, 190
BLUE, GREY, INK = "#2060a0", "#909090", "#202020"


def text(x, y, words, anchor="start", size=12, colour=INK):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{colour}">'
            f'{words.replace("&", "&amp;").replace("<", "&lt;")}</text>')


def line(x1, y1, x2, y2, colour=GREY, more=""):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"{more}/>'


def draw(records):
    search, summary = records[0], records[-1]
    cases = [(float.fromhex(record["x"]), record["bits"]) for record in records if record["type"] == "case"]
    if not cases:
        sys.exit("picture: the search found no case")
    least = search["bits"]
    most = int(max(bits for _, bits in cases)) + 1
    first, last = float.fromhex(search["from"]), float.fromhex(search["to"])

    def height(bits):
        return TOP + PLOT_HEIGHT * (most - bits) / (most - least)

    yield (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">'
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>')
    yield text(LEFT, 20, f'{search["function"]} on [{search["from"]}, {search["to"]}): the {len(cases)} cases among '
               f'{int(summary["arguments"]):,} arguments of {search["argument_precision"]} bits, K = {least}', size=13)

    for bits in range(least, most + 1):
        yield line(LEFT, height(bits), LEFT + PLOT_WIDTH, height(bits), "#e0e0e0")
        yield line(BARS_LEFT, height(bits), BARS_LEFT + BARS_WIDTH, height(bits), "#e0e0e0")
        if (bits - least) % 2 == 0:
            yield text(LEFT - 8, height(bits) + 4, str(bits), "end")
    yield text(LEFT - 8, TOP - 8, "bits", "end")
    for x, bits in cases:
        yield (f'<circle cx="{LEFT + PLOT_WIDTH * (x - first) / (last - first):.1f}" cy="{height(bits):.1f}" r="2.5" '
               f'fill="{BLUE}" fill-opacity="0.7"/>')
    foot = TOP + PLOT_HEIGHT
    yield line(LEFT, foot, LEFT + PLOT_WIDTH, foot, INK)
    yield text(LEFT, foot + 18, search["from"])
    yield text(LEFT + PLOT_WIDTH / 2, foot + 18, "argument", "middle")
    yield text(LEFT + PLOT_WIDTH, foot + 18, search["to"], "end")

    # For M arguments, chance lets 2M·2^-K come closer than 2^-K, and half of them no closer than 2^-(K+1).
    counts = [sum(bits <= of < bits + 1 for _, of in cases) for bits in range(least, most)]
    expected = [int(summary["arguments"]) * 2.0 ** -bits for bits in range(least, most)]
    longest = max(counts + expected) * 1.15
    for i, (count, chance) in enumerate(zip(counts, expected)):
        y, bar = height(least + i + 1) + 2, PLOT_HEIGHT / (most - least) - 4
        length, at = BARS_WIDTH * count / longest, BARS_LEFT + BARS_WIDTH * chance / longest
        if count:
            yield (f'<rect x="{BARS_LEFT}" y="{y:.1f}" width="{length:.1f}" height="{bar:.1f}" fill="{BLUE}" '
                   f'fill-opacity="0.7"/>')
        yield line(at, y - 2, at, y + bar + 2, "#c05020", ' stroke-width="1.5" stroke-dasharray="3 2"')
        if count:
            yield text(max(BARS_LEFT + length, at) + 5, y + bar / 2 + 4, str(count), size=11)
    yield line(BARS_LEFT, foot, BARS_LEFT + BARS_WIDTH, foot, INK)
    yield text(BARS_LEFT, foot + 18, "cases in a bit; dashed: by chance")
    yield "</svg>"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: doc/picture.py SEARCH.jsonl > PICTURE.svg")
    with open(sys.argv[1], encoding="utf-8") as file:
        print("\n".join(draw([json.loads(row) for row in file])))
