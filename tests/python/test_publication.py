"""What is published: blocks that come together, lists that fit, records that are read again, pages."""

import unittest

from made_up import as_text, job_on, result_of
from tmd.errors import UsageError
from tmd.pages import function_page, in_groups, results_page, rows_of
from tmd.publication import (
    add_result,
    block_of,
    list_text,
    pack,
    publication_name,
    publication_text,
    read_publication,
)

TALLY = {"from": "-0x1.ffcp+15", "to": "0x1p+16", "symmetry": None, "scaling": None, "decisive": None}


def binade(first, last, cases=0, fair=True, exact=0):
    return {
        "type": "binade",
        "first": first,
        "last": last,
        "cases": cases,
        "midpoints": 0,
        "exact": str(exact),
        "fair": fair,
    }


def searched(first, end, cases, binades, **keys):
    job = job_on(first, end, "binary16", **{"bits": 6, "values": "format", **keys})
    result = result_of(job, cases)
    result.seconds = 0.25
    return result, block_of(result, binades)


def one_half():
    cases = [("0x1.8p+0", 9.5, "midpoint"), ("0x1.4p+0", 7.25, "representable"), ("0x1.6p+0", 6.5, "representable")]
    return searched("0x1p+0", "0x1p+1", cases, [binade("0x1p+0", "0x1.ffcp+0", 3)])


def other_half():
    return searched("0x1p+1", "0x1p+2", [("0x1.8p+1", 8.0, "midpoint")], [binade("0x1p+1", "0x1.ffcp+1", 1)])


def published(*halves, before=None, most_bytes=200_000, tally=None):
    for result, block in halves:
        listed = list(before.listed) if before else []
        before = add_result(before, result, block, tally or TALLY, lambda kept=listed: kept, most_bytes)
    return before


