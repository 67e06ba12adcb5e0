"""libtmd for Python: searches, results, single values, math libraries, devices.

What `import tmd` gives. Everything here needs the extension module tmd._tmd and NumPy.

Numbers are written as int, float or str; a str may be a C hex float, a decimal, a power of two (2^-30), or a sum of
these, and nothing is rounded on the way. Cases are NumPy arrays of the type CASE:

    x            float64  the argument, the nearest double where the format is wider
    bits         float64  -log2 of the distance of f(x) from the breakpoint, in spacings of breakpoints; inf unless hard
    significand  uint64   with the next two the argument exactly: +-significand * 2**exponent
    exponent     int32
    negative     bool
    midpoint     bool     the breakpoint is a midpoint of two numbers of the format, else one of these numbers
    kind         uint8    HARD, EXACT (f(x) is the breakpoint) or UNDECIDED
"""

from __future__ import annotations

import atexit
import json as _json
import logging
import os
import subprocess
import weakref
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Union

import numpy as np

from . import _tmd, program
from ._tmd import DeviceError, Error, FaultError, OptionError, SoundnessError, UsageError

Number = Union[int, float, str]

HARD, EXACT, UNDECIDED = 0, 1, 2

CASE = np.dtype(
    {
        "names": ["x", "bits", "significand", "exponent", "negative", "midpoint", "kind"],
        "formats": ["<f8", "<f8", "<u8", "<i4", "?", "?", "u1"],
        "offsets": [0, 8, 16, 24, 28, 29, 30],
        "itemsize": 32,
    }
)

_log = logging.getLogger("tmd")


class Case(NamedTuple):
    """A case; its members are those of CASE."""

    x: float
    bits: float
    significand: int
    exponent: int
    negative: bool
    midpoint: bool
    kind: int


def _text(number: Number) -> str:
    if isinstance(number, str):
        return number
    return str(int(number)) if isinstance(number, (int, np.integer)) else float(number).hex()


def _cases(packed: bytes) -> np.ndarray:
    return np.frombuffer(packed, CASE)


def _tell(remarks: list) -> None:
    for is_warning, sentence in remarks:
        _log.log(logging.WARNING if is_warning else logging.INFO, "%s", sentence)


@dataclass(frozen=True)
class Job:
    """A job, as the search understands it. start, stop: C hex floats; expected_cases: by chance."""

    identity: str
    function: str
    format: dict
    argument_precision: int
    rounding: str
    values: str
    bits: int
    start: str
    stop: str
    arguments: int
    expected_cases: float


class Range(NamedTuple):
    """Arguments start <= x < stop, all of them cases: f(x) lies next to slope * x + offset."""

    start: str
    stop: str
    arguments: int
    slope: str
    offset: str


@dataclass(frozen=True)
class Result:
    """The result of a search, or of a file.

    cases (hard ones, the hardest first), exact and undecided (by argument) are arrays of CASE; the cases of `ranges`
    are in none of them. `arguments` were searched, `missing` of the job were not. seconds: 0 where it is not known.
    """

    job: Job
    cases: np.ndarray
    exact: np.ndarray
    undecided: np.ndarray
    ranges: list[Range]
    unlisted_exact: int
    arguments: int
    missing: int
    seconds: float
    devices: list[str]
    cancelled: bool = False
    journal: str = ""

    def to_pandas(self) -> Any:
        """The hard, exact and undecided cases as a pandas.DataFrame, a column a member of CASE. Needs pandas."""
        import pandas

        return pandas.DataFrame(np.concatenate([self.cases, self.exact, self.undecided]))

    def to_parquet(self, path: Union[str, os.PathLike], **options: Any) -> None:
        """Writes them to a Parquet file; the job is in the schema's metadata. Needs pyarrow."""
        import pyarrow
        import pyarrow.parquet

        cases = np.concatenate([self.cases, self.exact, self.undecided])
        table = pyarrow.table({name: np.ascontiguousarray(cases[name]) for name in CASE.names})
        pyarrow.parquet.write_table(table.replace_schema_metadata({"tmd": self.job.identity}), path, **options)


def _result(members: dict) -> Result:
    for name in ("cases", "exact", "undecided"):
        members[name] = _cases(members[name])
    members["ranges"] = [Range(*one) for one in members["ranges"]]
    return Result(**{**members, "job": Job(**members["job"])})


class Progress(NamedTuple):
    """done of total arguments, the cases among them, and seconds since the search began."""

    done: int
    total: int
    cases: int
    seconds: float


_running: weakref.WeakSet = weakref.WeakSet()


