"""Checks the certificate of a list: what a result of `tmd search --json` says that its list rests on.

python3 -m tmd.check_certificate RESULT [--list LIST.wc] [--arguments N] [--seed S]

The certificate is the result's `search`, `range` and `summary` records: program, device and driver, the parts of the
range with their methods, bounds and numbers of arguments, counts of each stage, audits. Its cases are those of RESULT,
or of a list beside it. Nothing of the planner or of the engines is used here: f is evaluated in balls by Arb
(python-flint), once more from its definition, and each claim is recomputed for random parts, by a seed that is printed:

- parts, ranges and arguments that MPFR alone has decided make up the range, and none counts twice; counts add up;
- |f| is in a part's output binade, ε is 2^-K or more, sums of bounds are no less than their terms, and, of a part that
  is one interval, Taylor's remainder and the second difference of its domains are within their bounds;
- the cases in random stretches are those that balls of every argument there show, and listed cases have their bits.

Exit status: 0 nothing wrong, 2 what is no certificate, 4 a claim is wrong.
"""

import argparse
import math
import random
import sys
from dataclasses import dataclass, field

from .errors import UsageError, report_errors
from .results import Job, plural, program_text, read_text, records_of, require_schema

UNSOUND = 4
# bits of balls; a value that the last cannot distinguish from a breakpoint counts as exact
PRECISIONS = (128, 256, 512, 1024, 4096)
MOST_CASES = 1000 # of the listed ones, those that are evaluated
MOST_BOUNDS = 200 # number of parts whose bounds are recomputed


def functions(flint):
    """The functions by name; each takes balls and power series alike. Roots and lgamma give |f|, which is all that counts."""
    arb = flint.arb
    pi, log2, log10 = arb.pi, arb.const_log2, arb.const_log10

    def size(x):
        return -x if (x if isinstance(x, arb) else x[0]) < 0 else x

    def lgamma(x):
        if size(x) is x:
            return x.lgamma()
        return (pi() / size(x.sin_pi())).log() - (1 - x).lgamma() # the reflection formula

    return {
        "exp": lambda x: x.exp(),
        "exp2": lambda x: (x * log2()).exp(),
        "exp10": lambda x: (x * log10()).exp(),
        "expm1": lambda x: x.exp() - 1,
        "exp2m1": lambda x: (x * log2()).exp() - 1,
        "exp10m1": lambda x: (x * log10()).exp() - 1,
        "log": lambda x: x.log(),
        "log2": lambda x: x.log() / log2(),
        "log10": lambda x: x.log() / log10(),
        "log1p": lambda x: (1 + x).log(),
        "log2p1": lambda x: (1 + x).log() / log2(),
        "log10p1": lambda x: (1 + x).log() / log10(),
        "sqrt": lambda x: x.sqrt(),
        "rsqrt": lambda x: x.rsqrt(),
        "cbrt": lambda x: (size(x).log() / 3).exp(),
        "recip": lambda x: 1 / x,
        "sin": lambda x: x.sin(),
        "cos": lambda x: x.cos(),
        "tan": lambda x: x.tan(),
        "sinpi": lambda x: x.sin_pi(),
        "cospi": lambda x: x.cos_pi(),
        "tanpi": lambda x: x.sin_pi() / x.cos_pi(),
        "asin": lambda x: x.asin(),
        "acos": lambda x: x.acos(),
        "atan": lambda x: x.atan(),
        "asinpi": lambda x: x.asin() / pi(),
        "acospi": lambda x: x.acos() / pi(),
        "atanpi": lambda x: x.atan() / pi(),
        "sinh": lambda x: (x.exp() - (-x).exp()) / 2,
        "cosh": lambda x: (x.exp() + (-x).exp()) / 2,
        "tanh": lambda x: 1 - 2 / ((2 * x).exp() + 1),
        "asinh": lambda x: (x + (x * x + 1).sqrt()).log(),
        "acosh": lambda x: (x + (x * x - 1).sqrt()).log(),
        "atanh": lambda x: ((1 + x) / (1 - x)).log() / 2,
        "erf": lambda x: x.erf(),
        "erfc": lambda x: x.erfc(),
        "tgamma": lambda x: x.gamma(),
        "lgamma": lgamma,
        "pown": lambda x, n: x**n,
        "compound": lambda x, n: (1 + x) ** n,
        "rootn": lambda x, n: (size(x).log() / n).exp(),
    }


