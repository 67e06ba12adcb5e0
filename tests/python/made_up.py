"""Results that the tests make up."""

import json

from tmd.results import Found, Job, Result

FORMATS = {
    "binary16": (11, -14, 15),
    "bfloat16": (8, -126, 127),
    "binary32": (24, -126, 127),
    "binary64": (53, -1022, 1023),
    "binary80": (64, -16382, 16383),
    "p2": (2, -2, 1),
}


def job_on(first, end, form="binary64", **keys):
    """exp on [first, end), K = 44, all breakpoints."""
    precision, least, most = FORMATS[form]
    record = {
        "type": "search",
        "schema": 2,
        "function": "exp",
        "format": form,
        "precision": precision,
        "argument_precision": precision,
        "from": first,
        "to": end,
        "rounding": "all",
        "values": "unbounded",
        "bits": 44,
        "version": "0.2.0",
        "kernels": "0123456789abcdef",
        **keys,
    }
    record["job"] = (
        f"{record['function']} on [{first}, {end}), p = {precision}, e = {least} to {most}, q = {precision}, "
        f"{record['rounding']}, K = {record['bits']}"
    )
    return Job.read(record)


def whole_job(form):
    """Every number of a format."""
    job = job_on("0x1p+0", "0x1.8p+0", form)
    numbers = job.numbers
    return job_on(numbers.hex(1 - numbers.end), numbers.hex(numbers.end), form, values="format")


def found(job, x, bits, kind="representable", record_type="case"):
    record = {"type": record_type, "x": x, "bits": bits, "breakpoint": kind}
    return Found(job.numbers.rank(x), bits, kind, record)


def result_of(job, cases=()):
    """A complete search with these cases: (x, bits, breakpoint)."""
    result = Result(job, job.record, covered=job.range)
    result.cases = [found(job, *one) for one in cases]
    return result.sort()


def some_result():
    """Two cases in [1, 2)."""
    return result_of(
        job_on("0x1p+0", "0x1p+1"), [("0x1.aca7ae8da5a7bp+0", 53.9922, "midpoint"), ("0x1.8p+0", 45, "representable")]
    )


def as_text(*records):
    return "".join(json.dumps(record, separators=(",", ":")) + "\n" for record in records)
