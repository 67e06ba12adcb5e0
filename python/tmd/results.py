"""Results of searches: the records of `tmd search --json`, journals, and the texts that describe them."""

import gzip
import json
import lzma
import re
import zlib
from dataclasses import dataclass, field

from .errors import UsageError
from .numbers import Numbers, complement, intersection, size, union

SCHEMA = 2 # integers as written; files of schema 1, whose integers are texts only beyond 2^53, are read too
DIGITS = ("arguments", "exact") # keys with texts of digits, in every record that is read and written again


def read_text(file):
    """The contents of a file, unpacked if it is xz or gzip."""
    try:
        with open(file, "rb") as stream:
            data = stream.read()
    except OSError as error:
        raise UsageError(f"cannot read '{file}': {error.strerror}") from None
    try:
        if data.startswith(b"\xfd7zXZ\0"):
            data = lzma.decompress(data)
        elif data.startswith(b"\x1f\x8b"):
            data = gzip.decompress(data)
    except (lzma.LZMAError, EOFError, OSError, zlib.error) as error:
        raise UsageError(f"cannot unpack '{file}': {error}") from None
    return data.decode("utf-8", "replace")


def read_record(number, line):
    """The record of a line, as files of the present schema have it. UsageError, with the line's number, for what is
    none."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError): # a number of thousands of digits, values within values
        raise UsageError(f"line {number}: a record is damaged") from None
    for key in DIGITS:
        if isinstance(record, dict) and isinstance(record.get(key), int):
            record[key] = str(record[key])
    return record


def records_of(text):
    """The records of a text with their lines, counted from 1: a driver may have printed other lines, which are
    passed over."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith('{"type":'):
            yield number, read_record(number, line)


def require_schema(record):
    """Raises UsageError if the first record of a file has a schema that is not read."""
    if record.get("schema") not in (1, SCHEMA):
        raise UsageError(f"its records have schema {record.get('schema', 0)}, not 1 or {SCHEMA}")


def integer(value):
    """An integer of a record; a text of digits if it can exceed 2^53."""
    return int(value)


def plural(count, what):
    return f"{count} {what}{'' if count == 1 else 's'}"


def program_text(record):
    """The version, the commit if it is known, and the kernels."""
    commit = f"{record['commit']}, " if record.get("commit") else ""
    return f"tmd {record['version']}, {commit}{record['kernels']}{' (foreign)' if record['foreign_kernels'] else ''}"


@dataclass
class Job:
    """A job, as a record describes it."""

    record: dict
    numbers: Numbers
    first: int
    end: int
    decisive: list = None # ranges that decide all others by the function's scaling, if only these are searched

    @staticmethod
    def read(record):
        """ValueError or KeyError for what is none."""
        exponents = re.search(r", e = (-?\d+) to (-?\d+), q = ", record["job"])
        if not exponents:
            raise ValueError("its job names no exponents")
        numbers = Numbers(record["argument_precision"], int(exponents[1]), int(exponents[2]))
        job = Job(record, numbers, numbers.rank(record["from"]), numbers.rank(record["to"]))
        if job.first >= job.end:
            raise ValueError("its range is empty")
        if record.get("scaling") and record.get("decisive"):
            job.decisive = [(numbers.rank(first), numbers.rank(end)) for first, end in record["decisive"]]
        return job

    @property
    def bits(self):
        return self.record["bits"]

    @property
    def range(self):
        """The ranges that are searched."""
        whole = [(self.first, self.end)]
        return intersection(self.decisive, whole) if self.decisive else whole

    @property
    def size(self):
        return size(self.range)

    def kind(self):
        """A key that is equal for jobs that differ only in their ranges."""
        keys = ("function", "format", "precision", "argument_precision", "rounding", "values", "bits")
        return tuple(self.record[key] for key in keys) + (self.numbers,)

    def values_text(self):
        return ", values as the format has them" if self.record["values"] == "format" else ""

    def describe(self):
        """The description in a list's first line, without the symmetry."""
        record = self.record
        return (
            f"{record['function']} on [{self.numbers.hex(self.first)}, {self.numbers.hex(self.end)}), "
            f"{record['format']} with arguments of {record['argument_precision']} bits, breakpoints: "
            f"{record['rounding']}{self.values_text()}, K = {self.bits}{self.describe_reduction(None)}"
        )

    def describe_reduction(self, symmetry):
        """Describes which arguments follow from others: by a symmetry, `odd` or `even`, and by scaling."""
        text = ""
        if symmetry:
            text += f"; x >= 0 only: f(-x) = {'-' if symmetry == 'odd' else ''}f(x)"
        if self.decisive:
            ranges = " or ".join(f"{self.numbers.hex(a)} <= x < {self.numbers.hex(b)}" for a, b in self.decisive)
            text += f"; {ranges} only: {self.record['scaling']}"
        return text

    def ranks(self, record):
        """The ranks [first, end) of a record that names its first and last argument."""
        first, last = self.numbers.rank(record["first"]), self.numbers.rank(record["last"])
        return min(first, last), max(first, last) + 1


