"""Reads what tmd writes (JSON Lines, .wc lists, journals; packed or not), draws it, and makes pages of it.

`tmd plot`, `tmd publish`, `tmd compare --plot` and `tmd libm --report` start the modules `plot`, `publish`, `comparison`
and `library_page`.
doc/results.md describes the records.
"""
