"""The numbers of a format, counted: a rank is the place of a number among all, 0 that of zero.

The same as ArgumentSet in host/format/argument.hpp. Ranges are pairs of ranks, the second of which is not of the range.
"""

import re
from dataclasses import dataclass

_HEX_FLOAT = re.compile(r"(-?)0x([0-9a-f]+)(?:\.([0-9a-f]*))?p([+-]?\d+)")


@dataclass(frozen=True)
class Numbers:
    """All numbers of `precision` bits with exponents from `min_exponent` to `max_exponent`, subnormal ones too."""

    precision: int
    min_exponent: int
    max_exponent: int

    @property
    def binade(self):
        """The number of numbers in a binade."""
        return 1 << (self.precision - 1)

    @property
    def end(self):
        """The rank after that of the largest number."""
        return (self.max_exponent - self.min_exponent + 2) * self.binade

    def significand_and_unit(self, rank):
        """|x| = significand · 2^unit."""
        block, low = divmod(abs(rank), self.binade)
        unit = self.min_exponent - self.precision + 1
        return (low, unit) if block == 0 else (self.binade + low, unit + block - 1)

    def exponent(self, rank):
        """The exponent of the binade of x; for subnormal numbers and zero, min_exponent − 1."""
        block = abs(rank) // self.binade
        return self.min_exponent - 1 + block

    def hex(self, rank):
        """The number as C's %a writes it, and the records."""
        significand, unit = self.significand_and_unit(rank)
        sign = "-" if rank < 0 else ""
        if significand == 0:
            return "0x0p+0"
        bits = significand.bit_length() - 1
        digits = -(-bits // 4)
        fraction = f"{(significand - (1 << bits)) << (4 * digits - bits):0{digits}x}".rstrip("0") if digits else ""
        return f"{sign}0x1{'.' + fraction if fraction else ''}p{unit + bits:+d}"

    def rank(self, text):
        """The rank of a hex float. Raises ValueError if it is none, or not one of these numbers."""
        match = _HEX_FLOAT.fullmatch(text)
        if not match:
            raise ValueError(f"'{text}' is not a number")
        fraction = match[3] or ""
        significand = int(match[2] + fraction, 16)
        if significand == 0:
            return 0
        unit = int(match[4]) - 4 * len(fraction)
        exponent = unit + significand.bit_length() - 1
        block = max(exponent, self.min_exponent) - self.min_exponent
        shift = unit - (self.min_exponent - self.precision + 1 + block)
        if shift < 0 and significand & ((1 << -shift) - 1):
            raise ValueError(f"{text} is not a number of {self.precision} bits")
        magnitude = block * self.binade + (significand << shift if shift >= 0 else significand >> -shift)
        if magnitude > self.end or (magnitude == self.end and match[1]):
            raise ValueError(f"{text} is beyond the largest number")
        return -magnitude if match[1] else magnitude


def union(ranges):
    """The ranks of all ranges in as few ranges as possible, in order."""
    merged = []
    for first, end in sorted(ranges):
        if merged and first <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        elif first < end:
            merged.append((first, end))
    return merged


def complement(ranges, within):
    """The ranks of some ranges that are in none of others."""
    result = []
    others = union(ranges)
    for first, end in union(within):
        for other_first, other_end in others:
            if other_end <= first or other_first >= end:
                continue
            if first < other_first:
                result.append((first, other_first))
            first = other_end
        if first < end:
            result.append((first, end))
    return result


def intersection(left, right):
    """The ranks that are in both."""
    return complement(complement(right, left), left)


def size(ranges):
    """The number of ranks in ranges that have none in common."""
    return sum(end - first for first, end in ranges)
