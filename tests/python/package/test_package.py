"""The package tmd as its users have it: imported from where pip has installed it. tests/python/package.sh runs this."""

import contextlib
import importlib.util
import io
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

import numpy as np

import tmd

# Without a device, searches cannot be tested.
try:
    DEVICES = [device for device in tmd.devices() if not device.unusable]
except tmd.DeviceError:
    DEVICES = []
PAPERS = {"argument_precision": 54, "rounding": "directed"}


def papers(less=0, **options):
    """2^40 arguments of the papers, with 243 cases; or the first 2^(40 - less) of them."""
    return tmd.search("exp", 1, f"1+2^-{13 + less}", bits=33 - less, **PAPERS, **options)


class WithoutDevice(unittest.TestCase):
    def test_all_names_are_there(self):
        for name in tmd.__all__:
            self.assertTrue(hasattr(tmd, name), name)
        with self.assertRaises(AttributeError):
            tmd.nothing

    def test_functions(self):
        by_name = {function.name: function for function in tmd.functions()}
        self.assertEqual(by_name["log"].domain, "x > 0")

    def test_a_value(self):
        value = tmd.show("exp", 1.0000000000729923)
        self.assertEqual(value.x, "0x1.0000000050418p+0")
        self.assertAlmostEqual(value.nearest.bits, 22.0988, 4)
        self.assertEqual(value.rounded["upward"], "0x1.5bf0a8b1b28adp+1")
        self.assertEqual(tmd.show("exp", 0).nearest.kind, tmd.EXACT)

    def test_errors_are_of_their_kinds(self):
        with self.assertRaisesRegex(tmd.UsageError, "expo"):
            tmd.search("expo", 1, 2)
        with self.assertRaises(tmd.OptionError):
            tmd.search("exp", 1, 1)
        with self.assertRaisesRegex(TypeError, "colour"):
            tmd.search("exp", 1, 2, colour="red")
        self.assertTrue(issubclass(tmd.FaultError, tmd.DeviceError) and issubclass(tmd.DeviceError, tmd.Error))

    def test_arguments_are_written_exactly(self):
        case = (0.0, 0.0, 0x18000000000000, -53, True, False, 0)
        self.assertEqual(tmd.hex_of(case), "-0x1.8p-1")
        self.assertEqual(tmd.hex_of((0.0, 0.0, 1, 3, False, False, 0)), "0x1p+3")
        self.assertEqual(tmd.hex_of((0.0, 0.0, (1 << 64) - 1, 0, False, False, 0)), "0x1.fffffffffffffffep+63")

    def test_a_math_library(self):
        calls = [call for call in tmd.libm("exp", "libm.so.6", [0, 1000.0], symbol="cos") if call.direction == "nearest"]
        self.assertEqual([call.verdict for call in calls], ["correct", "misrounded"])
        self.assertEqual(calls[0].returned, "0x1p+0")

    def test_published_lists(self):
        folder = Path(os.environ["TMD_TESTS"]).parent / "results" / "binary64"
        result = tmd.read(folder / "asinpi.wc.xz")
        self.assertEqual(result.job.function, "asinpi")
        self.assertGreater(len(result.cases), 100)