class PublicationTest(unittest.TestCase):
    def test_names(self):
        def name(function, **keys):
            return publication_name(job_on("0x1p+0", "0x1p+1", function=function, values="format", **keys).record)

        self.assertEqual(name("log"), "log")
        self.assertEqual(name("rootn:3"), "rootn3")
        self.assertEqual(name("rootn:-3"), "rootn-3")
        self.assertEqual(name("sin", rounding="nearest"), "sin-nearest")
        self.assertEqual(name("log(1+exp(x))"), "log-1-exp-x")
        record = {**job_on("0x1p+0", "0x1p+1").record, "argument_precision": 54}
        self.assertEqual(publication_name(record), "exp-q54-unbounded")

    def test_blocks_come_together_in_any_order(self):
        both = published(one_half(), other_half())
        self.assertEqual(publication_text(both), publication_text(published(other_half(), one_half())))
        self.assertEqual([block.record["from"] for block in both.blocks], ["0x1p+0", "0x1p+1"])
        self.assertEqual(both.cases(), 4)
        self.assertEqual([one["x"] for one in both.hardest()], ["0x1.4p+0", "0x1.8p+0"])
        self.assertEqual([both.job.numbers.hex(rank) for rank, _ in both.listed],
                         ["0x1.4p+0", "0x1.6p+0", "0x1.8p+0", "0x1.8p+1"])  # fmt: skip
        self.assertEqual(both.job.record["job"],
                         "exp on [-0x1.ffcp+15, 0x1p+16), p = 11, e = -14 to 15, q = 11, all, K = 6")  # fmt: skip
        # A search of all blocks replaces them; one of a part of a block is refused.
        whole = searched("0x1p+0", "0x1p+2", [("0x1.8p+1", 8.0, "midpoint")], [])
        self.assertEqual(len(published(whole, before=both).blocks), 1)
        part = searched("0x1.8p+0", "0x1p+1", [], [])
        with self.assertRaisesRegex(UsageError, r"of \[0x1p\+0, 0x1p\+1\) has arguments .* such as 0x1.8p\+0"):
            published(part, before=published(one_half()))
        with self.assertRaisesRegex(UsageError, r"it is of exp on \[0x1p\+1, 0x1p\+2\), binary16 with arguments of 11 bits.* K = 7, and what is published "):
            published(searched("0x1p+1", "0x1p+2", [], [], bits=7), before=published(one_half()))

    def test_a_list_has_the_cases_from_the_least_k_that_fits(self):
        everything = published(one_half())
        self.assertEqual(everything.listed_from, 6)
        size = len(pack(list_text(everything)))
        self.assertEqual(published(one_half(), most_bytes=size).listed_from, 6)
        smaller = published(one_half(), most_bytes=size - 1)
        least = smaller.listed_from
        self.assertGreater(least, 6)
        self.assertEqual([bits for _, bits in smaller.listed], [bits for bits in (7.25, 9.5) if bits >= least])
        self.assertEqual(smaller.cases(), 3)
        nothing = published(one_half(), most_bytes=10)
        self.assertEqual((nothing.listed, nothing.listed_from), ([], 10))
        count = len(smaller.listed)
        self.assertIn(f"# Listed from K = {least}: {count} of the 3 that were found from K = 6 on.", list_text(smaller))
        # Arguments that were left out before do not come back.
        self.assertEqual(published(other_half(), before=smaller).listed_from, least)

    def test_symmetry_and_scaling_decide_the_range(self):
        half = published(one_half(), tally={**TALLY, "symmetry": "odd"})
        self.assertEqual((half.symmetry, half.job.record["from"]), ("odd", "0x0p+0"))
        self.assertIn("; x >= 0 only: f(-x) = -f(x).", list_text(half))
        tally = {**TALLY, "scaling": "f(4 x) = 2 f(x)", "decisive": [["0x1p+0", "0x1p+1"], ["0x1p+4", "0x1p+5"]]}
        scaled = published(one_half(), tally=tally)
        self.assertEqual((scaled.job.record["from"], scaled.job.record["to"]), ("0x1p+0", "0x1p+5"))
        self.assertTrue(scaled.job.record["job"].endswith(", K = 6, less what follows by f(4 x) = 2 f(x)"))
        self.assertEqual(scaled.job.size, 2048)
        self.assertIn("0x1p+0 <= x < 0x1p+1 or 0x1p+4 <= x < 0x1p+5 only: f(4 x) = 2 f(x)", list_text(scaled))
        # They stay where another result is known.
        self.assertIsNone(published(one_half(), other_half(), tally=tally).job.decisive)

    def test_records_are_read_again(self):
        both = published(one_half(), other_half())
        text = publication_text(both)
        again = read_publication(text, "x.jsonl.xz", dict)
        self.assertEqual(publication_text(again), text)
        self.assertEqual(function_page("exp", again).splitlines()[:8], function_page("exp", both).splitlines()[:8])
        lines = text.split("\n")
        for wrong, sentence in (
            ("", "line 1: it is empty"),
            (text.replace('"publication"', '"search"'), "line 1: it does not begin with a `publication` record"),
            (text.replace('"schema":2', '"schema":7'), "line 1: its records have schema 7, not 1 or 2"),
            ("\n".join([lines[0], *lines[2:]]), "line 2: it stands before the first block"),
            (text.replace('"type":"searched"', '"type":"nothing"', 1), "line 3: there is no record 'nothing'"),
            (text.replace(lines[2], lines[2][:-5]), "line 3: a record is damaged"),
            (text.replace('"first":"0x1p+0"', '"first":"1x"', 1), "line 3: a record is damaged"),
            *(
                (text.replace(lines[2], lines[2][:-1] + ',"a":' + value + "}"), "line 3: a record is damaged")
                for value in ("[" * 100000 + "]" * 100000, "1" * 10000)
            ),
        ):
            with self.assertRaises(UsageError) as caught:
                read_publication(wrong, "x.jsonl.xz", dict)
            self.assertEqual(str(caught.exception), f"'x.jsonl.xz', {sentence}")
        # Records that were published with numbers instead of digits are written with digits.
        older = text.replace('"schema":2', '"schema":1').replace('"exact":"0"', '"exact":0')
        self.assertNotEqual(older.count('"exact":0'), 0)
        self.assertEqual(publication_text(read_publication(older, "x.jsonl.xz", dict)), text)
        # A commit is kept.
        result, _ = one_half()
        result.header["commit"] = "0123456789ab-dirty"
        result.header["other_programs"] = [{"version": "0.1.0", "kernels": "fedcba9876543210", "foreign_kernels": True}]
        page = function_page("exp", published((result, block_of(result, []))))
        self.assertIn(
            "tmd 0.2.0, 0123456789ab-dirty, 0123456789abcdef<br>tmd 0.1.0, fedcba9876543210 (foreign) |", page
        )


