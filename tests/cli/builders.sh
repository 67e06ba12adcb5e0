#!/usr/bin/env bash
# Other processes build kernels: the cases are the same, whatever happens to these processes and to the folder of built
# programs.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

tmd devices
grep -q "usable  *yes" out || skip "no usable device"

job=(search exp --from 1 --to 1+2^-20 --bits 30 --algorithm regular --no-journal --quiet)
cases() { grep '"type":"case"' "$1"; }
TMD_BUILDERS=some refuses 2 "TMD_BUILDERS is 'some', but must be a number of processes up to 64" "${job[@]}"

# The cache is empty, where the driver is PoCL.
fresh() {
  rm -rf pocl programs
  mkdir pocl
}
export POCL_CACHE_DIR=$scratch/pocl TMD_PROGRAM_CACHE=$scratch/programs
fresh
TMD_BUILDERS=0 succeeds "${job[@]}" --json none.jsonl
[[ $(cases none.jsonl | wc -l) -ge 10 ]] || fail "hardly a case"
same() {
  cmp -s <(cases none.jsonl) <(cases "$1") || fail "other cases: $2"
}

fresh
TMD_BUILDERS=2 succeeds "${job[@]}" --json two.jsonl
same two.jsonl "with two processes"
[[ -n $(ls programs) ]] || fail "it is not kept what has been built"
TMD_BUILDERS=2 succeeds "${job[@]}" --json again.jsonl
same again.jsonl "with what has been built"

# Only tmd's own processes count, not those that a driver has started, such as a linker.
builders_of() { ps -o pid=,args= --ppid "$1" | awk '/build-programs/ { print $1 }'; }

# The processes are killed, or stopped for as long as they are needed.
for signal in KILL STOP; do
  fresh
  TMD_BUILDERS=2 "$TMD" "${job[@]}" --json "$signal.jsonl" >out 2>err &
  search=$!
  for ((i = 0; i < 20; ++i)); do
    for child in $(builders_of "$search"); do kill -$signal "$child" 2>/dev/null || true; done
    sleep 0.05
  done
  for child in $(builders_of "$search"); do kill -CONT "$child" 2>/dev/null || true; done
  wait "$search" || fail "the search has failed with status $? after $signal: $(cat err)"
  same "$signal.jsonl" "after $signal"
done

# The folder is a file, or one that others can write.
rm -rf programs
touch programs
TMD_BUILDERS=2 succeeds "${job[@]}" --json file.jsonl
same file.jsonl "with a file for a folder"
rm programs
mkdir programs
chmod 777 programs
TMD_BUILDERS=2 succeeds "${job[@]}" --json others.jsonl
same others.jsonl "with a folder of others"
[[ -z $(ls programs) ]] || fail "what has been built is kept where others can write"