class Search:
    """A search that runs beside the program.

    Iterating over it gives each Case once, as soon as it is confirmed, in no particular order; iterating again begins
    with the first. Ctrl-C while it is waited for ends the search, as does losing its last reference.
    """

    def __init__(self, spec: _tmd.Spec, progress: Callable[[Progress], Any] | None = None):
        self.job = Job(**_tmd.describe_job(spec)) # it also raises for mistakes, at once
        self._told = progress
        self._batches: list[np.ndarray] = []
        self._outcome: Result | None = None
        self._search = _tmd.Searching(spec)
        _running.add(self)

    def _wait(self) -> bool:
        """Waits a little for cases; false once the search has ended and all of them are there."""
        if self._outcome is not None:
            return False
        try:
            packed, remarks, ended = self._search.take(0.1)
            if packed:
                self._batches.append(_cases(packed))
            _tell(remarks)
            if self._told is not None:
                self._told(self.progress)
        except BaseException:
            self.cancel()
            raise
        if ended:
            self._outcome = _result(self._search.outcome())
        return not ended

    def __iter__(self) -> Iterator[Case]:
        index = 0
        going = True
        while going or index < len(self._batches):
            if index == len(self._batches):
                going = self._wait()
                continue
            yield from map(Case._make, self._batches[index].tolist())
            index += 1

    @property
    def progress(self) -> Progress:
        return Progress(*self._search.progress())

    def cancel(self) -> None:
        """Ends the search within about a second; result() then has the findings so far."""
        self._search.cancel()

    def result(self) -> Result:
        """Waits for the end. Raises what search() raises while it runs."""
        while self._wait():
            pass
        assert self._outcome is not None
        return self._outcome

    @property
    def cases(self) -> np.ndarray:
        """The hard cases, the hardest first, when the search has ended: an array of CASE."""
        return self.result().cases

    def __enter__(self) -> Search:
        return self

    def __exit__(self, *_: Any) -> None:
        self.cancel()


@atexit.register
def _end_all() -> None:
    for search in list(_running):
        search.cancel()


def _spec(function: str, start: Number | None, stop: Number | None, device: Any, options: dict) -> _tmd.Spec:
    spec = _tmd.Spec()
    spec.functions = [function]
    if start is not None:
        spec.start = _text(start)
    if stop is not None:
        spec.stop = _text(stop)
    if device is not None:
        spec.devices = [str(one) for one in (device if isinstance(device, (list, tuple)) else [device])]
    for name, value in options.items():
        if not hasattr(_tmd.Spec, name):
            raise TypeError(f"a search has no option {name!r}")
        if name in ("wc", "json", "journal", "profile"):
            value = os.fspath(value)
        if name == "tunables":
            value = [(key, str(one)) for key, one in dict(value).items()]
        if value is not None:
            setattr(spec, name, value)
    return spec


def search(
    function: str,
    start: Number | None = None,
    stop: Number | None = None,
    *,
    bits: int | None = None,
    device: Any = None,
    progress: Callable[[Progress], Any] | None = None,
    **options: Any,
) -> Search:
    """Searches start <= x < stop for arguments whose value is closer than 2**-bits spacings to a breakpoint.

    function: a name of functions(), or an expression in x. Without start or stop: the whole function. bits: without,
    what leaves some hundred cases a binade. device: "cpu", "gpu", an index, a part of a name, a list of these, or
    "all". progress: is called several times a second while the search is waited for.
    options: format ("binary64"), argument_precision (bits), rounding ("all", "directed", "nearest"), values
    ("unbounded", "format"), no_symmetry, shard ((index, count)); wc, json, journal (files), no_journal, by_argument,
    reproducible; algorithm, cpu_mode, profile, tunables (a dict), host_threads, audit (share of the arguments),
    most_cases, other_version. They are those of `tmd search`.

    Raises OptionError and UsageError for what is wrong with these; while it runs also DeviceError where no device is
    left, and SoundnessError where a check fails that protects the result. Remarks go to the logger "tmd".
    """
    return Search(_spec(function, start, stop, device, {"bits": bits, **options}), progress)


@dataclass(frozen=True)
class Estimate:
    """The expected cost of a search. The first six count arguments; cases: to be expected; seconds: without the start-up,
    None where why_unknown says why; is_least: so long or longer."""

    arguments: int
    without_case: int
    all_cases: int
    all_exact: int
    left_out: int
    to_search: int
    cases: float
    seconds: float | None
    is_least: bool
    devices: list[str]
    why_unknown: str


def estimate(
    function: str, start: Number | None = None, stop: Number | None = None, *, device: Any = None, **options: Any
) -> Estimate:
    """The cost of search() with these arguments, from samples that are searched for about a second. Raises as search()."""
    members, remarks = _tmd.estimate(_spec(function, start, stop, device, options))
    _tell(remarks)
    return Estimate(**members)


def read(path: Union[str, os.PathLike]) -> Any:
    """The Result in a file: JSON Lines, .wc, a journal or a published list, packed or not.

    A .wc list does not tell bits: they are inf. Of a folder, such as results/binary64, a dict of the Results of its .wc
    lists by their names. Raises UsageError for what is something else, and for the first line that is wrong.
    """
    path = Path(path)
    if not path.is_dir():
        return _result(_tmd.read(str(path)))
    files = sorted([*path.glob("*.wc"), *path.glob("*.wc.xz"), *path.glob("*.wc.gz")])
    return {file.name.split(".wc")[0]: read(file) for file in files}