@dataclass
class Found:
    """A hard, an exact or an undecided case."""

    rank: int
    bits: float # infinite unless the case is hard
    breakpoint: str
    record: dict


@dataclass
class Result:
    """The findings of a search so far."""

    job: Job
    header: dict
    cases: list = field(default_factory=list) # the hardest come first
    exact: list = field(default_factory=list) # the first exact cases, by argument, like the following lists
    unlisted_exact: int = 0 # number of the others
    undecided: list = field(default_factory=list)
    ranges: list = field(default_factory=list)  # ((first, end), record) where all are cases, or none is
    left_out: list = field(default_factory=list)
    covered: list = field(default_factory=list)
    seconds: float = None
    times: dict = field(default_factory=dict) # objects of the summary that have `seconds`: stages, `idle`

    def add(self, record):
        """Adds a `case`, `exact` or `undecided` record."""
        kind = {"case": self.cases, "exact": self.exact, "undecided": self.undecided}[record["type"]]
        bits = record["bits"] if record["type"] == "case" else float("inf")
        kind.append(Found(self.job.numbers.rank(record["x"]), bits, record["breakpoint"], record))

    def add_range(self, record):
        ranks = self.job.ranks(record)
        if ranks[0] < self.job.first or ranks[1] > self.job.end:
            raise ValueError("a range is not within that of the job")
        if record["cases"] == "not searched":
            self.left_out.append(ranks)
        else:
            self.ranges.append((ranks, record))

    def in_ranges(self, cases):
        """The number of arguments of ranges that are cases (`all`), or are none (`none`)."""
        return sum(in_range(one, cases) for one in self.ranges)

    def exact_count(self):
        """The number of all exact cases, listed or not."""
        return len(self.exact) + self.unlisted_exact

    def devices(self):
        """The names of the devices that are known."""
        one = [self.header["device"]["name"]] if self.header.get("device") else []
        return one + [other["device"]["name"] for other in self.header.get("devices", [])]

    def sort(self):
        self.cases.sort(key=lambda one: (-one.bits, one.rank))
        self.exact.sort(key=lambda one: one.rank)
        self.undecided.sort(key=lambda one: one.rank)
        return self


def in_range(ranged, cases):
    """The number of arguments of a range, ((first, end), record), that are cases (`all`), or are none (`none`)."""
    (first, end), record = ranged
    size = end - first
    among = {"all": size, "none": 0, "some": integer(record.get("count", 0))}[record["cases"]]
    return among if cases == "all" else size - among


def _check_summary(result, summary, line):
    counts = {
        "cases": (len(result.cases), "cases"),
        "exact": (result.exact_count(), "exact cases"),
        "undecided": (len(result.undecided), "undecided arguments"),
        "arguments": (size(result.covered), "arguments"),
    }
    for key, (count, what) in counts.items():
        if integer(summary[key]) != count:
            raise UsageError(f"line {line}: it says {summary[key]} {what}, but there are {count}")


