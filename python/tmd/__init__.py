"""Hard-to-round cases of functions: libtmd for Python, and what draws and publishes what tmd has found.

doc/guide/python.md is the manual of what `tmd.search`, `tmd.read` and their like do. They are in the module `api`, which
is loaded when one of them is used first: it needs the extension module, and the modules that the program starts do not.
These, `plot`, `publish`, `comparison` and `library_page`, are started by `tmd plot`, `tmd publish`,
`tmd compare --plot` and `tmd libm --report`. doc/reference/records.md describes the records.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .api import *

__all__ = [
    "CASE", "Case", "Check", "Device", "DeviceError", "EXACT", "Error", "Estimate", "Failure", "FaultError", "Function",
    "HARD", "Job", "LibmResult", "OptionError", "Progress", "Range", "Result", "Search", "SoundnessError", "UNDECIDED",
    "UsageError", "Value", "Verification", "check", "devices", "estimate", "functions", "hex_of", "libm", "read",
    "search", "show", "verify",
]  # fmt: skip


def __getattr__(name: str):
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(".api", __name__), name)


def __dir__():
    return __all__
