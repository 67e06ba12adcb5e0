"""What a search must find, by MPFR (gmpy2). Nothing of tmd computes here: the definitions of doc/theory/method.md are
written anew. A value is computed with two precisions, all steps rounded down or up, and its error taken to be their
difference, 2^64 times what can be expected of the longer one. MPFR's inexact flag tells whether it is exact. Where that does
not decide, more bits do."""

import math
import re
from fractions import Fraction
from typing import NamedTuple

import gmpy2
from gmpy2 import mpfr

PRECISIONS = (180, 700, 2500)
FORMATS = {"binary16": (11, -14, 15), "bfloat16": (8, -126, 127), "binary32": (24, -126, 127), "binary64": (53, -1022, 1023)}
context = gmpy2.get_context()
context.emax, context.emin = gmpy2.get_emax_max(), gmpy2.get_emin_min()
LARGE = mpfr(2) ** 2**60


class Numbers:
    """The numbers of a format, with `precision` bits. Each has a rank, its place among them."""

    def __init__(self, name, precision=None):
        self.p, self.min, self.max = FORMATS.get(name) or (int(name[1:]), -1022, 1023)
        self.q = precision or self.p
        self.end = (self.max - self.min + 2) << (self.q - 1)  # the rank of 2^(max + 1)

    def parts(self, rank):
        """The integer and the exponent of the power of two whose product the number is."""
        block = max(0, (abs(rank) >> (self.q - 1)) - 1)
        return (abs(rank) - (block << (self.q - 1))) * (-1 if rank < 0 else 1), self.min - self.q + 1 + block

    def exact(self, rank):
        significand, unit = self.parts(rank)
        return significand * Fraction(2) ** unit

    def value(self, rank):
        context.precision = 100
        significand, unit = self.parts(rank)
        return mpfr(significand) * mpfr(2) ** unit

    def text(self, rank):
        return "{:#x}p{}".format(*self.parts(rank))

    def nearest(self, x):
        """The rank of the number next to a rational one."""
        if x <= 0:
            return -self.nearest(-x) if x else 0
        exponent = x.numerator.bit_length() - x.denominator.bit_length()
        block = max(0, exponent - (x < Fraction(2) ** exponent) - self.min)
        return min((block << (self.q - 1)) + round(x / Fraction(2) ** (self.min - self.q + 1 + block)), self.end)

    def rank(self, text):
        result = self.nearest(rational(text))
        if result != self.end and self.exact(result) != rational(text):
            raise ValueError(f"{text} is no number of the format")
        return result


def rational(text):
    """The value of a hexadecimal number."""
    sign, whole, fraction, exponent = re.fullmatch(r"(-?)0x(\w+)\.?(\w*)p([-+]?\d+)", text).groups()
    return Fraction(int(sign + whole + fraction, 16)) * Fraction(2) ** (int(exponent) - 4 * len(fraction))


def pi():
    return 4 * gmpy2.atan(mpfr(1))  # const_pi() does not set the inexact flag


def of_pi(function, halves):
    """sin, cos or tan of pi x. Exact are only the values at multiples of 1/2, and of 1/4 for tan (Niven's theorem)."""

    def value(x):
        if not gmpy2.is_finite(x):
            return mpfr("nan")
        turn = gmpy2.fmod(x, mpfr(2))
        rest = turn - round(float(turn))  # exact
        if 2 * rest == int(2 * rest):
            return mpfr(halves[int(2 * turn) % 4])
        if function is gmpy2.tan:
            return mpfr(int(4 * rest)) if 4 * rest == int(4 * rest) else function(pi() * rest)
        return function(pi() * rest) * (-1) ** round(float(turn))

    return value


def over_pi(function, exact):
    return lambda x: mpfr(exact[x]) if x in exact else function(x) / pi()


def of_sum(function, otherwise):
    """function(1 + x), or `otherwise` where 1 + x is rounded."""
    return lambda x: function(x + 1) if (x + 1).rc == 0 else otherwise(x)


def root(x, n):
    return gmpy2.root(x, n) if n > 0 else 1 / gmpy2.root(x, -n)


def atan2pi(y, x):
    turns = gmpy2.atan2(y, x) / pi()
    return mpfr(round(float(4 * turns))) / 4 if x == 0 or y == 0 or abs(x) == abs(y) else turns


NAMES = """acos acosh asin asinh atan atanh cbrt cos cosh erf erfc exp exp10 exp2 expm1 j0 j1 log log10 log1p log2 sin sinh sqrt
    tan tanh y0 y1"""
