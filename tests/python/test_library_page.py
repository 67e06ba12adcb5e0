"""The page of a math library: which functions are on it, what its cells say, and that its form is sound."""

import json
import unittest
from html.parser import HTMLParser

import numpy
from tmd import library_page
from tmd.errors import UsageError

DIRECTIONS = ("nearest", "upward")
BINS = [0, 0.25, 0.5, 0.501, 1]


def records(symbol="exp", misrounded=3, more=(), **summary):
    """A function with one binade and a fault."""
    head = {"type": "library", "schema": 2, "version": "0", "commit": None, "kernels": "0", "foreign_kernels": False,
            "function": "exp", "library": "libm<a>.so", "symbol": symbol, "format": "binary64", "list": None,
            "search": None, "seed": 7}  # fmt: skip
    fault = {"type": "fault", "kind": "misrounded", "x": "0x1p+0", "rounding": "nearest", "result": "0x1p+1",
             "expected": "0x1.8p+1", "error": -0.75}  # fmt: skip
    binade = {"type": "binade", "exponent": None, "results": [10, 10], "misrounded": [0, 2 * misrounded]}
    directions = [
        {"rounding": one, "arguments": 20, "misrounded": misrounded, "lost": 0, "undecided": 0,
         "largest_error": -0.75 if misrounded else None, "x": "0x1p+0", "errors": [0, 0, 0, misrounded, 0]}
        for one in DIRECTIONS
    ]  # fmt: skip
    end = {"type": "summary", "directions": directions, "error_bins": BINS, "degrees": [], **summary}
    middle = [fault, binade] if misrounded else []
    return "".join(json.dumps(one, separators=(",", ":")) + "\n" for one in [head, *middle, *more, end])


class Form(HTMLParser):
    """Fails where an element is closed that is not open."""

    def __init__(self):
        super().__init__()
        self.open, self.names, self.targets = [], set(), set()

    def handle_starttag(self, tag, attributes):
        keys = dict(attributes)
        self.names.add(keys.get("id"))
        if tag == "a":
            self.targets.add(keys["href"].removeprefix("#"))
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag


class PageTest(unittest.TestCase):
    def test_functions_without_a_summary_are_left_out_and_the_last_test_of_a_function_counts(self):
        begun = records("log").splitlines()[0] + "\n"
        text = begun + records("sin", 1) + records("exp") + records("sin", 2) + begun
        functions = library_page.tested_functions(text)
        self.assertEqual([one.name for one in functions], ["exp", "sin"])
        self.assertEqual(functions[1].misrounded(), 4)
        with self.assertRaises(UsageError):
            library_page.tested_functions(begun)

    def test_html_is_well_formed_and_names_are_escaped(self):
        functions = library_page.tested_functions(records() + records("sin", 0, correct=True))
        text = library_page.page_of(functions, "html")
        form = Form()
        form.feed(text)
        self.assertEqual(form.open, [])
        self.assertLessEqual(form.targets, form.names)
        self.assertIn("libm&lt;a&gt;.so", text)
        self.assertEqual(text.count("<img "), 1)
        self.assertIn("Proven to be correctly rounded", text)
        self.assertNotIn("http", text)

    def test_markdown_has_the_same_tables(self):
        broken = records(promise={"text": "0.6", "broken": 3, "x": "0x1p+0"})
        text = library_page.page_of(library_page.tested_functions(broken + records("sin")), "md")
        self.assertIn("| [exp](#exp) | 20 | 3 | 0.75 | 3 | 0.75 | 0 | 0.6: broken |", text)
        self.assertIn("Promise 0.6: broken at 3 arguments, the least of them `0x1p+0`.", text)
        self.assertIn("| nearest | `0x1p+0` | `0x1p+1` | `0x1.8p+1` | -0.75 |", text)

    def test_the_share_of_a_place_is_of_all_results_there_and_numbers_where_these_are_not_known(self):
        binades = [
            {"exponent": None, "results": [4, 8], "misrounded": [0, 4]},
            {"exponent": 1, "results": [4, 8, 5], "misrounded": [2]},
        ]
        table, first = library_page.shares_of(binades, 2, True)
        self.assertEqual(first, 0)
        numpy.testing.assert_array_equal(table, [[numpy.nan, 0.25], [0.25, numpy.nan]])
        table, _ = library_page.shares_of(binades, 2, False)
        numpy.testing.assert_array_equal(table, [[numpy.nan, 2], [4, numpy.nan]])


if __name__ == "__main__":
    unittest.main()
