#!/usr/bin/env bash
# Where f is a line through breakpoints, a range says that every argument is an exact case, however many there are.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

tmd devices
grep -q "usable  *yes" out || skip "no usable device"

# One by one, these 2^32 cases would take an hour and gigabytes.
range='[0x1p+0, 0x1.00000ffffffffp+0]: 4294967296 arguments, none a case: every one is exact'
succeeds search x --from 1 --to 1+2^-20 --bits 20 --wc files/whole.wc --json files/whole.jsonl
grep -qF "$range" out || fail "the range is not told"
grep -qxF "# Range $range" files/whole.wc || fail "the range is not in the list"
grep -q '"type":"range",.*"arguments":"4294967296","cases":"none","exact":"all"' files/whole.jsonl || fail "no record"
grep -q '"type":"summary",.*"exact_in_ranges":"4294967296",' files/whole.jsonl || fail "the summary does not count it"
for file in files/whole.wc files/whole.jsonl; do
  succeeds verify $file --no-search
done
sed 's/0x1.00000ffffffffp+0/0x1.00000fffffffep+0/' files/whole.wc >files/short.wc
tmd verify files/short.wc --no-search
[[ $status -eq 4 ]] || fail "a range that is short: status $status, not 4"

# With a further bit in the slope only some values are exact, and the range must not say more.
succeeds search '3*x' --from 1.5 --to 1.5+2^-40 --bits 20 --json files/some.jsonl
if grep -q '"exact":"all"' files/some.jsonl; then fail "a range where half is exact"; fi
grep -q '"type":"summary",.*"exact":"2048",' files/some.jsonl || fail "not half of them"
tmd verify files/some.jsonl --no-search
[[ $status -eq 0 ]] || fail "one by one: not verified"
sed -i '/"type":"exact"/d; s/"exact":"2048"/"exact":"0"/' files/some.jsonl
sed -i 's/^{"type":"summary"/{"type":"range","first":"0x1.8p+0","last":"0x1.8000000000fffp+0","arguments":"4096","cases":"none","exact":"all"}\n&/
  s/"none_in_ranges":"0"/"none_in_ranges":"4096"/; s/"gaps":"0"/"gaps":"0","exact_in_ranges":"4096"/' files/some.jsonl
tmd verify files/some.jsonl --no-search
[[ $status -eq 4 ]] || fail "a false range of exact cases: status $status, not 4"

# Searches of parts agree when they are merged.
succeeds search x --from 1 --to 1+2^-21 --bits 20 --json files/one.jsonl
succeeds search x --from 1+2^-22 --to 1+2^-20 --bits 20 --json files/two.jsonl
succeeds merge files/one.jsonl files/two.jsonl --json files/merged.jsonl
grep -q '"exact_in_ranges":"4294967296"' files/merged.jsonl || fail "merged: not all"

# A list that names them one by one agrees: it is verified by a search that finds the range, and merged with it.
succeeds search x --from 1 --to 1+2^-42 --bits 20 --json files/ranged.jsonl
{
  sed '/"type":"range"/,$d' files/ranged.jsonl
  printf '{"type":"exact","x":"0x1.%013xp+0","breakpoint":"representable"}\n' {0..1023}
  sed -n '/"type":"summary"/{s/"exact":"0"/"exact":"1024"/; s/"none_in_ranges":"1024"/"none_in_ranges":"0"/
    s/"exact_in_ranges":"1024",//; p}' files/ranged.jsonl
} >files/listed.jsonl
succeeds verify files/listed.jsonl
succeeds merge files/listed.jsonl files/ranged.jsonl
succeeds merge files/ranged.jsonl files/listed.jsonl
sed -i '0,/"type":"exact"/{/"type":"exact"/d}; s/"exact":"1024"/"exact":"1023"/' files/listed.jsonl
refuses 4 "only one of them has it among its cases" merge files/listed.jsonl files/ranged.jsonl

succeeds search x --from 1 --to 2 --dry-run
grep -q '^ *4503599627370496 in ranges of which every one is an exact case$' out || fail "--dry-run does not know"

# Poles, too, are proven at once, and named as such.
succeeds search tgamma --from -2^60 --to -2^52 --wc files/poles.wc --json files/poles.jsonl
grep -q '^\[-0x1p+60, -0x1.0000000000001p+52\]: 36028797018963968 arguments, none a case: every one is a pole$' out ||
  fail "the poles are not told"
grep -q '"type":"range",.*"cases":"none","why":"poles"' files/poles.jsonl || fail "no record of poles"
for file in files/poles.wc files/poles.jsonl; do
  succeeds verify $file --no-search
  sed '/[Rr]ange/s/: every one is a pole//; s/,"why":"poles"//' $file >files/wrong
  tmd verify files/wrong --no-search
  [[ $status -eq 4 ]] || fail "$file without its poles: status $status, not 4"
done
