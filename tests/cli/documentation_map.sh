#!/usr/bin/env bash
# Sources that the documentation names are there, and doc/architecture.md has a line for each unit of host/ and tune/, and
# lines for no others.
# shellcheck disable=SC2016  # back quotes are Markdown here
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

root=$(cd "$TMD_TESTS/.." && pwd)
cd "$root"

# `host/format/format.cpp`, `tests/unit/`; NAME stands for a name in doc/how-to-add.md.
for page in README.md CONTRIBUTING.md doc/{,developer/,theory/}*.md; do
  while read -r path; do
    [[ $path == *NAME* || -e $path ]] || fail "$page names $path, which is not there"
  done < <(grep -oE '`(app|cl_kernels|configs|doc|host|tests|tune|\.ci)/[^` ]*' "$page" | tr -d '`')
done

# The tables, as one path a line: rows like "| **number/** | |" name a folder, the rows after it units in it.
part='' folder=''
while IFS= read -r row; do
  case $row in
    '## '*) part=${row#'## '} part=${part%/} folder='' ;;
    '| **'*)
      folder=${row#'| **'}
      folder=${folder%%'**'*}
      ;;
    '| `'*)
      [[ $part == host || $part == tune ]] || continue
      cell=${row#'| '}
      grep -oE '`[^`]+`' <<<"${cell%% | *}" | sed "s,^\`\(.*\)\`$,$part/$folder\1,"
      ;;
  esac
done <doc/architecture.md | sort >"$scratch/told"
find host tune -name '*.[ch]pp' | sed 's,\.[ch]pp$,,' | sort -u | while read -r unit; do
  # A source file whose header is public has the header's line.
  [[ ! -e $unit.hpp && $(grep -m 1 '^#include' "$unit.cpp") == "#include \"tmd/${unit##*/}.hpp\"" ]] || echo "$unit"
done >"$scratch/there"
missing=$(comm -13 "$scratch/told" "$scratch/there" | paste -sd' ')
[[ -z $missing ]] || fail "doc/architecture.md has no line for $missing"
gone=$(comm -23 "$scratch/told" "$scratch/there" | paste -sd' ')
[[ -z $gone ]] || fail "doc/architecture.md has lines for what is not there: $gone"
