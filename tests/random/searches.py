#!/usr/bin/env python3
"""Compares random searches with plain enumeration: functions, formats, ranges, K and ways to search are drawn by chance.
Each must end within a minute of a processor and 6 GB of addresses, and find each case and exact case and nothing else; or
it must be refused in one sentence. Exit status 1: one did not. Then the last lines say how to repeat it."""

import argparse
import collections
import json
import math
import os
import random
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from fractions import Fraction

from reference import FAMILIES, FORMATS, FUNCTIONS, PAIRS, PRECISIONS, Answer, Numbers, answer, context, function_of, rational

SECONDS, BYTES = 60, 6 << 30
MOST, FEW = 8192, 512  # arguments of a range; for expressions, of which some take MPFR a 20th of a second each
ALGORITHMS = "phase fractions roots wide regular lefevre lefevre-plain lefevre-swap exhaustive differences".split()
OPTIONS = (  # how often, which, and its values
    (0.6, "algorithm", ALGORITHMS), (0.3, "values", ("format", "unbounded")), (0.15, "domain-bits", range(3, 13)),
    (0.1, "deployment", ("one", "three")), (0.1, "compaction", ("atomic", "scan")), (0.1, "polynomials", ("host", "hybrid")),
    (0.1, "cpu-mode", ("scalar", "vector")), (0.1, "audit", (0, 0.1, 1)), (0.1, "host-threads", range(1, 5)),
    (0.05, "shard", ("1/2", "2/2", "2/3")),
    (0.04, "set=phase.width-percent", range(20, 401)), (0.04, "set=phase.segment-bits", range(7)),
    (0.04, "set=phase.chunk-bits", range(11)), (0.04, "set=wide.group-bits-offset", range(-4, 5)),
    (0.04, "set=wide.denominator-percent", range(10, 1001)), (0.04, "set=plan.domain-bits-offset", range(-4, 5)),
    (0.04, "set=plan.split-bits-offset", range(-4, 5)), (0.04, "set=batch-domains", range(1, 2000)),
    (0.04, "set=survivor-capacity", range(64, 200)), (0.04, "set=queues", range(1, 5)),
    (0.04, "set=launch-milliseconds", range(1, 50)), (0.04, "set=scan-percent", range(101)),
)  # fmt: skip
OF_X = (
    "F(G(x))", "F(x)*G(x)", "F(x)+G(x)", "x*F(x)", "F(x)/x", "x^N+F(x)", "F(x^2+1)", "1/(1+F(x)^2)", "(F(x)+1)^N",
    "log(1+exp(x))", "exp(sin(x))", "sqrt(x)*log(x)", "F(pi*x)", "F(1/x)", "x^N", "(x+1)/(x-2)", "F(N*x)", "exp(x)/x",
)  # fmt: skip
OF_X_AND_Y = (
    "x^y", "sqrt(x^2+y^2)", "exp(x)*y", "F(x)*G(y)", "F(x)+G(y)", "F(x*y)", "F(x/y)", "x^N*F(y)", "F(x)/y", "x*y", "x/y",
    "1/(x^2+y^2)", "F(x+y)", "(x+1)^y", "hypot",
)  # fmt: skip
OPERANDS = {"atan2": "yx", "atan2pi": "yx", "pown": "xn", "rootn": "xn"}
NO_THEOREM = {"erf", "erfc", "lgamma", "tgamma", "y0", "y1"}  # about where they are exact