FUNCTIONS = {name: getattr(gmpy2, name) for name in NAMES.split()} | {
    "acospi": over_pi(gmpy2.acos, {-1: 1, 0: 0.5, 1: 0}),
    "asinpi": over_pi(gmpy2.asin, {-1: -0.5, 0: 0, 1: 0.5}),
    "atanpi": over_pi(gmpy2.atan, {-1: -0.25, 0: 0, 1: 0.25}),
    "cospi": of_pi(gmpy2.cos, (1, 0, -1, 0)),
    "sinpi": of_pi(gmpy2.sin, (0, 1, 0, -1)),
    "tanpi": of_pi(gmpy2.tan, (0, "nan", 0, "nan")),
    "exp10m1": lambda x: gmpy2.exp10(x) - 1 if gmpy2.is_integer(x) else gmpy2.expm1(x * gmpy2.log(mpfr(10))),
    "exp2m1": lambda x: gmpy2.exp2(x) - 1 if gmpy2.is_integer(x) else gmpy2.expm1(x * gmpy2.log(mpfr(2))),
    "log10p1": of_sum(gmpy2.log10, lambda x: gmpy2.log1p(x) / gmpy2.log(mpfr(10))),
    "log2p1": of_sum(gmpy2.log2, lambda x: gmpy2.log1p(x) / gmpy2.log(mpfr(2))),
    "lgamma": lambda x: gmpy2.lgamma(x)[0],
    "recip": lambda x: 1 / x,
    "rsqrt": gmpy2.rec_sqrt,
    "tgamma": gmpy2.gamma,
}
FAMILIES = {
    "compound": lambda x, n: of_sum(lambda sum_: sum_**n, lambda x: gmpy2.exp(n * gmpy2.log1p(x)))(x),
    "pown": lambda x, n: x**n,
    "rootn": root,
}
# For two variables: the function, and the numbers next to which cases are counted, but not listed.
PAIRS = {
    "atan2": (gmpy2.atan2, lambda y, x, p: (y / x,) if 0 < y / x < mpfr(2) ** -(p + 1) else ()),
    "atan2pi": (atan2pi, lambda y, x, p: (1, Fraction(1, 2))),
    "hypot": (gmpy2.hypot, lambda x, y, p: (max(x, y),)),
    "pown": (FAMILIES["pown"], lambda x, n, p: (1,)),
    "rootn": (root, lambda x, n, p: (1,)),
}


def positive(base):
    return base if base > 0 else mpfr("nan")


def function_of(text):
    """The function of a name of the catalogue or of an expression of x, or of x and y."""
    name, _, number = text.partition(":")
    if number:
        return lambda x: FAMILIES[name](x, int(number))
    if name in FUNCTIONS or name in PAIRS:
        return FUNCTIONS.get(name) or PAIRS[name][0]
    text = re.sub(r"\((.*)\)\^y", r"positive(\1)^y", text)
    text = re.sub(r"\bpi\b", "pi()", re.sub(r"\b\d+\b", r"mpfr(\g<0>)", text.replace("^", "**")))
    return eval(f"lambda x, y=None: {text}", FUNCTIONS | {"mpfr": mpfr, "pi": pi, "positive": positive})


class Answer(NamedTuple):
    """What an argument is: a `case`, `exact`, `close` (a case or exact), at the `edge` (its distance is 2^-K), or `unknown`.
    With the breakpoint, and whether the value is above it."""

    type: str
    bits: float = math.inf
    kind: str = None
    breakpoint: Fraction = None
    is_above: bool = None


def measured(value, error_exponent, numbers, grid, bits, is_bounded):
    """The answer for a value whose error is below 2^error_exponent (nothing: it is exact), or nothing if it is no case."""
    significand, unit = map(int, value.as_mantissa_exp())
    binade = unit + significand.bit_length() - 1
    if is_bounded:
        if not numbers.min - numbers.p - bits - 3 <= binade <= numbers.max:
            return None
        binade = max(binade, numbers.min)
    # In units of 2^-places spacings. In half ulps, all grids are integers: all of them, the even or the odd ones.
    shift = unit + numbers.p - binade
    places = max(-shift, 0) + 1
    scaled = (abs(significand) << (max(shift, 0) + 1)) - ((grid == "nearest") << places)
    places += grid != "all"
    index = (scaled + (1 << (places - 1))) >> places
    distance = abs(scaled - (index << places))
    error = 0 if error_exponent is None else 1 << max(error_exponent + numbers.p - binade + places, 0)
    half_ulps = index if grid == "all" else 2 * index + (grid == "nearest")
    if is_bounded and (half_ulps == 0 or (binade == numbers.max and half_ulps == 2 << numbers.p)):
        return None  # 0 and what follows the largest number are no breakpoints
    if (distance - error) << bits >= 1 << places:
        return Answer("edge") if distance << bits == 1 << places and error == 0 else None
    is_negative = significand < 0
    result = Answer(
        "exact",
        kind="midpoint" if half_ulps % 2 else "representable",
        breakpoint=half_ulps * Fraction(2) ** (binade - numbers.p) * (-1 if is_negative else 1),
        is_above=(scaled > index << places) != is_negative if distance > error else None,
    )
    if distance == error == 0:
        return result
    is_near = (distance + error) << bits < 1 << places
    if is_near and distance > error << 20:
        return result._replace(type="case", bits=places - math.log2(distance))
    return result._replace(type="close" if is_near else "unknown", bits=places - math.log2(distance + error))


def answer(f, operands, numbers, grid, bits, is_bounded, precisions=PRECISIONS):
    """The answer for f's value, or nothing if it is no case."""
    result = None
    for precision in precisions:
        context.precision, context.round = precision, gmpy2.RoundDown
        shorter = f(*operands)
        context.precision, context.round = precision + 64, gmpy2.RoundUp
        context.clear_flags()
        value = f(*operands)
        is_step = f not in FUNCTIONS.values()  # perhaps only a step has no value, or is too large or small
        if gmpy2.is_nan(value) or (gmpy2.is_infinite(value) and not context.overflow):
            return Answer("unknown") if is_step and context.inexact else None
        is_extreme = not 1 / LARGE < abs(value) < LARGE
        if (context.overflow or context.underflow) and (is_step or is_extreme):
            return None if is_bounded and not is_step else Answer("unknown")
        if value == 0 and not context.inexact:
            return Answer("exact", kind="representable") if grid != "nearest" else None
        if value == 0 or not gmpy2.is_finite(shorter):
            result = Answer("unknown")
            continue
        errors = [gmpy2.get_exp(value) - precision - 56] + [gmpy2.get_exp(value - shorter)] * (value != shorter)
        result = measured(value, max(errors) if context.inexact else None, numbers, grid, bits, is_bounded)
        if not result or result.type in ("case", "exact", "edge"):
            return result
    return result
