#!/usr/bin/env bash
# tmd-lab dispatch: figures and records of simulated searches; no device is used.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit
TMD=$TMD_LAB

export OCL_ICD_VENDORS=$scratch/none TMPDIR=$scratch/temporary
mkdir temporary
succeeds --help
grep -q "|dispatch \[OPTION" out || fail "tmd-lab --help does not name dispatch"
refuses 2 "unexpected argument 'exp'" dispatch exp
refuses 2 "--ranks takes a number from 1 to 100000, not '0'" dispatch --ranks 0
refuses 2 "--ranks takes a number from 1 to 100000, not ''" dispatch --ranks 1,
refuses 2 "--ranks takes whole numbers, not '1.5'" dispatch --ranks 1.5
refuses 2 "--rates takes a number from 1 to 1e+30, not 'fast'" dispatch --rates fast
refuses 2 "--rates takes a number from 100 to 1e+30, not '10'" dispatch --rates 100:10
refuses 2 "unknown workload 'cos'; known are log, sin" dispatch --workload cos
refuses 2 "--jitter takes a number from 0 to 0.99, not '1'" dispatch --jitter 1

succeeds dispatch --workload sin --ranks 1,20 --rates 1e13:1e15 --losses 3 --json files/dispatch.jsonl
[[ ! -s err ]] || fail "something on stderr"
[[ $(grep -cE '^ +(1|20)( +[0-9.]+){2} +[0-9.]+ %( +[0-9.]+) s +[0-9]+ +[0-9.]+ % +[0-9]+$' out) -eq 2 ]] || fail "not a row for each"
[[ $(grep -cE '^\{"type":"dispatch","schema":[0-9]+,.*"workload":"sin","bits":44,"devices":(1|20),"seconds":[0-9.e+-]+,' files/dispatch.jsonl) -eq 2 ]] ||
  fail "not a record for each"
[[ -z $(ls -A temporary) ]] || fail "files were left behind"
TMPDIR=$scratch/missing refuses 2 "TMPDIR says where" dispatch --ranks 1
