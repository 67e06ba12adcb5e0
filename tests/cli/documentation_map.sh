#!/usr/bin/env bash
# Sources that the documentation names are there, and doc/developer/classes/ has a row for each unit of host/ and tune/, and
# rows for no others.
# shellcheck disable=SC2016  # back quotes are Markdown here
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit
# shellcheck source=tests/pages.bash
source "$TMD_TESTS/pages.bash"

root=$(cd "$TMD_TESTS/.." && pwd)
cd "$root"

# `host/format/format.cpp`, `tests/unit/`; NAME stands for a name in doc/developer/how-to-add.md.
list_pages | while IFS= read -r page; do
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
done < <(cat doc/developer/classes/*.md) | sort >"$scratch/listed"
find host tune -name '*.[ch]pp' | sed 's,\.[ch]pp$,,' | sort -u | while read -r unit; do
  # A source file whose header is public has the header's line.
  [[ ! -e $unit.hpp && $(grep -m 1 '^#include' "$unit.cpp") == "#include \"tmd/${unit##*/}.hpp\"" ]] || echo "$unit"
done >"$scratch/there"
missing=$(comm -13 "$scratch/listed" "$scratch/there" | paste -sd' ')
[[ -z $missing ]] || fail "doc/developer/classes/ has no row for $missing"
gone=$(comm -23 "$scratch/listed" "$scratch/there" | paste -sd' ')
[[ -z $gone ]] || fail "doc/developer/classes/ has rows for units that are not there: $gone"
