"""`tmd plot`, `tmd publish`, `tmd compare --plot` and `tmd libm --report` start this folder:
python3 FOLDER [--check] MODULE [ARGUMENT ...].

With --check it only says, by its exit status, whether the packages that the module uses are there.
"""

import importlib
import importlib.util
import sys

PACKAGES = {
    "plot": ("numpy", "matplotlib"),
    "comparison": ("numpy", "matplotlib"),
    "library_page": ("numpy", "matplotlib"),
    "publish": ("numpy", "scipy"),
}


def main():
    arguments = sys.argv[1:]
    if arguments[0] == "--check":
        found = all(importlib.util.find_spec(package) for package in PACKAGES[arguments[1]])
        return 0 if found else 1
    return importlib.import_module("tmd." + arguments[0]).main(arguments[1:])


if __name__ == "__main__":
    sys.exit(main())
