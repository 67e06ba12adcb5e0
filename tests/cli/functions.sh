#!/usr/bin/env bash
# tmd functions: what it prints and writes, and functions that a search takes by a number.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

succeeds functions --json functions.jsonl
[[ ! -s err ]] || fail "something on stderr"
[[ $(grep -c '"type":"function"' functions.jsonl) -eq 42 ]] || fail "not a record for each of 42 functions"
[[ $(grep -c '"type":"family"' functions.jsonl) -eq 3 ]] || fail "not a record for each of 3 families"
[[ $(grep -c '"type":"pair_function"' functions.jsonl) -eq 8 ]] || fail "not a record for each of 8 functions of two variables"
while read -r name; do
  grep -qE "^$name(:N)? " out || fail "$name has a record, but no line"
done < <(sed 's/.*"name":"\([^"]*\)".*/\1/' functions.jsonl)
cp out all
succeeds functions --json -
[[ $(wc -l <out) -eq 53 ]] || fail "tables beside the records on stdout"

succeeds functions cbrt
for text in "cbrt: cube root" "domain +every x" "symmetry +odd" "exact where +x = y\^3 for" "scaling +f\(8 x\) = 2 f\(x\)"; do
  grep -qE "$text" out || fail "it does not say '$text'"
done
succeeds functions rootn:-4 --json one.jsonl
grep -q '"name":"rootn:-4".*"domain":"x > 0","symmetry":"none"' one.jsonl || fail "not the record of rootn:-4"
[[ $(wc -l <one.jsonl) -eq 1 ]] || fail "not one record"

refuses 2 "unknown function 'sinx'; \`tmd functions\` lists them; did you mean 'sin'?" functions sinx
refuses 2 "unexpected argument 'cos': one function at a time" functions sin cos
refuses 2 "rootn:N: N must be an integer from -8000 to 8000, not 0 or 1" functions rootn
refuses 2 "pown:N: N must be an integer from -8000 to 8000, not 0 or 1; got '1'" search pown:1 --from 1 --to 2
refuses 2 "compound:N: N must be an integer from -8000 to 8000, not 0 or 1" search compound:x --from 1 --to 2
refuses 2 "is outside the domain of compound:-2: x > -1" search compound:-2 --from -1 --to 0

tmd devices
grep -q "usable  *yes" out || skip "no usable device"
succeeds search rootn:-3 --from 1 --to 0x1.0001p+0 --bits 28 --wc files/list.wc
head -1 files/list.wc | grep -q "rootn:-3" || fail "the file does not name the function"
