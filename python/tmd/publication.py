"""What is known of a function in a format, from one search of all of it or from searches of blocks of it, run after
run: what the pages of a folder of results are made of. doc/reference/journals.md describes its records ("Pages")."""

import json
import lzma
import re
from dataclasses import dataclass, field

from .chance import expected
from .errors import UsageError
from .numbers import complement, intersection, size, union
from .results import SCHEMA, Job, integer, read_record, require_schema

MOST_NAMED = 1000 # greatest numbers of a block's exact cases and undecided arguments
BREAKPOINTS = ("representable", "midpoint")
SIGNS = {"above": ">", "below": "<", "undecided": "beside"}


@dataclass
class Binade:
    """The counts of the arguments of a binade that were searched one by one."""

    first: int # ranks of arguments
    end: int
    record: dict

    def expected(self, job):
        return expected(job, self.first, self.end, integer(self.record["exact"]))


@dataclass
class Block:
    """The findings of one search: its hard cases are counted, and the hardest of them named."""

    record: dict
    covered: list = field(default_factory=list) # ranges of ranks
    binades: list = field(default_factory=list)
    named: list = field(default_factory=list)  # records of the first exact cases, then of the first undecided arguments
    ranges: list = field(default_factory=list)  # ((first, end), record)

    @property
    def cases(self):
        return sum(one.record["cases"] for one in self.binades)

    def add(self, job, record):
        """Adds one of the records that follow the block's own."""
        kind = record["type"]
        if kind == "searched":
            self.covered.append(job.ranks(record))
        elif kind == "binade":
            self.binades.append(Binade(*job.ranks(record), record))
        elif kind in ("exact", "undecided"):
            self.named.append(record)
        elif kind == "range":
            self.ranges.append((job.ranks(record), record))
        else:
            raise UsageError(f"there is no record '{kind}'")


@dataclass
class Publication:
    """Blocks that have no argument in common, of jobs that differ in nothing but their ranges."""

    job: Job # its range is all arguments of the format that the function has
    symmetry: str = None # if so, these are only x ≥ 0
    blocks: list = field(default_factory=list) # sorted by their first argument
    listed_from: int = 0 # the K from which on `listed` has all hard cases
    listed: list = field(default_factory=list) # hard cases as (rank, bits), by argument

    def covered(self):
        return union(ranks for block in self.blocks for ranks in block.covered)

    def missing(self):
        return complement(self.covered(), self.job.range)

    def cases(self):
        return sum(block.cases for block in self.blocks)

    def count(self, key):
        """The number of `exact` or `undecided` arguments in all blocks."""
        return sum(integer(block.record[key]) for block in self.blocks)

    def hardest(self):
        """The records of the hardest case of each kind."""
        return hardest_of(one for block in self.blocks for one in block.record["hardest"])


def hardest_of(cases):
    """Of records of cases, the first of the most bits of each kind of breakpoint."""
    hardest = {}
    for one in cases:
        kind = one["breakpoint"]
        if kind not in hardest or one["bits"] > hardest[kind]["bits"]:
            hardest[kind] = one
    return [hardest[kind] for kind in BREAKPOINTS if kind in hardest]


def publication_name(record):
    """`log`, `rootn3`, `sin-nearest`, `exp-q54-unbounded`: what the files of a job's function are called. Jobs of
    different K share a name, and so do expressions that differ in signs alone."""
    function = record["function"]
    if re.fullmatch(r"[a-z][a-z0-9]*(:\d+)?", function):
        name = function.replace(":", "")
    else:
        name = re.sub(r"[^a-z0-9]+", "-", function.lower()).strip("-")[:100]
    if record["argument_precision"] != record["precision"]:
        name += f"-q{record['argument_precision']}"
    if record["rounding"] != "all":
        name += f"-{record['rounding']}"
    return name if record["values"] == "format" else f"{name}-{record['values']}"


def as_json(record):
    """A record as the program writes it."""
    return json.dumps(record, separators=(",", ":"), ensure_ascii=False)


