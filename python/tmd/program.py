"""The program tmd: the one in this package's folder, else that of PATH."""

import os
import sys
from pathlib import Path

RECORDS = (".jsonl", ".jsonl.xz", ".jsonl.gz")


def path() -> str:
    """The path of the program. Scripts do not count: one of them starts main(). Raises FileNotFoundError."""
    own = Path(__file__).parent / "bin"
    for folder in [own, *map(Path, os.environ.get("PATH", os.defpath).split(os.pathsep))]:
        file = folder / "tmd"
        if file.is_file() and os.access(file, os.X_OK):
            with file.open("rb") as opened:
                if opened.read(2) != b"#!":
                    return str(file)
    raise FileNotFoundError("the program tmd is not installed")


def main() -> None:
    """Runs `tmd` and `python -m tmd` after `pip install`; `compare FILE.jsonl ...` is for machines.py."""
    if sys.argv[1:2] == ["compare"] and sys.argv[2:3] and sys.argv[2].endswith(RECORDS):
        from . import machines

        sys.exit(machines.main(sys.argv[2:]))
    file = path()
    os.execv(file, ["tmd", *sys.argv[1:]])
