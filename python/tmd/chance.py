"""The number of cases expected by chance, and how likely counts are: chi-square and Poisson, by SciPy."""

import math
from fractions import Fraction

from scipy import stats

# Enough digits for the arguments below 2^53 at which extrema are counted.
_PI = Fraction(
    "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798"
)


def chi_square(counts):
    """(χ², degrees of freedom, p) of pairs of a count and its expectation: the chance that as many counts are together
    as far from their expectations."""
    counts = [(count, expected) for count, expected in counts if expected > 0]
    total = sum((count - expected) ** 2 / expected for count, expected in counts)
    return total, len(counts), float(stats.chi2.sf(total, len(counts))) if counts else 1.0


def poisson_p(count, mean):
    """The exact two-sided p-value of a count: twice the smaller tail, at most 1."""
    return float(min(1.0, 2 * min(stats.poisson.cdf(count, mean), stats.poisson.sf(count - 1, mean))))


def _extrema_below(function, x):
    """The number of extrema of sin or cos between 0 and x."""
    return math.floor(Fraction(x) / _PI - (Fraction(1, 2) if function == "sin" else 0))


def expected_at_extrema(job, first, end):
    """Next to an extremum at 1, sin and cos are nearer to it than d for √(d/|c|) on either side, c = 1/2·π² by phase:
    other breakpoints have their share there, this one has more. How many of the ranks of a binade are cases for that.
    """
    function = job.record["function"]
    if not has_extrema(job):
        return 0.0
    numbers = job.numbers
    nearest = min(abs(first), abs(end - 1))
    significand, unit = numbers.significand_and_unit(nearest)
    count = end - first
    if unit > 0: # more than thousands of extrema a spacing: takes as many as there is room for
        periods = count
    else:
        begin, behind = Fraction(significand) * Fraction(2) ** unit, Fraction(significand + count) * Fraction(2) ** unit
        extrema = _extrema_below(function, behind) - _extrema_below(function, begin)
        # number of arguments, for each width of a period
        periods = math.ldexp(extrema * math.pi, -unit) if extrema else 0
    spacing = -job.record["precision"] - (1 if job.record["rounding"] == "all" else 0)
    distance = 2.0 ** (spacing - job.bits)
    return periods * 2 * math.sqrt(distance / (math.pi**2 / 2))


def has_extrema(job):
    """Whether the function has extrema at 1 again and again, and 1 is a breakpoint."""
    return job.record["function"] in ("sin", "cos") and job.record["rounding"] != "nearest"


def expected(job, first, end, exact):
    """The expected number of cases in a binade that has so many exact cases."""
    return 2.0 ** (1 - job.bits) * (end - first - min(end - first, exact)) + expected_at_extrema(job, first, end)