class PagesTest(unittest.TestCase):
    def test_a_page_says_what_is_known(self):
        both = published(one_half(), other_half())
        page = function_page("exp", both)
        for line in (
            "# exp in binary16",
            "| arguments | 2048 of 63487: **partial** |",
            "| hardest, midpoint | `0x1.8p+0`, 9.5000 bits |",
            "| exact cases | 0 |",
            "| list | [exp.wc.xz](exp.wc.xz): the 4 cases from K = 6 on |",
            "| [2^0, 2^1) | 1024 | 3 | 32.0 | -5.13 | 0 | 0 |",
            "- [-0x1.ffcp+15, 0x1.ffcp-1]",
            "| [0x1p+0, 0x1p+1) | 1024 | 3 | 0.2 |  | tmd 0.2.0, 0123456789abcdef |",
        ):
            self.assertIn(line + "\n", page)
        self.assertIn("from `tmd search exp --format binary16 --bits 6`", page)
        # (3 − 32)²/32 + (1 − 32)²/32
        self.assertIn("| cases | 4, 64.0 expected; χ² = 56.3 of 2 binades, p = 5.91e-13 |", page)
        table = results_page([("exp", both)])
        self.assertIn("| [exp in binary16](binary16/exp.md) | all | 6 | **partial** | 4 | 64.0 | ", table)
        self.assertTrue(table.endswith("| 0 | 0 | 6 | 0.5 |\n"))
        again = results_page([("exp", both)], "# Lists of mine\n" + table[table.index("\n| function") :])
        self.assertTrue(again.startswith("# Lists of mine\n\n| function |"))
        self.assertEqual(results_page([("exp", both)], "# No table\n"), table)

    def test_many_binades_share_rows_fair_ones_apart(self):
        job = job_on("0x1p-100", "0x1p+100", bits=44)
        numbers = job.numbers
        binades = [
            binade(f"0x1p{e:+d}", numbers.hex(numbers.rank(f"0x1p{e + 1:+d}") - 1), 500, fair=e < 50)
            for e in range(-100, 100)
        ]
        result = result_of(job)
        publication = published(
            (result, block_of(result, binades)), tally={**TALLY, "from": "0x0p+0", "to": "0x1p+1024"}
        )
        rows = rows_of(publication)
        self.assertEqual(len(rows), 200)
        groups = in_groups(rows)
        self.assertTrue(32 < len(groups) <= 64)
        self.assertEqual(sum(one.cases for one in groups), 200 * 500)
        self.assertEqual({one.is_fair for one in groups}, {True, False})
        self.assertEqual(groups[0].name(), "[2^-100, 2^-96)")


class ResultsTest(unittest.TestCase):
    """What is read of files is tested as a user meets it, by tests/cli/plot.sh; here, journals."""

    def test_journals_count_what_was_not_revoked_and_claims_that_are_complete(self):
        import tempfile
        import zlib

        from tmd.results import read_result

        job = job_on("0x1p+0", "0x1p+2", "binary16", bits=6)

        def part(first, last, x, **keys):
            case = {"type": "case", "x": x, "bits": 7.5, "breakpoint": "midpoint"}
            return {"type": "part", "first": first, "last": last, "found": [case], "device": 0, **keys}

        claim = {"type": "claim", "claim": 0, "first": "0x1p+1", "last": "0x1p+2", "extent": 10}
        records = [
            {**job.record, "type": "journal"},
            part("0x1p+0", "0x1.4p+0", "0x1.1p+0", device=1),
            {"type": "revoked", "device": 1},
            part("0x1p+0", "0x1.8p+0", "0x1.2p+0"),
            claim,
            part("", "", "0x1.9p+1", type="claimed", claim=0, count=4),
            part("", "", "0x1.ap+1", type="claimed", claim=0, count="6"),
        ]

        def journal(some):
            lines = ""
            for number, record in enumerate(some):
                text = as_text(record)[:-2] + f',"seq":{number}'
                lines += f'{text},"crc":"{zlib.crc32(text.encode()):08x}"}}\n'
            return lines

        def read(text):
            with tempfile.NamedTemporaryFile("w", suffix=".journal") as file:
                file.write(text)
                file.flush()
                return read_result(file.name)

        complete = read(journal(records) + '{"type":"part"') # the last line is incomplete
        self.assertEqual(sorted(one.record["x"] for one in complete.cases), ["0x1.2p+0", "0x1.9p+1", "0x1.ap+1"])
        rank = job.numbers.rank
        self.assertEqual(complete.covered, [(rank("0x1p+0"), rank("0x1.8p+0")), (rank("0x1p+1"), rank("0x1p+2"))])
        self.assertEqual(len(read(journal(records[:-1])).cases), 1)
        with self.assertRaisesRegex(UsageError, "line 4: it is damaged"):
            read(journal(records).replace("0x1.2p+0", "0x1.3p+0"))
        with self.assertRaisesRegex(UsageError, "line 2: a line is missing or duplicated"):
            lines = journal(records).splitlines(keepends=True)
            read("".join(lines[:1] + lines[2:]))


if __name__ == "__main__":
    unittest.main()
