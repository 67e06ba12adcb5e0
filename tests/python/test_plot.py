"""A search as a figure: what is drawn, where arguments stand, and that matplotlib takes it."""

import math
import unittest

from made_up import FORMATS, found, job_on, result_of, some_result, whole_job
from tmd import comparison
from tmd.axis import ArgumentAxis
from tmd.errors import UsageError
from tmd.plot import PANELS, SearchFigure, draw
from tmd.result_page import data_of
from tmd.results import Result


def many_cases(job, count):
    """Cases evenly over the range."""
    result = Result(job, job.record, covered=job.range)
    for i in range(count):
        rank = job.first + (job.end - job.first) // count * i
        kind = ("midpoint", "representable")[i % 2]
        result.cases.append(found(job, job.numbers.hex(rank), job.bits + i % 64 / 8, kind))
    return result.sort()


class AxisTest(unittest.TestCase):
    def test_arguments_stand_as_far_along_as_there_are_arguments_before_them(self):
        job = job_on("0x1p-3", "0x1p+3")
        axis = ArgumentAxis(job)
        self.assertEqual(axis.binades, 6)
        self.assertEqual((axis.position(job.first), axis.position(job.end)), (0, 1))
        self.assertEqual(axis.position(job.numbers.rank("0x1p+0")), 0.5)
        self.assertAlmostEqual(axis.position(job.numbers.rank("0x1.8p-1")), 2.5 / 6)
        self.assertAlmostEqual(ArgumentAxis(whole_job("binary64")).position(0), 0.5)

    def test_ticks_are_powers_of_two_or_hex_floats_where_the_range_is_short(self):
        def labels(job):
            return [label for _, label in ArgumentAxis(job).ticks()]

        powers = ["$2^{-3}$", "$2^{-2}$", "$2^{-1}$", "$1$", "$2^{1}$", "$2^{2}$", "$2^{3}$"]
        self.assertEqual(labels(job_on("0x1p-3", "0x1p+3")), powers)
        self.assertEqual(labels(job_on("0x1p+0", "0x1p+1")), ["0x1p+0", "0x1.4p+0", "0x1.8p+0", "0x1.cp+0", "0x1p+1"])
        self.assertEqual(labels(job_on("-0x1p+1", "-0x1p+0"))[0], "-0x1p+1")
        self.assertEqual(labels(whole_job("binary64"))[:5], ["$-2^{1000}$", "$-2^{500}$", "$-1$", "$-2^{-500}$", "0"])
        self.assertEqual(len(labels(job_on("0x1p+0", "0x1.0000000000001p+0"))), 2)
        for form in FORMATS:
            ticks = ArgumentAxis(whole_job(form)).ticks()
            self.assertTrue(5 <= len(ticks) <= 14, form)
            self.assertTrue(all(b[0] - a[0] >= 0.02 for a, b in zip(ticks, ticks[1:])), form)


