"""`python -m tmd ARGUMENT ...` is `tmd ARGUMENT ...`."""

from .program import main

main()