@dataclass
class Certificate:
    """The certificate: the records of a result."""

    job: Job
    search: dict
    summary: dict
    parts: list  # (first, end, record): ledger and ranges, by rank
    bits: dict = field(default_factory=dict) # hardness of hard cases by rank; None if the list does not say
    exact: set = field(default_factory=set)
    undecided: set = field(default_factory=set)

    @staticmethod
    def read(text):
        search = summary = None
        ranges, found = [], []
        for number, record in records_of(text):
            kind = record["type"]
            if kind == "search" and search is None:
                require_schema(record)
                search = record
            elif kind == "range":
                ranges.append(record)
            elif kind == "summary":
                summary = record
            elif kind in ("case", "exact", "undecided"):
                found.append(record)
            else:
                raise UsageError(f"line {number}: a record of type '{kind}' is none of a search of one variable")
        if not search or not summary or "ledger" not in search:
            raise UsageError("it has no search record with a ledger and no summary: `tmd search --json` writes them")
        job = Job.read(search)
        parts = sorted(((*job.ranks(record), record) for record in search["ledger"] + ranges), key=lambda part: part[:2])
        certificate = Certificate(job, search, summary, parts)
        for record in found:
            certificate.add(record["type"], job.numbers.rank(record["x"]), record.get("bits"))
        return certificate

    def add(self, kind, rank, bits=None):
        if kind == "case":
            self.bits[rank] = bits
        else:
            (self.exact if kind == "exact" else self.undecided).add(rank)

    def add_list(self, text):
        """Adds the entries of a .wc list."""
        for line in text.split("\n"):
            entry, _, comment = line.partition("#")
            kind, _, x = comment.strip().partition(": ")
            if entry.strip():
                self.add("case", self.job.numbers.rank(entry.strip()))
            elif kind in ("Exact", "Undecided"):
                self.add(kind.lower(), self.job.numbers.rank(x))