@unittest.skipUnless(DEVICES, "no usable device")
class Searches(unittest.TestCase):
    def test_cases_come_once_and_are_an_array(self):
        told = []
        search = papers(progress=told.append)
        cases = list(search)
        self.assertEqual(len(cases), 243)
        self.assertEqual(list(search), cases)
        array = search.cases
        self.assertEqual(array.dtype, tmd.CASE)
        self.assertEqual(sorted(case.significand for case in cases), sorted(array["significand"].tolist()))
        self.assertTrue((np.diff(array["bits"]) <= 0).all())
        np.testing.assert_array_equal(array["x"], np.ldexp(array["significand"].astype(float), array["exponent"]))
        self.assertEqual(search.result().missing, 0)
        self.assertEqual(told[-1].total, 2**40)

    def test_two_at_once(self):
        first, second = papers(8), papers(8)
        self.assertEqual(second.cases.tolist(), first.cases.tolist())

    def test_other_threads_run_meanwhile(self):
        search = papers()
        thread = threading.Thread(target=search.result)
        thread.start()
        thread.join(60)
        self.assertFalse(thread.is_alive())

    def test_cancelled(self):
        with tmd.search("exp", 1, 2, bits=44) as search:
            next(iter(search))
            search.cancel()
            result = search.result()
        self.assertTrue(result.cancelled)
        self.assertGreater(result.missing, 0)

    def test_control_c_ends_a_search(self):
        script = "import tmd\nfor case in tmd.search('exp', 1, 2, bits=44): print(case.x, flush=True)"
        child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        child.stdout.readline()
        child.send_signal(signal.SIGINT)
        _, errors = child.communicate(timeout=60)
        self.assertIn("KeyboardInterrupt", errors)
        self.assertNotEqual(child.returncode, 0)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            wc, jsonl = Path(folder) / "exp.wc", Path(folder) / "exp.jsonl"
            found = papers(8, wc=wc, json=jsonl).result()
            again = tmd.read(jsonl)
            np.testing.assert_array_equal(again.cases["significand"], found.cases["significand"])
            np.testing.assert_allclose(again.cases["bits"], found.cases["bits"], atol=1e-4)
            self.assertEqual(again.job, found.job)
            self.assertEqual(list(tmd.read(folder)), ["exp"])
            self.assertTrue(tmd.verify(jsonl).ok)
            jsonl.write_text(re.sub(r'"bits":\d+\.', '"bits":60.', jsonl.read_text(), count=1))
            self.assertFalse(tmd.verify(jsonl).ok)
            records = tmd.check("exp", wc, "--values-only")
            self.assertEqual(records[0]["type"], "check")
            with self.assertRaises(tmd.UsageError):
                tmd.check("expo", wc)

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "no matplotlib")
    def test_what_the_manual_says(self):
        manual = (Path(os.environ["TMD_TESTS"]).parent / "doc" / "guide" / "python.md").read_text()
        names = {}
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            for block in re.findall(r"```python\n(.*?)```", manual, re.DOTALL):
                exec(block, names)
        self.assertIn("243 cases, the hardest of 45.49", printed.getvalue())
        self.assertIn("<svg", Path("exp.svg").read_text())

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "no matplotlib")
    def test_the_notebook_prints_what_stands_in_it(self):
        import matplotlib

        matplotlib.use("agg")
        notebook = json.loads((Path(os.environ["TMD_TESTS"]).parent / "doc" / "hard-cases.ipynb").read_text())
        names = {}
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                with contextlib.redirect_stdout(io.StringIO()) as printed:
                    exec("".join(cell["source"]), names)
                told = [line for output in cell["outputs"] for line in output.get("text", [])]
                self.assertEqual(printed.getvalue(), "".join(told))

    def test_estimate(self):
        estimate = tmd.estimate("exp", 1, 2, bits=44)
        self.assertEqual(estimate.arguments, 2**52)
        self.assertGreater(estimate.seconds, 0)

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "no pandas")
    def test_pandas(self):
        frame = papers(8).result().to_pandas()
        self.assertEqual(list(frame.columns), list(tmd.CASE.names))

    @unittest.skipUnless(importlib.util.find_spec("pyarrow"), "no pyarrow")
    def test_parquet(self):
        import pyarrow.parquet

        result = papers(8).result()
        with tempfile.TemporaryDirectory() as folder:
            result.to_parquet(Path(folder) / "exp.parquet")
            table = pyarrow.parquet.read_table(Path(folder) / "exp.parquet")
        self.assertEqual(table["x"].to_pylist(), result.cases["x"].tolist())
        self.assertEqual(table.schema.metadata[b"tmd"].decode(), result.job.identity)


if __name__ == "__main__":
    unittest.main()
