#!/usr/bin/env bash
# Every option of tmd-lab is in its manual, or in that of tmd.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit
TMD=$TMD_LAB
succeeds --help
cp out help
for measurement in phase1 polynomials divergence wide phase division dispatch; do
  grep -qE "^  $measurement " help || fail "tmd-lab --help does not name $measurement"
  succeeds "$measurement" --help
  grep -oE '^ .*--[a-z][a-z-]+' out | grep -oE '[-]-[a-z][a-z-]+' | sort -u >options
  [[ -s options ]] || fail "tmd-lab $measurement --help: no options"
  while IFS= read -r option; do
    [[ $option == --help ]] || grep -qE "Fl Fl ${option#--}( |\$)" "$TMD_TESTS/../app/tmd-lab.1" "$TMD_TESTS/../app/tmd.1" ||
      fail "the manuals lack $option of tmd-lab $measurement"
  done <options
done
refuses 2 "no measurement given"