def block_of(result, binades):
    """The block of a result, whose binades `tmd publish` has counted."""
    job = result.job
    header = result.header
    block = Block({}, result.covered)
    for record in binades:
        block.binades.append(Binade(*job.ranks(record), record))
    for cases in (result.exact, result.undecided):
        block.named += [one.record for one in cases[:MOST_NAMED]]
    block.ranges = list(result.ranges)
    block.record = {
        "type": "block",
        "from": job.numbers.hex(job.first),
        "to": job.numbers.hex(job.end),
        "version": header["version"],
        "commit": header.get("commit"),
        "kernels": header["kernels"],
        "foreign_kernels": header.get("foreign_kernels", False),
        **({"other_programs": header["other_programs"]} if header.get("other_programs") else {}),
        "devices": ", ".join(result.devices()),
        "seconds": result.seconds,
        "cases": block.cases,
        "exact": str(result.exact_count()),
        "undecided": len(result.undecided),
        "hardest": hardest_of(one.record for one in result.cases),
    }
    return block


def job_of_range(job, first, end, decisive, scaling):
    """The same job with another range; `decisive`, only what decides the rest of it by its scaling."""
    if decisive:
        first, end = decisive[0][0], decisive[-1][1]
    text = job.record["job"]
    at = text.rindex(" on [")
    tail = text[text.index("), p = ", at) :].split(", less what follows by ")[0]
    gaps = f", less what follows by {scaling}" if decisive and len(decisive) > 1 else ""
    record = {
        **job.record,
        "job": f"{text[:at]} on [{job.numbers.hex(first)}, {job.numbers.hex(end)}{tail}{gaps}",
        "from": job.numbers.hex(first),
        "to": job.numbers.hex(end),
        "scaling": scaling if decisive else None,
    }
    return Job(record, job.numbers, first, end, decisive)


def set_range(published, tally):
    """All arguments of the function in the format: of odd and even ones x ≥ 0, and of those with a scaling what decides
    the rest, unless something is known of others. tally: what `tmd publish --tally` says of the function."""
    numbers = published.job.numbers
    first, end = numbers.rank(tally["from"]), numbers.rank(tally["to"])
    is_half = tally["symmetry"] is not None and all(numbers.rank(one.record["from"]) >= 0 for one in published.blocks)
    published.symmetry = tally["symmetry"] if is_half else None
    decisive = [(numbers.rank(a), numbers.rank(b)) for a, b in tally["decisive"] or []]
    if tally["symmetry"] is not None and not is_half:
        decisive = []
    if any(size(intersection(one.covered, decisive)) != size(one.covered) for one in published.blocks):
        decisive = []
    published.job = job_of_range(
        published.job, max(first, 0) if is_half else first, end, decisive or None, tally["scaling"]
    )


def replace_blocks(published, fresh):
    """Takes the blocks away that a new one replaces."""
    kept = []
    numbers = published.job.numbers
    for block in published.blocks:
        both = intersection(block.covered, fresh.covered)
        if both and size(both) != size(block.covered):
            raise UsageError(
                f"what is published of [{block.record['from']}, {block.record['to']}) has arguments that it has not, and "
                f"others that it has, such as {numbers.hex(both[0][0])}: publish a search of all of them, or of others"
            )
        if not both:
            kept.append(block)
    published.blocks = kept


def list_what_fits(published, hard, least, most_bytes):
    """Lists the hard cases, (rank, bits) by argument, from the least K on with which the packed list fits."""
    steps = sorted({max(int(bits), least) for _, bits in hard} | {least}, reverse=True)

    def list_from(bits):
        published.listed_from = bits
        published.listed = [one for one in hard if one[1] >= bits]

    list_from(steps[0] + 1)
    for step in steps: # the list grows from one to the next
        list_from(step)
        if len(pack(list_text(published))) > most_bytes:
            list_from(step + 1)
            return


def add_result(published, result, block, tally, listed, most_bytes):
    """What is published, or nothing, with a result added. A block all of whose arguments it covers is replaced.
    listed: calls for (rank, bits) of what is listed of other blocks. Returns the publication."""
    job = result.job
    if not block.covered:
        raise UsageError("it covers no argument")
    published = published or Publication(job, listed_from=job.bits)
    if published.job.kind() != job.kind():
        raise UsageError(
            f"it is of {job.describe()}, and what is published under that name of {published.job.describe()}"
        )
    replace_blocks(published, block)
    least = published.listed_from if published.blocks else job.bits
    hard = [(one.rank, one.bits) for one in result.cases]
    if published.blocks:
        kept = published.covered()
        hard += [one for one in listed() if any(first <= one[0] < end for first, end in kept)]
    published.blocks = sorted(published.blocks + [block], key=lambda one: min(one.covered))
    set_range(published, tally)
    list_what_fits(published, sorted(hard), least, most_bytes)
    return published