class PlotTest(unittest.TestCase):
    def test_cases_with_at_least_k_bits_beside_what_chance_gives(self):
        result = some_result()  # 2^52 arguments, K = 44
        figure = SearchFigure(result)
        self.assertEqual(figure.steps().tolist(), [[45, 2], [53.9922, 1]])
        band = figure.band()
        self.assertGreater(len(band), 100)
        self.assertEqual(band[0].tolist(), [44, 512, 512 - 2 * math.sqrt(512), 512 + 2 * math.sqrt(512)])
        self.assertTrue((band[:, 2] <= band[:, 1].clip(0.5)).all())
        # Chance says nothing about ranges that are known as a whole.
        job = result.job
        result.ranges = [((job.first, (job.first + job.end) // 2), {"cases": "none"})]
        self.assertEqual(SearchFigure(result).band()[0][1], 256)

    def test_a_page_denies_no_case_that_it_does_not_list(self):
        result = some_result()
        job = result.job
        middle = (job.first + job.end) // 2
        result.ranges = [((job.first, middle), {"cases": "some", "count": 3}), ((middle, job.end), {"cases": "all"})]
        data = data_of(result, [])
        in_hex = job.numbers.hex
        self.assertEqual(data["some"], [[in_hex(job.first), in_hex(middle)]])
        self.assertEqual(data["ranges"], [[in_hex(middle), in_hex(job.end)]])
        self.assertEqual([one[2] for one in data["cases"]], [53.9922, 45])

    def test_where_the_cases_are_and_what_is_true_of_ranges(self):
        result = some_result()
        job = result.job
        result.exact = [found(job, "0x1.4p+0", math.inf)]
        result.undecided = [found(job, "0x1.2p+0", math.inf)]
        figure = SearchFigure(result)
        points = figure.points()
        self.assertEqual(points[0], (0.5, 45, "#2060a0")) # the hardest come last
        self.assertAlmostEqual(points[1][0], 0.6744, 4)
        self.assertEqual(points[1][1:], (53.9922, "#c05020"))
        self.assertEqual((figure.marks(result.exact), figure.marks(result.undecided)), ([0.25], [0.125]))
        self.assertEqual(figure.missing(), [])
        quarter = (job.end - job.first) // 4
        ends = [job.first + i * quarter for i in range(5)]
        result.ranges = [((ends[0], ends[1]), {"cases": "none"}), ((ends[1], ends[2]), {"cases": "all"})]
        result.covered = [(ends[0], ends[3])]
        figure = SearchFigure(result)
        self.assertEqual(figure.boxes(figure.ranges_of("none")), [(0, 0.25)])
        self.assertEqual(figure.boxes(figure.ranges_of("all")), [(0.25, 0.5)])
        self.assertEqual(figure.boxes(figure.missing()), [(0.75, 1)])
        self.assertIn("75.00 % covered, 25.00 % in ranges of cases; 1 undecided", figure.heading()[2])

    def test_a_figure_stays_small_however_many_cases_and_ranges_there_are(self):
        job = whole_job("binary64")
        result = many_cases(job, 100000)
        step = (job.end - job.first) // 100000
        ranges = [(job.first + step * i, job.first + step * i + 1000) for i in range(100000)]
        figure = SearchFigure(result)
        self.assertLess(len(figure.steps()), 3000)
        self.assertTrue(5000 < len(figure.points()) < 90000)
        self.assertLess(len(figure.boxes(ranges)), 1000)
        # No visible step is lost: first and last are drawn.
        positions = [x for x, _, _ in figure.points()]
        self.assertLess(min(positions), 0.001)
        self.assertGreater(max(positions), 0.999)

    def test_cases_with_a_thousand_bits_do_not_press_the_others_together(self):
        result = some_result()
        result.cases[0].bits = 1074
        figure = SearchFigure(result)
        self.assertTrue(60 < figure.points()[-1][1] < 70)  # 53 bits by chance, and some beyond
        self.assertIn(b"(at the edge: ", draw(result, PANELS, "svg"))

    def test_times_of_devices_are_all_there(self):
        result = some_result()
        result.times = {"wide_groups": {"seconds": 2.5}, "differences": {"seconds": 9}, "phase1": {"seconds": 0},
                        "idle": {"seconds": 1.5, "kernels": 1.25, "host": 0.25, "other": 0}}  # fmt: skip
        self.assertEqual(
            SearchFigure(result).times(),
            [("wide test", 2.5, False), ("idle, for kernels", 1.25, True), ("idle, for the host", 0.25, True)],
        )
        self.assertIn(b"62.5 % busy", draw(result, ["time"], "svg"))
        with self.assertRaisesRegex(UsageError, "does not say what its devices did"):
            draw(some_result(), ["time"], "svg")

    def test_matplotlib_draws_it_all(self):
        for job in (some_result().job, whole_job("binary16"), whole_job("binary80"), job_on("0x1p+0", "0x1.008p+0")):
            for count in (0, 2, 1000):
                svg = draw(many_cases(job, count), PANELS, "svg").decode()
                for words in ("Cases with at least k bits", "Cases over the range", "</svg>"):
                    self.assertIn(words, svg)
        result = result_of(job_on("0x1p+0", "0x1p+1", function="exp(x)$1"))
        result.covered = []
        self.assertIn(b"not searched", draw(result, PANELS, "svg"))
        self.assertTrue(draw(result, PANELS, "png").startswith(b"\x89PNG"))
        self.assertTrue(draw(result, PANELS, "pdf").startswith(b"%PDF-"))
        self.assertEqual(draw(some_result(), PANELS, "svg"), draw(some_result(), PANELS, "svg"))


def cell(device, mode, algorithm, seconds, gain=None):
    return {"type": "cell", "device": device, "algorithm": algorithm, "cpu_mode": {"asked": mode}, "deployment": "three",
            "state": "done", "seconds": {"device": seconds}, "gain": gain}  # fmt: skip


class ComparisonTest(unittest.TestCase):
    HEAD = {"job": "exp on [1, 2), don't panic: $x$", "devices": [
        {"index": 0, "name": "Some CPU", "platform": "Some platform"},
        {"index": 3, "name": "Some GPU (with a long name, as drivers give them)", "platform": "Other platform"}]}  # fmt: skip

    def cells(self):
        return [cell(0, "scalar", "regular", 4, 2), cell(0, "scalar", "lefevre", 8), cell(0, "vector", "regular", 2, 3),
                cell(0, "vector", "lefevre", 6), cell(3, "auto", "regular", 0.5, 5), cell(3, "auto", "lefevre", 2.5)]  # fmt: skip

    def test_bars_stand_in_groups_lefevres_first(self):
        groups, places = comparison.lay_out(self.cells())
        self.assertEqual(comparison.algorithms_of(self.cells()), ["lefevre", "regular"])
        self.assertEqual([label for _, label, _ in groups], ["scalar", "vector", "auto"])
        for place, wanted in zip(places, (1.0, 0.0, 3.8, 2.8, 7.4, 6.4)):
            self.assertAlmostEqual(place, wanted)

    def test_gains_failures_and_names_are_drawn(self):
        svg = comparison.draw(self.HEAD, self.cells(), "svg").decode()
        for words in ("2.0x", "3.0x", "5.0x", "don't panic", "Some GPU", "scalar"):
            self.assertIn(words, svg)
        self.assertNotIn("logarithmic", svg)
        cells = self.cells()
        cells[3]["state"] = "failed"
        cells[4]["seconds"]["device"] = 1e-4
        svg = comparison.draw(self.HEAD, cells, "svg").decode()
        self.assertIn("failed", svg)
        self.assertIn("(logarithmic)", svg)
        for one in cells:
            one["state"] = "waiting"
        self.assertIn("not run", comparison.draw(self.HEAD, cells, "svg").decode())


if __name__ == "__main__":
    unittest.main()