def _read_search(text):
    result = summary = None
    for line, record in records_of(text):
        try:
            if record["type"] == "search" and result is None:
                require_schema(record)
                result = Result(Job.read(record), record)
            elif result is None or record["type"] == "search" or summary:
                raise ValueError("it stands where no record is to be")
            elif record["type"] in ("case", "exact", "undecided"):
                result.add(record)
            elif record["type"] == "range":
                result.add_range(record)
            elif record["type"] == "summary":
                summary = record
                result.covered = complement(result.left_out, result.job.range)
                result.seconds = record.get("seconds")
                result.times = {key: value for key, value in record.items() if _is_time(value)}
                result.unlisted_exact = integer(record["exact"]) - integer(record.get("exact_listed", record["exact"]))
                _check_summary(result, record, line)
        except (ValueError, KeyError, TypeError) as error:
            raise UsageError(f"line {line}: {_sentence(error)}") from None
    if summary is None:
        raise UsageError("there is no summary record: the file has been cut off")
    return result


def _is_time(value):
    return isinstance(value, dict) and "seconds" in value


def _sentence(error):
    return f"the key {error} is missing" if isinstance(error, KeyError) else str(error)


class _Journal:
    """Reads a journal: parts and claims of devices that were not revoked later."""

    def __init__(self):
        self.result = None
        self.claims = []  # [ranks, extent, places, found]

    def read(self, text):
        lines = text.split("\n")[:-1] # the text after the last line break is incomplete
        records = [self._checked(number, line) for number, line in enumerate(lines)]
        revoked = {one["device"]: number for number, one in enumerate(records) if one["type"] == "revoked"}
        for number, record in enumerate(records):
            try:
                if number >= revoked.get(record.get("device"), 0) or record["type"] not in ("part", "claimed"):
                    self._add(record)
            except (ValueError, KeyError, IndexError, TypeError) as error:
                raise UsageError(f"line {number + 1}: {_sentence(error)}") from None
        if self.result is None:
            raise UsageError("it is empty")
        self.result.covered = union(self.result.covered + [ranks for ranks, _ in self.result.ranges])
        return self.result

    @staticmethod
    def _checked(number, line):
        text, mark, check = line.rpartition(',"crc":"')
        if not mark or check != f'{zlib.crc32(text.encode()):08x}"}}':
            raise UsageError(f"line {number + 1}: it is damaged")
        record = read_record(number + 1, line)
        if record["seq"] != number:
            raise UsageError(f"line {number + 1}: a line is missing or duplicated")
        return record

    def _add(self, record):
        kind = record["type"]
        if kind == "journal":
            require_schema(record)
            self.result = Result(Job.read(record), record)
        elif kind == "part":
            self._found(self._ranks(record), record["found"])
        elif kind == "range":
            self.result.add_range(record)
        elif kind == "claim":
            self.claims.append([self._ranks(record), integer(record["extent"]), 0, []])
        elif kind == "claimed": # counts once the parts make up the claim
            claim = self.claims[record["claim"]]
            claim[2] += integer(record["count"])
            claim[3] += record["found"]
            if claim[2] == claim[1]:
                self._found(claim[0], claim[3])

    def _ranks(self, record):
        rank = self.result.job.numbers.rank
        return rank(record["first"]), rank(record["last"])

    def _found(self, ranks, found):
        self.result.covered.append(ranks)
        for one in found:
            self.result.add(one)


def read_result(file):
    """A file of `tmd search --json`, or a journal. UsageError, with the name, for what is neither, and for the first
    thing that is wrong with it."""
    text = read_text(file)
    try:
        if text.startswith('{"type":"journal",'):
            return _Journal().read(text).sort()
        if '{"type":"search"' in text:
            return _read_search(text).sort()
    except UsageError as error:
        raise UsageError(f"'{file}'{', ' if str(error).startswith('line ') else ': '}{error}") from None
    raise UsageError(
        f"'{file}' has no records of a search, which `tmd search --json FILE` writes; a list of arguments does not say "
        "their bits"
    )


def read_list(file):
    """The arguments of a .wc file, as they are written there."""
    return [line for line in read_text(file).split("\n") if line and not line.startswith("#")]
