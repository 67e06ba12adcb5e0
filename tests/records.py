#!/usr/bin/env python3
"""Compares files of records with doc/records.json: the types that a file may have, the keys of each, and what they are.

usage: records.py FILE...             each is JSON Lines, a journal among them, or one JSON object; packed or not
       records.py --all FILE...       also: every type that doc/records.json has is in one of them
Prints a sentence for the first mistake and ends with status 1."""

import gzip
import json
import lzma
import os
import sys

SCHEMA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "doc", "records.json")


def is_digits(value):
    return isinstance(value, str) and value.isascii() and value.isdigit() and value == str(int(value))


KINDS = {
    "text": lambda value: isinstance(value, str),
    "number": lambda value: type(value) in (int, float),
    "integer": lambda value: type(value) is int and abs(value) <= 2**53,
    "digits": is_digits,  # an integer that may be beyond 2^53
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "null": lambda value: value is None,
}


def mistake_of(record, keys):
    """What is wrong with a record of these keys, or nothing."""
    for key, rule in keys.items():
        kinds, *rest = rule.split(", ")
        if key not in record:
            if "optional" not in rest:
                return f"lacks '{key}'"
        elif not any(KINDS[kind](record[key]) for kind in kinds.split("|")):
            return f"has '{key}' as {json.dumps(record[key])[:60]}, which is no {kinds}"
    unknown = [key for key in record if key not in keys]
    return f"has '{unknown[0]}', which is in no schema" if unknown else None


def text_of(name):
    with open(name, "rb") as file:
        data = file.read()
    if data.startswith(b"\xfd7zXZ"):
        data = lzma.decompress(data)
    elif data.startswith(b"\x1f\x8b"):
        data = gzip.decompress(data)
    return data.decode()


def records_of(text):
    if text.startswith("{\n"):  # one object, over many lines
        return [json.loads(text)]
    return [json.loads(line) for line in text.splitlines()]


def check(name, schema, met):
    records = records_of(text_of(name))
    if not records:
        sys.exit(f"{name}: no record")
    first = records[0].get("type")
    files = [file for file, types in schema["files"].items() if first in types and "schema" in types[first]]
    if not files:
        sys.exit(f"{name}: '{first}' begins no file that the schema knows")
    if records[0].get("schema") != schema["schema"]:
        sys.exit(f"{name}: the first record has not schema {schema['schema']}")
    # A type may begin several kinds of files; then all that it has must fit one of them.
    for file in files:
        types = schema["files"][file]
        mistake = None
        for number, record in enumerate(records):
            kind = record.get("type")
            mistake = mistake_of(record, types[kind]) if kind in types else "is of a type that the file has not"
            if mistake:
                mistake = f"{name}, record {number} ('{kind}' of '{file}') {mistake}"
                break
        if not mistake:
            met.update((file, record["type"]) for record in records)
            return
    sys.exit(mistake)


def main(arguments):
    wants_all = arguments[:1] == ["--all"]
    with open(SCHEMA, encoding="utf-8") as file:
        schema = json.load(file)
    met = set()
    for name in arguments[wants_all:]:
        check(name, schema, met)
    if wants_all:
        every = {(file, kind) for file, types in schema["files"].items() for kind in types}
        if every - met:
            sys.exit(f"of no file: {sorted(every - met)}")


if __name__ == "__main__":
    main(sys.argv[1:])
