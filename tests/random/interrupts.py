#!/usr/bin/env python3
"""Interrupts random searches again and again, by signals or by death, some with torn journals, and resumes them: the
result must be that of the same search undisturbed. Exit status 1: one was not. Then the last lines say how to repeat it."""

import argparse
import os
import random
import shlex
import signal
import subprocess
import sys
import tempfile
import time

SEARCHES = (  # each takes a second or a few
    "exp --from 1 --to 0x1.02p+0 --bits 43", "exp --from 1 --to 0x1.000002p+0 --bits 14", "log --from 2 --to 0x1.008p+1",
    "atan --from 1 --to 0x1.01p+0", "log2 --from 1 --to 0x1.004p+0 --bits 38", "exp2 --format binary32 --bits 14",
    "sin --from 1 --to 4096 --format binary32 --bits 16", "tanpi --format binary32 --bits 16",
    "lgamma --from 3 --to 0x1.81p+1 --bits 40", "j0 --from 100 --to 104 --format binary32 --bits 14",
    "exp --from 64 --to 0x1.0004p+6 --algorithm regular --bits 36",
    "x*y --x-range 1:0x1.02p+0 --y-range 1:0x1.01p+0 --format binary32 --bits 28",
)  # fmt: skip
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)
LIMIT = 120


class Wrong(Exception):
    """What was expected, and what came."""


def run(command, after=None, by=None):
    """The status and messages of a command, which gets a signal after some seconds."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            said, _ = process.communicate(timeout=after or LIMIT)
        except subprocess.TimeoutExpired:
            process.send_signal(by or signal.SIGKILL)
            said, _ = process.communicate(timeout=LIMIT)
            if not by:
                raise Wrong(f"an end within {LIMIT} seconds", said) from None
    return process.returncode, said


def found(folder):
    """The list, and all records but the first, which quotes the command."""
    with open(f"{folder}/list.wc", encoding="utf-8") as listed, open(f"{folder}/list.jsonl", encoding="utf-8") as records:
        return sorted(line for line in listed if line[0] != "#"), sorted(list(records)[1:])


def tear(chance, journal):
    """Cuts a journal short, as a disk does that loses what was written last."""
    size = os.path.getsize(journal)
    os.truncate(journal, chance.choice((chance.randint(0, size), max(0, size - chance.randint(1, 300)))))


def merged(tmd, folder, undisturbed):
    """What a journal holds by now is part of the result."""
    status, said = run([tmd, "merge", f"{folder}/list.wc.journal", "--allow-gaps", "--quiet", f"--wc={folder}/part.wc"])
    if status not in (0, 1) and "is empty" not in said:
        raise Wrong("a merged journal", f"{status} {said}")
    if os.path.exists(f"{folder}/part.wc"):
        with open(f"{folder}/part.wc", encoding="utf-8") as part:
            if more := {line for line in part if line[0] != "#"} - set(undisturbed[0]):
                raise Wrong("cases of the undisturbed search", more)


def disturb(tmd, chance, folder):
    """Searches once undisturbed and once not; returns how often it was interrupted, after how many tears of the journal."""
    arguments = [*chance.choice(SEARCHES).split(), "--quiet", "--reproducible", f"--device={chance.choice(('0', 'all'))}"]
    search = [tmd, "search", *arguments, f"--wc={folder}/list.wc", f"--json={folder}/list.jsonl"]
    print(shlex.join(["tmd", "search", *arguments]), flush=True)
    began = time.monotonic()
    status, said = run([*search, "--no-journal"])
    seconds = time.monotonic() - began
    if status:
        raise Wrong("status 0 of the undisturbed search", f"{status} {said}")
    undisturbed = found(folder)
    os.remove(f"{folder}/list.wc")
    os.remove(f"{folder}/list.jsonl")
    journal, interrupts, tears = f"{folder}/list.wc.journal", 0, 0
    for _ in range(chance.randint(1, 8)):
        resumes = os.path.exists(journal) and chance.random() < 0.5
        by = chance.choice(SIGNALS)
        status, said = run([tmd, "resume", journal, "--quiet"] if resumes else search, seconds * chance.uniform(0.05, 0.8), by)
        if status == 0:
            break
        if status not in (130, -by) and "is empty: start the search again" not in said:
            raise Wrong(f"status 0, 130 or -{by} after {by.name}", f"{status} {said}")
        interrupts += 1
        if os.path.exists(journal) and chance.random() < 0.3:
            tears += 1
            tear(chance, journal)
        if os.path.exists(journal) and chance.random() < 0.3:
            merged(tmd, folder, undisturbed)
    else:
        status, said = run(search)
        if status:
            raise Wrong("status 0 at last", f"{status} {said}")
    if (disturbed := found(folder)) != undisturbed:
        raise Wrong([set(one) - set(other) for one, other in zip(undisturbed, disturbed)],
                    [set(other) - set(one) for one, other in zip(undisturbed, disturbed)])
    return interrupts, tears


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tmd")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--searches", type=int, default=20)
    parser.add_argument("--only", type=int, help="the search of this number")
    options = parser.parse_args()
    interrupts = tears = 0
    for number in range(options.searches) if options.only is None else [options.only]:
        with tempfile.TemporaryDirectory() as folder:
            try:
                counted = disturb(options.tmd, random.Random(f"{options.seed}/{number}"), folder)
            except Wrong as wrong:
                print("FAILED\nexpected: {}\ncame:     {}".format(*wrong.args))
                sys.exit(f"to repeat: {sys.argv[0]} {options.tmd} --seed {options.seed} --only {number}")
        interrupts, tears = interrupts + counted[0], tears + counted[1]
    print(f"seed {options.seed}: searches {options.searches}, interrupts {interrupts}, journals torn {tears}")


if __name__ == "__main__":
    main()