@dataclass(frozen=True)
class Value:
    """f(x). nearest: the Case of the nearest breakpoint, however far, or None; rounded: by direction, C hex floats."""

    x: str
    nearest: Case | None
    rounded: dict[str, str]


def show(function: str, x: Number, **options: Any) -> Value:
    """One value: how near it is to a breakpoint, and its rounded values in every direction.

    options: format, argument_precision, rounding. Raises UsageError if x is no number of the format, or f
    has no value.
    """
    exact, nearest, rounded = _tmd.show(_spec(function, None, None, None, options), _text(x))
    return Value(exact, Case(*_cases(nearest)[0].tolist()) if nearest else None, rounded)


class Check(NamedTuple):
    """One check: verdict is "good", "failed", "note" or "not done"."""

    name: str
    looked_at: str
    verdict: str
    remark: str


class Failure(NamedTuple):
    """A mistake that a check has found; line: 0 if it is in no line."""

    check: str
    line: int
    x: str
    sentence: str


@dataclass(frozen=True)
class Verification:
    """The outcome of verify(); ok: nothing is wrong."""

    checks: list[Check]
    failures: list[Failure]

    @property
    def ok(self) -> bool:
        return not self.failures


def verify(path: Union[str, os.PathLike]) -> Verification:
    """Checks a result, and trusts nothing in it: entries by MPFR and Arb, ranges by their proofs, counts by chance.

    Searches nothing again. Raises UsageError if it is no result.
    """
    checks, failures = _tmd.verify(os.fspath(path))
    return Verification([Check(*one) for one in checks], [Failure(*one) for one in failures])


def check(function: str, path: Union[str, os.PathLike], *arguments: str) -> list[dict]:
    """Checks somebody's list of cases, as `tmd check FUNCTION LIST ARGUMENT ...` does.

    Returns its records, as doc/reference/records-checks.md has them: the last one counts what is wrong. Raises
    UsageError as the program does.
    """
    command = [program.path(), "check", function, os.fspath(path), "--json", "-", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 4):
        raise UsageError(done.stderr.partition("\n")[0].removeprefix("tmd: "))
    return [_json.loads(line) for line in done.stdout.splitlines()]


class LibmResult(NamedTuple):
    """A call of a math library at x.

    verdict: "correct", "misrounded", "undecided" or "failed"; returned, expected: C hex floats, inf, nan, or of a call
    that failed a sentence; error: in ulps, away from 0; besides: what else the call did.
    """

    x: str
    direction: str
    verdict: str
    returned: str
    expected: str
    error: float
    besides: str


def libm(function: str, library: str, arguments: Iterable[Number], **options: Any) -> list[LibmResult]:
    """Calls a library's function at each argument in every rounding direction, in a process of its own.

    library: as the dynamic linker finds it, "libm.so.6". options: symbol, format, nearest_only, patience (seconds).
    Raises UsageError for a library or symbol that cannot be loaded, and for arguments that are no numbers of the
    format.
    """
    spec = _tmd.LibmSpec()
    for name, value in {"function": function, "library": library, **options}.items():
        if not hasattr(_tmd.LibmSpec, name):
            raise TypeError(f"libm has no option {name!r}")
        setattr(spec, name, value)
    return [LibmResult(*one) for one in _tmd.libm(spec, [_text(x) for x in arguments])]


@dataclass(frozen=True)
class Device:
    """An OpenCL device; index is what search() takes, global_memory in bytes; unusable: why it is, else empty."""

    index: int
    name: str
    vendor: str
    device_class: str
    platform: str
    driver: str
    compute_units: int
    global_memory: int
    fp64: bool
    unusable: str
    profile: str


def devices() -> list[Device]:
    """The OpenCL devices. Raises DeviceError where there is no platform."""
    found, remarks = _tmd.devices()
    _tell(remarks)
    return [Device(**one) for one in found]


@dataclass(frozen=True)
class Function:
    """A function that can be searched: where it is defined, where its values are exact and by which theorem."""

    name: str
    description: str
    domain: str
    symmetry: str
    exact_cases: str
    theorem: str
    scaling: str


def functions() -> list[Function]:
    """All functions, by name."""
    return [Function(**one) for one in _tmd.functions()]


def hex_of(case: Any) -> str:
    """The argument of a Case, or of an element of an array of CASE, as a C hex float: exact in every format."""
    significand, exponent = int(case[2]), int(case[3])
    sign = "-" if case[4] else ""
    if significand == 0:
        return sign + "0x0p+0"
    shift = significand.bit_length() - 1
    digits = f"{(significand << (64 - shift)) & ((1 << 64) - 1):016x}".rstrip("0")
    return f"{sign}0x1{'.' if digits else ''}{digits}p{exponent + shift:+d}"