class Search:
    """A search drawn by chance: of x in a range or in all of a format, of x and y in two ranges, or of all pairs of a format.
    Its arguments are tuples of ranks and, for n, integers."""

    def __init__(self, chance):
        self.chance = chance
        self.kind = kind = chance.choice(["x"] * 12 + ["ranges"] * 2 + ["pairs"])
        precision = chance.randint(*{"x": (2, 24), "ranges": (2, 12), "pairs": (2, 8)}[kind])
        name = chance.choice([f"p{precision}"] * 12 + list(FORMATS)[: {"x": 4, "ranges": 3, "pairs": 0}[kind]])
        self.numbers = numbers = Numbers(name)
        self.grid, self.bits = chance.choice(("all", "directed", "nearest")), chance.randint(2, numbers.p + 6)
        self.is_bounded, self.ranges, options = True, [], []
        if kind == "pairs":
            self.function = chance.choice(sorted(PAIRS))
            self.bits = max(15, 2 * numbers.p + 3) if self.function == "rootn" else numbers.p + chance.randint(3, 6)
        elif kind == "ranges":
            self.function, self.bits = self.expression(OF_X_AND_Y), max(self.bits, 3)
            self.ranges = [self.random_range(math.sqrt(MOST)) for _ in "xy"]
        else:
            family = f"{chance.choice(sorted(FAMILIES))}:{chance.choice((-17, -5, -4, -3, -2, 2, 3, 4, 5, 8, 17))}"
            self.function = chance.choice((chance.choice(sorted(FUNCTIONS)), family, self.expression(OF_X)))
            options = [f"{name}={chance.choice(values)}" for share, name, values in OPTIONS if chance.random() < share]
            if chance.random() < 0.3:
                self.numbers = numbers = Numbers(name, max(2, numbers.p + chance.choice((1, 1, -1, -3, 3))))
                options.append(f"argument-precision={numbers.q}")
            is_expression = "(" in self.function
            if numbers.end > 4 * MOST or is_expression or chance.random() < 0.8:
                self.ranges = [self.random_range(FEW if is_expression else MOST)]
            elif chance.random() < 0.5:
                options.append("no-symmetry")
            self.is_bounded = "values=format" in options or not (self.ranges or "values=unbounded" in options)
        ends = [text for ranks in self.ranges for text in map(numbers.text, (ranks.start, ranks.stop))]
        if kind == "ranges":
            options = ["x-range={}:{}".format(*ends), "y-range={2}:{3}".format(*ends)]
        elif ends:
            options += ["from={}".format(*ends), "to={1}".format(*ends)]
        options[:0] = [f"format={name}", f"rounding={self.grid}", f"bits={self.bits}"]
        self.arguments = ["search", self.function, *("--" + option for option in options)]

    def expression(self, templates):
        text = self.chance.choice(templates)
        for letter in "FG":
            text = text.replace(letter + "(", self.chance.choice(sorted(FUNCTIONS)) + "(")
        return text.replace("N", self.chance.choice("2345678"))

    def random_range(self, most):
        """A range next to a number that is often special, or anywhere."""
        chance, numbers = self.chance, self.numbers
        special = [0, 1, chance.randint(-40, 40) / 2, chance.randint(-300, 300), 10 ** chance.randint(0, 8), 709.782712893384]
        special += [chance.randint(-20, 20) * math.pi / 2, 745.1332191019411]
        powers = chance.randint(-12, 12), numbers.min, numbers.max + 1, chance.randint(numbers.min - numbers.p, numbers.max)
        anchor = chance.choice([*map(Fraction, special), *(Fraction(2) ** n for n in powers)])
        anchor = chance.choice((anchor, Fraction(2 ** chance.uniform(-6, 6)))) * chance.choice((1, 1, -1))
        length = int(2 ** (chance.random() ** 0.7 * math.log2(most)))
        first = numbers.nearest(anchor) - chance.choice((0, length // 2, length, chance.randint(0, length)))
        first = max(1 - numbers.end, min(first, numbers.end - length))
        return range(first, first + length)

    def key(self, *operands):
        """The same for pairs that share an entry: of atan2 those of one ratio, of hypot those that a power of two scales."""
        if self.kind != "pairs" or OPERANDS.get(self.function) == "xn":
            return operands
        one, other = map(self.numbers.exact, operands)
        if self.function != "hypot":
            return one / other, one > 0
        one, other = min(one, other), max(one, other)
        is_subnormal = one**2 + other**2 < Fraction(4) ** self.numbers.min
        return (one, other) if is_subnormal else (one / other, other.numerator / 2 ** (other.numerator.bit_length() - 1))

    def sample(self):
        """Some pairs of the whole format."""
        numbers, chance, is_integer = self.numbers, self.chance, OPERANDS.get(self.function) == "xn"
        binade, one = 1 << (numbers.p - 1), numbers.nearest(Fraction(1))
        for _ in range(MOST // 2):
            x = chance.choice((chance.randint(1, numbers.end - 1), one + chance.randint(-3 * binade, 3 * binade)))
            n = chance.choice((-1, 1)) * int(2 ** chance.uniform(1, 12))
            y = n if is_integer else x + chance.randint(-9 * binade, 9 * binade)
            if y and abs(y) < numbers.end and not (is_integer and x == one):
                yield x, abs(y) if self.function == "hypot" else y

    def every(self, records, listed):
        """The arguments; of a whole format of pairs some, and some of those listed."""
        if self.kind == "pairs":
            some = [*self.sample(), *self.chance.sample(sorted(listed.values()), min(len(listed), MOST))]
        elif self.kind == "ranges":
            some = ((x, y) for x in self.ranges[0] for y in self.ranges[1] if x and y)
        else:
            ends = records[0]["decisive"] or [(records[0]["from"], records[0]["to"])]
            ranges = self.ranges or [range(*map(self.numbers.rank, pair)) for pair in ends]
            searched = range(self.numbers.rank(records[0]["from"]), self.numbers.rank(records[0]["to"]))
            some = ((x,) for ranks in ranges for x in ranks if x in searched or not records[0].get("shard"))
        return {self.key(*operands): operands for operands in some}

    def expected(self, operands):
        f, is_integer, deadline = function_of(self.function), OPERANDS.get(self.function) == "xn", time.monotonic() + 8
        result, most = {}, 60  # of the highest precision
        for key, numbers in operands.items():
            if time.monotonic() > deadline:
                result[key] = Answer("unknown")
                continue
            values = [n if i and is_integer else self.numbers.value(n) for i, n in enumerate(numbers)]
            one = answer(f, values, self.numbers, self.grid, self.bits, self.is_bounded, PRECISIONS[: 3 if most else 2])
            most -= bool(most and context.precision > PRECISIONS[-1])
            context.precision = 200
            is_counted = one and self.kind == "pairs" and one.breakpoint in PAIRS[self.function][1](*values, self.numbers.p)
            result[key] = None if is_counted else one
        return result

    def found(self, records, lines):
        """Answers by key; the operands of each key; the keys of arguments that were left out."""
        numbers, found, operands, left_out, in_records = self.numbers, {}, {}, set(), []

        def add(ranks, *what):
            key = self.key(*ranks)
            if key in found:
                raise ValueError(f"twice: {[numbers.text(rank) for rank in ranks]}")
            found[key], operands[key] = Answer(*what), ranks

        for record in records:
            if record["type"] in ("case", "exact", "undecided"):
                axes = [axis for axis in OPERANDS.get(self.function, "xy") if axis in record]
                bits = -record["bits"] if "or_more" in record else record.get("bits")
                ranks = tuple(int(record[axis]) if axis == "n" else numbers.rank(record[axis]) for axis in axes)
                add(ranks, record["type"], bits, record.get("breakpoint"))
                in_records += [",".join(record[axis] for axis in axes)] * (record["type"] == "case")
            elif record["type"] == "range":
                rule, significands = record.get("rule"), set(map(rational, record.get("significands", ())))
                for rank in range(numbers.rank(record["first"]), numbers.rank(record["last"]) + 1):
                    x = numbers.exact(rank)
                    if record["cases"] == "not searched":
                        left_out.add((rank,))
                    elif record.get("exact"):
                        add((rank,), "exact", None)
                    elif rule:
                        beside = rational(rule["slope"]) * x + rational(rule["offset"])
                        add((rank,), "case", None, record["breakpoint"], beside, record["side"] == "above")
                    elif x and Fraction(abs(x).numerator, 1 << (abs(x).numerator.bit_length() - 1)) in significands:
                        add((rank,), "case", None)
        if sorted(lines) != sorted(in_records):
            raise ValueError(f"only in --wc or only in --json: {sorted(set(lines) ^ set(in_records))[:3]}")
        return found, operands, left_out

    def is_wrong(self, want, got):
        is_theorem = ":" in self.function or self.function in (FUNCTIONS.keys() | PAIRS.keys()) - NO_THEOREM
        if want and want.type in ("unknown", "edge"):
            return want.type == "edge" and got is not None and (is_theorem or got.type != "undecided")
        if want is None or got is None:  # exact pairs are only counted
            return want is not got and not (want and self.kind != "x" and want.type != "case")
        if any(None not in pair and pair[0] != pair[1] for pair in zip(got[2:], want[2:])):
            return True
        if got.type == "undecided":
            return want.type == "case" or (want.type == "exact" and is_theorem)
        if want.type not in ("close", got.type):
            return True
        if got.bits is None or want.type == "exact":
            return False
        is_more = want.bits > abs(got.bits) + 0.001 and got.bits > 0  # a negative number of bits is a lower bound
        return is_more or (want.type == "case" and want.bits < abs(got.bits) - 0.001)


def run(tmd, arguments, folder):
    """The exit status, messages, records and numbers listed."""

    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        if "ASAN_OPTIONS" not in os.environ:
            resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))

    command = [tmd, *arguments, "--quiet", f"--wc={folder}/list.wc", f"--json={folder}/list.jsonl"]
    usual = {"capture_output": True, "text": True, "stdin": subprocess.DEVNULL}
    try:
        done = subprocess.run(command, timeout=5 * SECONDS, preexec_fn=limit, **usual)
    except subprocess.TimeoutExpired:
        return f"none after {5 * SECONDS} seconds", "", [], []
    if done.returncode not in (0, 1):
        return done.returncode, done.stderr.strip(), [], []
    with open(f"{folder}/list.jsonl", encoding="utf-8") as file, open(f"{folder}/list.wc", encoding="utf-8") as listed:
        return done.returncode, "", list(map(json.loads, file)), [line.strip() for line in listed if line[0] != "#"]


def compare(tmd, search, counts):
    """Nothing if all is right, else what was expected and what came."""
    with tempfile.TemporaryDirectory() as folder:
        status, message, records, lines = run(tmd, search.arguments, folder)
    counts["searches"] += 1
    if status == 2 and message.startswith("tmd: ") and message.count("tmd: ") == 1:
        counts["refused"] += 1
        return None
    if status not in (0, 1):
        limits = f"{SECONDS} seconds of a processor, {BYTES >> 30} GB"
        return f"exit status 0 or 1, or 2 with one sentence; within {limits}", f"{status} {message[-2000:]}"
    try:
        found, listed, left_out = search.found(records, lines)
    except ValueError as error:
        return "numbers of the format, each once, and the same list twice", error
    if status == 1 and not left_out and not any(one.type == "undecided" for one in found.values()):
        return "exit status 0", "1, though nothing is left out or undecided"
    operands = search.every(records, listed)
    if search.kind == "pairs":
        found = {key: found[key] for key in found.keys() & operands.keys()}
    expected = search.expected(operands)
    counts["arguments"] += len(expected)
    counts["left out"] += len(left_out)
    counts["found: undecided"] += sum(one.type == "undecided" for one in found.values())
    counts.update(f"expected: {one.type if one else 'no case'}" for one in expected.values())
    keys = [key for key in expected | found if key not in left_out and search.is_wrong(expected.get(key), found.get(key))]
    if not keys:
        return None
    shown = [[one.get(key) for one in (operands | listed, expected, found)] for key in keys[:3]]
    texts = [",".join(map(search.numbers.text, one[0])) for one in shown]
    want, got = ([one[i] and one[i]._replace(breakpoint=None) for one in shown] for i in (1, 2))
    return f"{len(keys)} arguments differ, among them {texts}: {want}", got


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tmd")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--searches", type=int, default=60)
    parser.add_argument("--only", type=int, help="the search of this number")
    parser.add_argument("--go-on", action="store_true", help="after a difference")
    options = parser.parse_args()
    counts, failed = collections.Counter(), 0
    for number in range(options.searches) if options.only is None else [options.only]:
        search = Search(random.Random(f"{options.seed}/{number}"))
        difference = compare(options.tmd, search, counts)
        if difference:
            failed += 1
            print(f"FAILED: {shlex.join([options.tmd, *search.arguments])}")
            print(f"expected: {difference[0]}\ncame:     {difference[1]}")
            print(f"to repeat: {sys.argv[0]} {options.tmd} --seed {options.seed} --only {number}", flush=True)
            if not options.go_on:
                break
    counts["MB at most"] = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
    print(f"seed {options.seed}: " + ", ".join(f"{what} {count}" for what, count in sorted(counts.items())))
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
