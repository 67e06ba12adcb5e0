"""Several machines' comparisons: which belong together, the table and the picture."""

import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from tmd import machines, program

JOB = "exp on [1, 2), p = 53"


def head(*names, job=JOB):
    devices = [{"index": i, "name": name, "platform": "Some|platform", "driver": "1"} for i, name in enumerate(names)]
    return {"type": "comparison", "schema": 2, "version": "0.2.0", "commit": None, "kernels": "0123", "foreign_kernels": False,
            "job": job, "devices": devices}  # fmt: skip


def cell(device, mode, algorithm, seconds, cases=243, state="done", deployment="three"):
    done = {"seconds": {"device": seconds}, "cases": cases, "arguments_per_second": 1e6 / seconds} if state == "done" else {}
    return {"type": "cell", "device": device, "algorithm": algorithm, "cpu_mode": {"asked": mode}, "deployment": deployment,
            "state": state, "failure": None, **done}  # fmt: skip


DOC = Path(__file__).parents[2] / "doc"


class MachinesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.cpu = self.file("cpu", head("Some CPU"), cell(0, "scalar", "wide", 0.2), cell(0, "scalar", "lefevre", 2),
                             cell(0, "vector", "wide", 0.1), cell(0, "vector", "lefevre", None, state="failed"))  # fmt: skip
        self.card = self.file("card", head("Other CPU", "Some $GPU$"), cell(1, "auto", "wide", 0.0001239))

    def file(self, name, *records):
        path = self.folder / f"{name}.jsonl"
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
        return str(path)

    def run_main(self, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = machines.main([str(one) for one in arguments])
        return status, out.getvalue(), err.getvalue()

    def test_rows_of_all_machines_the_fastest_first(self):
        status, out, _ = self.run_main(self.cpu, self.card)
        self.assertEqual(status, 0)
        rows = [line.split(" | ") for line in out.split("\n") if line.startswith("| c")]
        self.assertEqual([row[0] for row in rows], ["| card", "| cpu", "| cpu"])
        self.assertEqual(rows[0][1:], [r"Some $GPU$ (Some\|platform)", "auto", "", "124 µs", "8.07e+09", "1.61e+03 |"])
        self.assertEqual([row[2:5] for row in rows[1:]], [["vector", "failed", "100 ms"], ["scalar", "2.00 s", "200 ms"]])
        self.assertIn(f"{JOB}: 243 cases everywhere\n", out)

    def test_other_searches_and_other_files_are_refused(self):
        other = self.file("other", head("Some CPU", job="log on [1, 2)"), cell(0, "scalar", "wide", 1))
        none = self.file("none", {"type": "search"})
        for files, sentence in (
            ([self.cpu, other], "'other' is of another search than 'cpu': log on [1, 2)\n"),
            ([none], "no records of a comparison"),
            ([self.folder / "missing.jsonl"], "cannot read"),
            ([self.cpu, "--plot", "figure.gif"], "must end in .svg, .png or .pdf"),
        ):
            status, out, err = self.run_main(*files)
            self.assertEqual((status, out), (2, ""))
            self.assertIn(sentence, err)
            self.assertEqual(err.count("\n"), 1)

    def test_machines_that_find_other_cases_are_not_trusted(self):
        wrong = self.file("wrong", head("Some CPU"), cell(0, "scalar", "wide", 1, cases=242))
        status, out, _ = self.run_main(self.cpu, wrong)
        self.assertEqual(status, 4)
        self.assertIn("trust none", out)

    def test_deployments_are_told_apart_where_there_are_two(self):
        both = self.file("both", head("Some CPU"), cell(0, "scalar", "wide", 1), cell(0, "scalar", "wide", 2, deployment="one"))
        self.assertIn("| scalar, one |", self.run_main(both)[1])

    def test_the_picture_names_machines_and_times(self):
        figure = self.folder / "figure.svg"
        self.run_main(self.cpu, self.card, "--plot", figure)
        svg = figure.read_text()
        for words in ("card, auto", "cpu, vector", "Some $GPU$", "124 µs", "failed", "lefevre"):
            self.assertIn(words, svg)

    def test_the_table_of_the_documentation_is_that_of_its_files(self):
        table = machines.Machines(sorted((DOC / "machines").glob("*.jsonl"))).table()
        self.assertIn(table, (DOC / "performance.md").read_text(), f"doc/performance.md wants this table:\n{table}")

    def test_the_program_hands_files_over_and_nothing_else(self):
        for arguments, ours in (
            (["compare", "a.jsonl", "b.jsonl"], True),
            (["compare", "--json", "a.jsonl"], False),
            (["search", "a.jsonl"], False),
            (["compare"], False),
        ):
            with contextlib.ExitStack() as patches:
                called = patches.enter_context(mock.patch.object(machines, "main", return_value=0))
                patches.enter_context(mock.patch.object(program.sys, "argv", ["tmd", *arguments]))
                patches.enter_context(mock.patch.object(program, "path", return_value="tmd"))
                patches.enter_context(mock.patch.object(program.os, "execv"))
                patches.enter_context(contextlib.suppress(SystemExit))
                program.main()
            self.assertEqual(called.called, ours, arguments)


if __name__ == "__main__":
    unittest.main()
