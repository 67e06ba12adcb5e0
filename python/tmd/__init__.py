"""Reads what tmd writes (JSON Lines, .wc lists, journals; packed or not), draws it, and makes pages of it.

`tmd plot`, `tmd publish` and `tmd compare --plot` start the modules `plot`, `publish` and `comparison`.
doc/results.md describes the records.
"""
