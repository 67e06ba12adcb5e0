"""Ranks, hex floats and sets of ranges."""

import math
import random
import unittest

from made_up import FORMATS
from tmd.numbers import Numbers, complement, intersection, size, union


class NumbersTest(unittest.TestCase):
    def test_hex_floats_are_those_of_python(self):
        numbers = Numbers(*FORMATS["binary64"])
        for text in ("0x1p+0", "0x1.8p-1022", "0x1p-1074", "-0x1.fffffffffffffp+1023", "0x1.0000000000001p+5"):
            self.assertEqual(numbers.hex(numbers.rank(text)), text)
        previous = None
        for x in sorted(
            random.Random(1).uniform(-1, 1) * 2.0 ** random.Random(i).randint(-1070, 1000) for i in range(500)
        ):
            rank = numbers.rank(x.hex())
            self.assertEqual(float.fromhex(numbers.hex(rank)), x)
            self.assertTrue(previous is None or previous <= rank)
            previous = rank

    def test_ranks_count_the_numbers(self):
        numbers = Numbers(*FORMATS["binary64"])
        self.assertEqual(numbers.rank("0x0p+0"), 0)
        self.assertEqual(numbers.rank("0x1p-1074"), 1)
        self.assertEqual(numbers.rank("-0x1p-1074"), -1)
        self.assertEqual(numbers.rank("0x1p+1") - numbers.rank("0x1p+0"), 2**52)
        self.assertEqual(numbers.rank("0x1p+1024"), numbers.end)
        for wrong in ("0x1.00000000000001p+0", "0x1p+1025", "-0x1p+1024", "1.5", "0x1p-1075", "x"):
            with self.assertRaises(ValueError):
                numbers.rank(wrong)
        for form in FORMATS.values():
            numbers = Numbers(*form)
            for rank in list(range(1 - numbers.end, numbers.end, max(1, numbers.end // 97))) + [0, 1, numbers.end - 1]:
                self.assertEqual(numbers.rank(numbers.hex(rank)), rank)

    def test_binades(self):
        numbers = Numbers(*FORMATS["binary16"])
        self.assertEqual(numbers.exponent(numbers.rank("-0x1.8p+3")), 3)
        self.assertEqual(numbers.exponent(numbers.rank("0x1p-24")), -15)
        self.assertEqual(numbers.significand_and_unit(numbers.rank("0x1.8p+0")), (0x600, -10))


class RangesTest(unittest.TestCase):
    def test_sets_of_ranges_are_sets(self):
        chance = random.Random(7)
        for _ in range(300):
            one, other = (
                [tuple(sorted(chance.sample(range(30), 2))) for _ in range(chance.randint(0, 4))] for _ in "ab"
            )
            as_set = lambda ranges: {x for first, end in ranges for x in range(first, end)}  # noqa: E731
            self.assertEqual(as_set(union(one)), as_set(one))
            self.assertEqual(as_set(complement(one, other)), as_set(other) - as_set(one))
            self.assertEqual(as_set(intersection(one, other)), as_set(one) & as_set(other))
            self.assertEqual(size(union(one)), len(as_set(one)))
            self.assertTrue(all(a[1] < b[0] for a, b in zip(union(one), union(one)[1:])))
        self.assertTrue(math.isfinite(size([(0, 2**100)])))


if __name__ == "__main__":
    unittest.main()
