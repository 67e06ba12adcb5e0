#!/usr/bin/env bash
# tmd-lab boxes: a row and a record for each tile.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit
TMD=$TMD_LAB

succeeds boxes --help
grep -q -- '--lambda3' out || fail "the help does not name --lambda3"
refuses 2 "--lambda3 must be an integer from 4 to 1024, not '0'" boxes --lambda3 0
refuses 2 "--bits must be an integer from 3 to 60, not '90'" boxes --bits 90
refuses 3 "no device fits 'no such device'" boxes --device "no such device"

"$TMD_PROGRAM" devices >out
grep -q "usable  *yes" out || skip "no usable device"
succeeds boxes --boxes 2000 --repeats 1 --json files/figures.jsonl
[[ $(grep -cE '^  t = .*( +[0-9.e+-]+){6} +[0-9.]+ %$' out) -eq 6 ]] || fail "not a row of figures for each tile"
[[ $(grep -c '^{"type":"boxes",.*"pairs_per_second":[0-9.e+]*' files/figures.jsonl) -eq 6 ]] ||
  fail "not a record for each tile"
