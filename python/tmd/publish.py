"""Adds results of whole functions, or of blocks of them, to a folder of pages.

python3 -m tmd.publish RESULT|DIR ... --into DIR [--list-bytes N] [--tmd PROGRAM]
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from .errors import UsageError, report_errors
from .pages import function_page, results_page
from .publication import (
    add_result,
    block_of,
    list_text,
    pack,
    publication_name,
    publication_text,
    read_publication,
)
from .results import plural, read_result, read_text

RECORDS, LIST = ".jsonl.xz", ".wc.xz"


def files_with(folder, endings):
    """Files sorted by their names, so that the same folders make the same pages."""
    return sorted(one for one in Path(folder).iterdir() if one.name.endswith(endings))


def result_files(names):
    """The named files, and the files in named folders."""
    files = []
    for name in names:
        found = files_with(name, (".jsonl", RECORDS)) if os.path.isdir(name) else [Path(name)]
        if not found:
            raise UsageError(f"the folder '{name}' has no result: no *.jsonl")
        files += found
    return files


def write_file(file, data):
    """Writes a file that appears complete or not at all."""
    with tempfile.NamedTemporaryFile(dir=file.parent, prefix=f".{file.name}.", delete=False) as stream:
        try:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(stream.name, 0o666 & ~mask)
            os.replace(stream.name, file)
        except BaseException:
            os.unlink(stream.name)
            raise


class Publisher:
    """A folder of pages."""

    def __init__(self, folder, list_bytes, program):
        self.folder, self.list_bytes, self.program = Path(folder), list_bytes, program

    def tally(self, *arguments):
        """The records of `tmd publish --tally`: a `tally` of the function and the job, then `binade`s of a result, or
        `case`s of a list."""
        done = subprocess.run(
            [self.program, "publish", "--tally", *map(str, arguments)], capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            lines = [line for line in done.stderr.splitlines() if line.startswith("tmd: ")]
            raise UsageError(lines[-1].removeprefix("tmd: ") if lines else f"{self.program} failed: {done.returncode}")
        return [json.loads(line) for line in done.stdout.splitlines()]

    def published(self, records):
        """The publication in a file of records; nothing if there is no such file."""
        if not records.exists():
            return None
        return read_publication(read_text(records), str(records), lambda: self.tally(records)[0])

    def add(self, file):
        """Adds a result. The file of records, which shows that the page exists, is written last."""
        tally, *binades = self.tally(file)
        result = read_result(str(file))
        header = result.job.record
        header.update({key: tally[key] for key in ("job", "values")})
        stem = self.folder / header["format"] / publication_name(header)
        records, listed = Path(f"{stem}{RECORDS}"), Path(f"{stem}{LIST}")

        def bits_of_listed():
            rank = result.job.numbers.rank
            return [
                (rank(one["x"]), one["bits"]) for one in self.tally(file, "--list", listed)[1:] if one["type"] == "case"
            ]

        before = self.published(records)
        try:
            published = add_result(before, result, block_of(result, binades), tally, bits_of_listed, self.list_bytes)
        except UsageError as error:
            raise UsageError(f"'{file}': {error}") from None
        stem.parent.mkdir(parents=True, exist_ok=True) # the folder is made only when there is something to put into it
        write_file(Path(f"{stem}.md"), function_page(stem.name, published).encode())
        write_file(listed, pack(list_text(published)))
        write_file(records, pack(publication_text(published)))
        count = sum(end - first for first, end in published.covered())
        print(
            f"{stem}.md: {plural(published.cases(), 'case')} in {plural(count, 'argument')}, listed from K = "
            f"{published.listed_from} on",
            flush=True,
        )

    def write_table(self):
        """Writes README.md with the table of all functions."""
        pages = []
        for folder in sorted(one for one in self.folder.iterdir() if one.is_dir()):
            for records in files_with(folder, RECORDS):
                pages.append((records.name.removesuffix(RECORDS), self.published(records)))
        page = self.folder / "README.md"
        before = page.read_text() if page.exists() else ""
        write_file(page, results_page(pages, before).encode())
        print(page)


@report_errors
def main(arguments):
    parser = argparse.ArgumentParser(prog="python3 -m tmd.publish", description="Adds results to a folder of pages.")
    parser.add_argument("results", nargs="+", help="a file of `tmd search --json`, or a folder of such files")
    parser.add_argument("--into", required=True, help="the folder of the pages")
    parser.add_argument("--list-bytes", type=int, default=200_000, help="most bytes of a .wc.xz")
    parser.add_argument("--tmd", default="tmd", help="the program (default: tmd)")
    asked = parser.parse_args(arguments)
    files = result_files(asked.results)
    publisher = Publisher(asked.into, asked.list_bytes, asked.tmd)
    for file in files:
        publisher.add(file)
    publisher.write_table()


if __name__ == "__main__":
    sys.exit(main())