class Checker:
    """Prints each check, and counts the failures."""

    def __init__(self, certificate, flint, seed):
        self.certificate, self.flint, self.arb = certificate, flint, flint.arb
        self.job, self.numbers = certificate.job, certificate.job.numbers
        record = certificate.search
        name, _, exponent = record["function"].partition(":") # of a family, as in pown:3
        self.function = functions(flint).get(name)
        if self.function and exponent:
            family, number = self.function, int(exponent)
            self.function = lambda x: family(x, number)
        if not self.function:
            raise UsageError(f"'{record['function']}' is none of the functions that this checker evaluates")
        self.precision, self.rounding = record["precision"], record["rounding"]
        self.has_format = record["values"] == "format"
        self.random = random.Random(seed)
        self.failures = 0

    def say(self, is_right, text):
        self.failures += 0 if is_right else 1
        print(f"{'ok    ' if is_right else 'FAILED'}  {text}")

    # The range.

    def check_coverage(self):
        """Returns the arguments that are in no part; parts may not overlap."""
        gaps, overlaps, outside = [], 0, 0
        wanted = self.job.range
        end_before = None
        for first, end, _ in self.certificate.parts:
            overlaps += 1 if end_before is not None and first < end_before else 0
            end_before = max(end, end_before) if end_before is not None else end
            outside += 0 if any(a <= first and end <= b for a, b in wanted) else 1
        for begin, behind in wanted:
            for first, end, _ in self.certificate.parts:
                if begin <= first < behind:
                    if first > begin:
                        gaps.append((begin, first))
                    begin = max(begin, end)
            if begin < behind:
                gaps.append((begin, behind))
        alone = sum(end - first for first, end in gaps)
        count = plural(len(self.certificate.parts), "part")
        self.say(overlaps == 0, f"{count}, {overlaps} of which overlap")
        self.say(outside == 0, f"{count}, {outside} of which reach beyond the range")
        most = int(self.certificate.summary["direct"])
        self.say(alone <= most, f"{alone} arguments in no part; MPFR alone has decided {most}")
        return gaps

    def check_counts(self):
        certificate, summary = self.certificate, self.certificate.summary
        kinds = {"none": 0, "all": 0, "not searched": 0, "some": 0}
        for first, end, record in certificate.parts:
            if "cases" in record:
                kinds[record["cases"]] += end - first
                self.say_wrong(int(record["arguments"]) == end - first, record, "its number of arguments is wrong")
        left_out = int(summary.get("left_out", 0)) + int(summary.get("gaps", 0))
        sums = {
            "arguments": (int(summary["arguments"]), self.job.size - left_out),
            "cases": (summary["cases"], len(certificate.bits)),
            "exact cases": (int(summary.get("exact_listed", summary["exact"])), len(certificate.exact)),
            "undecided": (summary["undecided"], len(certificate.undecided)),
            "arguments in ranges without a case": (int(summary["none_in_ranges"]), kinds["none"]),
        }
        for name, (said, found) in sums.items():
            self.say(said == found, f"{said} {name}; counted {found}")
        stages = {name: summary.get(name, {}) for name in ("wide_groups", "wide_refused", "wide_refused_again")}
        kept = sum(stage.get("survivors", 0) for stage in stages.values())
        checked = summary.get("wide_check", {}).get("candidates", 0)
        self.say(kept == checked, f"{checked} candidates of the wide test were evaluated of {kept} that it kept")
        decided = int(summary["candidates"]) + int(summary["direct"])
        listed = len(certificate.bits) + len(certificate.exact)
        self.say(listed <= decided, f"{listed} cases, of {decided} arguments that MPFR has decided")

    def say_wrong(self, is_right, record, text):
        if not is_right:
            self.say(False, f"{record['first']} to {record['last']}: {text}")

    # Bounds.

    def ball(self, rank):
        significand, unit = self.numbers.significand_and_unit(rank)
        return self.arb((-significand if rank < 0 else significand, unit))

    def power(self, exponent):
        return self.arb((1, exponent))

    def spacing(self, binade):
        """Returns log2 of the distance from a breakpoint to the next."""
        least = max(binade, self.numbers.min_exponent) if self.has_format else binade
        return least - self.precision + (0 if self.rounding == "all" else 1)

    def coefficient(self, first, end, order):
        """The enclosure of F's Taylor coefficient over a part, in units of its arguments and breakpoints."""
        low, high = self.ball(first), self.ball(end - 1)
        whole = low.union(high)
        self.flint.ctx.cap = order + 1
        series = self.function(self.flint.arb_series([whole, 1], prec=order + 1))
        unit = max(self.numbers.significand_and_unit(rank)[1] for rank in (first, end - 1))
        return abs(series[order]) * self.power(unit * order)

    def check_within(self, record, name, coefficient, scale):
        """Whether a claimed bound holds; None if this enclosure is too wide to decide."""
        if not coefficient.is_finite():
            return None
        claimed = self.arb(record[name])
        if coefficient.abs_upper() * scale <= claimed * (1 + self.power(-40)):
            return True
        if coefficient.abs_lower() * scale > claimed:
            self.say_wrong(False, record, f"its bound '{name}' is {record[name]:.6g} and should be "
                           f"{float(coefficient.abs_lower() * scale):.6g} or more")  # fmt: skip
            return True
        return None

    def check_bounds(self):
        ledger = [part for part in self.certificate.parts if "methods" in part[2]]
        chosen = self.random.sample(ledger, min(len(ledger), MOST_BOUNDS))
        self.flint.ctx.prec = 256
        tried = proven = 0
        for first, end, record in chosen:
            self.say_wrong(record["epsilon"] >= 2.0**-self.job.bits, record, "ε is less than 2^-K")
            if "output_binade" not in record: # f takes values in many binades
                continue
            ends = [abs(self.function(self.ball(rank))) for rank in (first, end - 1)]
            lowest, highest = (self.power(record["output_binade"] + i) for i in (0, 1))
            self.say_wrong(not any(y < lowest or y > highest for y in ends), record, "f is not in its output binade")
            if int(record["intervals"]) != 1:
                continue
            self.check_sums(record)
            unit = self.power(-self.spacing(record["output_binade"]))
            if "degree" in record:
                tried += 1
                order = record["degree"] + 1
                scale = unit * (self.arb(end - first - 1) / 2) ** order
                proven += self.check_within(record, "taylor", self.coefficient(first, end, order), scale) is not None
            if record.get("degree") == 1: # a line: what it neglects is Taylor's remainder
                continue
            if "truncation1" in record and "domain_bits" in record and end - first >= 2 ** record["domain_bits"]:
                for name, bits in (
                    ("truncation1", record["domain_bits"]),
                    ("truncation2", record["domain_bits"] - record.get("split_bits", 0)),
                ):
                    tried += 1
                    scale = unit * self.power(2 * bits - 3)  # N²/16 of F'' = 2 c
                    # In short domains a bound may be for fewer arguments than N, by a share of 1/N.
                    scale *= 1 - self.power(1 - bits)
                    proven += self.check_within(record, name, self.coefficient(first, end, 2), scale) is not None
        self.say(True, f"bounds of {plural(len(chosen), 'part')} of {len(ledger)}; {proven} of {tried} of Taylor's "
                 "remainder and second differences enclosed by Arb")  # fmt: skip

    def check_sums(self, record):
        for name, terms in {
            "wide": ("epsilon", "taylor", "high", "subinterval", "group"),
            "wide_check": ("epsilon", "taylor", "coefficients", "subinterval"),
            "phase1": ("epsilon", "taylor", "coefficients", "high", "truncation1", "fixedpoint1"),
            "phase2": ("epsilon", "taylor", "coefficients", "high", "truncation2", "fixedpoint2"),
            "phase3": ("epsilon", "taylor", "coefficients", "high", "fixedpoint3"),
        }.items():
            if name in record and all(term in record for term in terms):
                total = math.fsum(record[term] for term in terms)
                self.say_wrong(record[name] >= total * (1 - 2.0**-50), record, f"'{name}' is less than its terms")

    # Cases.

    def judge(self, rank):
        """`none`, `hard` with its bits and its breakpoint's kind, `exact` or `undefined`: from balls alone."""
        for precision in PRECISIONS:
            self.flint.ctx.prec = precision
            y = abs(self.function(self.ball(rank)))
            if not y.is_finite():
                continue
            low, high = y.abs_lower(), y.abs_upper()
            if high == 0:
                return "zero", None, None
            if low == 0:
                continue
            binade = [exponent + int(man).bit_length() - 1 for man, exponent in (low.man_exp(), high.man_exp())]
            if binade[0] != binade[1] and precision != PRECISIONS[-1]:
                continue
            verdict = self.judge_ball(y * self.power(-self.spacing(binade[1])), binade[1])
            if verdict:
                return verdict
        return ("exact", None, None) if y.is_finite() else ("undefined", None, None)

    def judge_ball(self, t, binade):
        shifted = t - self.arb(1) / 2 if self.rounding == "nearest" else t
        n = int((shifted.mid() + self.arb(1) / 2).floor().unique_fmpz())
        distance = abs(shifted - n)
        bound = self.power(-self.job.bits)
        if distance >= bound:
            return "none", None, None
        if self.has_format:
            beyond = 1 << (self.precision + (1 if self.rounding == "all" else 0))
            if binade > self.numbers.max_exponent or (binade == self.numbers.max_exponent and n >= beyond):
                return "none", None, None
            if n == 0 and self.rounding != "nearest":
                return "none", None, None
        if distance.is_exact() and distance == 0:
            return "exact", None, None
        if distance < bound and distance > 0:
            is_midpoint = self.rounding == "nearest" or (self.rounding == "all" and n % 2 == 1)
            bits = -float(distance.log() / self.arb.const_log2())
            return "hard", bits, "midpoint" if is_midpoint else "representable"
        return None

    def expected(self, rank, record):
        """The verdict of the certificate on an argument; None if it has none."""
        certificate = self.certificate
        if rank in certificate.bits:
            return "hard"
        if rank in certificate.exact:
            return "exact"
        if rank in certificate.undecided or (record and record.get("cases") == "not searched"):
            return None
        if record and record.get("cases") == "all":
            return "hard"
        if record and record.get("cases") == "some":
            text = self.numbers.hex(rank).lstrip("-")
            return "hard" if text.partition("p")[0] in [s.partition("p")[0] for s in record["significands"]] else "none"
        if record and record.get("exact") == "all":
            return "exact"
        return "none"

    def check_stretch(self, first, end, record):
        for rank in range(first, end):
            expected, (found, _, _) = self.expected(rank, record), self.judge(rank)
            if expected is None or found == expected or (found == "undefined" and expected == "none"):
                continue
            # the value is a breakpoint where exponents are unbounded
            if found == "zero" and expected in ("none", "exact"):
                continue
            if found == "exact" and (expected == "hard" or "exact_listed" in self.certificate.summary):
                continue # nearer than the balls show; of very many exact cases only the first are listed
            self.say(False, f"{self.numbers.hex(rank)} is {found} by its ball, and {expected} by the list")

    def check_cases(self, gaps, most):
        parts = [(first, end, None) for first, end in gaps] + self.certificate.parts
        total = sum(end - first for first, end, _ in parts)
        stretches = list(parts)
        if total > most:
            length = 1000
            stretches = []
            for _ in range(max(1, most // length)):
                first, end, record = self.random.choice(parts)
                begin = self.random.randrange(first, max(first + 1, end - length))
                stretches.append((begin, min(begin + length, end), record))
        for stretch in stretches:
            self.check_stretch(*stretch)
        count = sum(end - first for first, end, _ in stretches)
        self.say(True, f"{count} arguments of {total} in parts evaluated, in {len(stretches)} stretches")
        listed = sorted(self.certificate.bits)
        chosen = self.random.sample(listed, min(len(listed), MOST_CASES))
        for rank in chosen:
            found, bits, _ = self.judge(rank)
            said = self.certificate.bits[rank]
            if found not in ("hard", "exact"):
                self.say(False, f"{self.numbers.hex(rank)} is listed, and {found} by its ball")
            elif said is not None and bits is not None and abs(said - bits) > 0.00011:
                self.say(False, f"{self.numbers.hex(rank)} has {bits:.4f} bits by its ball, and {said} by the list")
        self.say(True, f"{len(chosen)} cases of {len(listed)} evaluated")


def describe(certificate):
    search, summary = certificate.search, certificate.summary
    print(certificate.job.describe())
    print(f"by {program_text(search)}")
    devices = search.get("devices") or [search.get("device")]
    for device in filter(None, devices):
        print(f"on {device['name']}, driver {device['driver']}")
    methods = {}
    for record in search["ledger"]:
        for name, intervals in record["methods"].items():
            methods[name] = methods.get(name, 0) + int(intervals)
    print("searched by " + ", ".join(f"{name} ({plural(count, 'interval')})" for name, count in sorted(methods.items())))
    for audit in summary.get("audits", []):
        print(f"searched again {audit['way']}: {audit['arguments']} arguments, seed {audit.get('seed', 'unknown')}")


def load_flint():
    try:
        import flint
    except ImportError:
        raise UsageError("this needs Arb for Python: pip install python-flint") from None
    return flint


@report_errors
def main(arguments):
    parser = argparse.ArgumentParser(
        prog="python3 -m tmd.check_certificate", description="Checks what a list rests on, by Arb alone."
    )
    parser.add_argument("result", help="what `tmd search --json` has written")
    parser.add_argument("--list", help="the cases, as a .wc list, where the result has none")
    parser.add_argument("--arguments", type=int, default=200000, help="to evaluate (default: 200000); all, if fewer")
    parser.add_argument("--seed", type=int, help="chooses parts and stretches (default: another one each time)")
    options = parser.parse_args(arguments)
    flint = load_flint()
    try:
        certificate = Certificate.read(read_text(options.result))
        if options.list:
            certificate.add_list(read_text(options.list))
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f"'{options.result}' is no certificate: {error}") from None
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1 << 32)
    checker = Checker(certificate, flint, seed)
    describe(certificate)
    print(f"seed {seed}")
    gaps = checker.check_coverage()
    checker.check_counts()
    checker.check_bounds()
    checker.check_cases(gaps, options.arguments)
    print(f"{plural(checker.failures, 'failure')}" if checker.failures else "nothing wrong")
    return UNSOUND if checker.failures else 0


if __name__ == "__main__":
    sys.exit(main())
