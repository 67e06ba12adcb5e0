"""Statistics against numbers that were summed in decimals of 60 digits, or are in tables."""

import unittest

from made_up import job_on
from tmd.chance import chi_square, expected, expected_at_extrema, poisson_p


class ChanceTest(unittest.TestCase):
    def test_poisson(self):
        for count, mean, p in (
            (0, 0, 1),
            (0, 3, 9.957413673573e-02),
            (3, 3, 1),
            (10, 3, 2.204976260231e-03),
            (5, 20, 1.438176810569e-04),
            (64, 64, 1),
            (243, 256, 4.370217007652e-01),
            (600, 512, 1.624697236221e-04),
            (20, 0.5, 4.870930859851e-25),
            (1000, 1200, 3.106293964228e-09),
        ):
            self.assertAlmostEqual(poisson_p(count, mean) / p, 1, 9, (count, mean))

    def test_chi_square(self):
        # The 5 % points of the tables: 3.841 with one degree of freedom, 18.307 with ten.
        total, degrees, p = chi_square([(100 + 10 * 1.9599, 100)])
        self.assertAlmostEqual(total, 3.8412, 3)
        self.assertEqual(degrees, 1)
        self.assertAlmostEqual(p, 0.05, 4)
        counts = [(100 + 10 * 18.307**0.5, 100)] + 9 * [(100, 100)]
        self.assertAlmostEqual(chi_square(counts)[2], 0.05, 5)
        self.assertEqual(chi_square([]), (0, 0, 1.0))
        self.assertEqual(chi_square([(3, 0)])[1], 0)

    def test_expectations(self):
        job = job_on("0x1p+0", "0x1p+1")
        self.assertEqual(expected(job, job.first, job.end, 0), 512)
        self.assertEqual(expected(job, job.first, job.end, 2**51), 256)
        # doc/theory/method.md: 7.2 cases a binade of sin and cos in binary64 with K = 44, far from 0; none where no
        # extremum is.
        for function in ("sin", "cos"):
            far = job_on("0x1p+100", "0x1p+101", function=function)
            self.assertAlmostEqual(expected_at_extrema(far, far.first, far.end), 7.2, 1)
        below = job_on("0x1p-1022", "0x1p-1021", function="cos")
        self.assertEqual(expected_at_extrema(below, below.first, below.end), 0)
        near = job_on("0x1p+0", "0x1p+1", function="sin")  # π/2 is there
        self.assertGreater(expected_at_extrema(near, near.first, near.end), 7)
        nearest = job_on("0x1p+100", "0x1p+101", function="sin", rounding="nearest")
        self.assertEqual(expected_at_extrema(nearest, nearest.first, nearest.end), 0)
        self.assertEqual(expected_at_extrema(job, job.first, job.end), 0)


if __name__ == "__main__":
    unittest.main()