def describe_range(numbers, ranks, record, fully=False):
    """The full description of the range, as in a list."""
    first, last = numbers.hex(ranks[0]), numbers.hex(ranks[1] - 1)
    text = f"[{first}, {last}]: {ranks[1] - ranks[0]} arguments, "
    if record["cases"] == "some":
        text += f"{record['count']} of them cases, those of {record['beside']} in every binade"
        return text + (f", with the significands {' '.join(record['significands'])}" if fully else "")
    if record["cases"] != "all":
        kind = ": every one is exact" if "exact" in record else ": every one is a pole" if "why" in record else ""
        return text + "none a case" + kind
    rule = record["rule"]
    text += f"every one a case: f(x) {SIGNS[record['side']]} {rule['slope']}*x + {rule['offset']}"
    if record["side"] == "undecided":
        text += ", on which side is not decided"
    kind = record["breakpoint"]
    return text + (f", a {'midpoint' if kind == 'midpoint' else 'representable number'}" if kind else "")


def list_text(published):
    """The list in CORE-MATH's format."""
    job, numbers = published.job, published.job.numbers
    record = job.record
    lines = [
        f"# Hard-to-round cases of {record['function']}, {record['format']} with arguments of "
        f"{record['argument_precision']} bits, breakpoints: {record['rounding']}{job.values_text()}"
        f"{job.describe_reduction(published.symmetry)}.",
        f"# Listed from K = {published.listed_from}: {len(published.listed)} of the {published.cases()} that were found "
        f"from K = {job.bits} on.",
    ]
    for first, end in published.covered():
        lines.append(
            f"# [{numbers.hex(first)}, {numbers.hex(end - 1)}]: every argument closer than 2^-{published.listed_from} "
            "spacings to a breakpoint is listed, or in a range below"
        )
    for block in published.blocks:
        lines += [f"# Range {describe_range(numbers, ranks, one, fully=True)}" for ranks, one in block.ranges]
    lines += [numbers.hex(rank) for rank, _ in published.listed]
    return "\n".join(lines) + "\n"


def pack(text):
    """Packs a text by xz: the same text gives the same bytes."""
    return lzma.compress(text.encode(), check=lzma.CHECK_CRC64)


_JOB_KEYS = ("job", "function", "format", "precision", "argument_precision", "from", "to", "rounding", "values", "bits",
             "scaling")  # fmt: skip


def publication_text(published):
    """The publication as JSON Lines, without the list."""
    job, numbers = published.job, published.job.numbers
    head = {"type": "publication", "schema": SCHEMA, **{key: job.record.get(key) for key in _JOB_KEYS}}
    if job.decisive:
        head["decisive"] = [[numbers.hex(first), numbers.hex(end)] for first, end in job.decisive]
    records = [{**head, "symmetry": published.symmetry, "listed_from": published.listed_from}]
    for block in published.blocks:
        records.append(block.record)
        for first, end in block.covered:
            records.append({"type": "searched", "first": numbers.hex(first), "last": numbers.hex(end - 1)})
        records += [one.record for one in block.binades] + block.named + [one for _, one in block.ranges]
    return "".join(as_json(record) + "\n" for record in records)


def read_publication(text, name, tally):
    """Reads these. UsageError, with the name, for what they are not. tally: called for what the program says of the
    file, whose records of version 0.1.0 lack what decides the rest by scaling."""
    published = None
    line = 1
    try:
        for line, text_of_line in enumerate(text.split("\n")[:-1], 1):
            record = read_record(line, text_of_line)
            if published is None:
                if record["type"] != "publication":
                    raise UsageError("it does not begin with a `publication` record")
                require_schema(record)
                published = Publication(Job.read(record), record["symmetry"], listed_from=record["listed_from"])
            elif record["type"] == "block":
                published.blocks.append(Block(record))
            elif not published.blocks:
                raise UsageError("it stands before the first block")
            else:
                published.blocks[-1].add(published.job, record)
    except (ValueError, KeyError, TypeError):
        raise UsageError(f"'{name}', line {line}: a record is damaged") from None
    except UsageError as error:
        raise UsageError(f"'{name}', line {line}: {error}".replace(f"line {line}: line ", "line ")) from None
    if published is None:
        raise UsageError(f"'{name}', line 1: it is empty")
    job = published.job
    if job.record.get("scaling") and not job.decisive:
        job.decisive = [(job.numbers.rank(first), job.numbers.rank(end)) for first, end in tally()["decisive"]]
    return published
