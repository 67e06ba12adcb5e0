#!/usr/bin/env bash
# tmd check: planted mistakes are named, and a list that is right is accepted.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

range=(--bits 20 --from 1 --to 0x1.00000001p+0)
printf '%s\n' '# exp' '0x1.0000000050418p+0 22' 0x1.0000000002d96p+0 0x1.000000008e156p+0 0x1.00000000927ffp+0 snan >right.wc
sed '3d; s/ 22/ 23/' right.wc >wrong.wc
echo 0x1.0000000050419p+0 >>wrong.wc
echo 3 >>wrong.wc

succeeds check exp right.wc "${range[@]}" --values-only
grep -qx '4 entries in the range, 0 outside; 0 mistakes' out || fail "a list that is right is not accepted"
succeeds check exp right.wc "${range[@]}" --against right.wc
grep -q 'binade of 2^0: 4 of 4 cases listed, complete from 20.0000 bits on' out || fail "it is complete"
tmd check exp wrong.wc "${range[@]}" --against right.wc --json check.jsonl
[[ $status -eq 4 && ! -s err ]] || fail "status $status for a wrong list, not 4"
grep -qE '^misclassed +0x1.0000000050418p\+0, line 2: 22 equal bits, not 23$' out || fail "the count of bits is not named"
grep -qE '^superfluous +0x1.0000000050419p\+0, line 6: ' out || fail "what is no case is not named"
grep -qE '^missing +0x1.0000000002d96p\+0: 21.3993 bits, midpoint$' out || fail "what is missing is not named"
grep -q 'binade of 2^0: 3 of 4 cases listed, complete from 21.3993 bits on' out || fail "not the bits from which it is complete"
grep -qx '4 entries in the range, 1 outside; 3 mistakes: 1 missing, 1 superfluous, 1 misclassed' out || fail "not the sum"
grep -qF '{"type":"summary","arguments":4,"outside":1,"missing":1,"superfluous":1,"misclassed":1,"unusable":0,"allowed":0,"not_in_reference":0}' \
  check.jsonl || fail "not the summary"
if command -v xz >/dev/null; then
  xz -k right.wc
  succeeds check exp right.wc.xz "${range[@]}" --values-only
fi

tmd check exp wrong.wc "${range[@]}" --against right.wc
[[ $(awk 'NR == 1 { print $1 }' out) == missing ]] || fail "what is missing does not come first"
tmd check exp wrong.wc "${range[@]}" --against right.wc --missing-only --json check.jsonl
grep -qx '4 entries in the range, 1 outside; 1 mistake: 1 missing' out || fail "not what is missing only"
printf '\xef\xbb\xbf%s\n%s\n' 0x1.0000000050418p+0 0x1.0000000050419p+0 >extra.wc # after a byte order mark
succeeds check exp extra.wc --bits 20 --values-only --allow-extra --json check.jsonl
grep -qx '2 entries in the range, 0 outside; 0 mistakes; 1 superfluous, as allowed' out || fail "what is allowed is a mistake"

# Lists state what they are of; `-` is standard input.
{
  echo '# Hard-to-round cases of exp on [1, 0x1.00000001p+0), binary64 with arguments of 53 bits, breakpoints: all, K = 20.'
  cat right.wc
} >said.wc
succeeds check exp said.wc --values-only
grep -qx '4 entries in the range, 0 outside; 0 mistakes' out || fail "what the list says of itself is not taken"
refuses 2 "said.wc has the cases of exp, not of log" check log said.wc --values-only
refuses 2 "said.wc is of --format binary64; the command line says otherwise" check exp said.wc --format binary32 --values-only
refuses 2 "said.wc has the cases from K = 20 on: --bits must be 20 or more, not 19" check exp right.wc --bits 19 --against said.wc
refuses 2 "said.wc does not cover " check exp right.wc --bits 20 --from 1 --to 2 --against said.wc
refuses 2 "the list covers only [0x1p+0, 0x1.00000001p+0): --from" check exp said.wc --to 2 --values-only
sed 's/^# exp$/# 4294967296 arguments covered; 5 cases, 0 exact cases./' said.wc >whole.wc
refuses 2 "whole.wc is incomplete: it announces 5 cases, but has 4" check exp said.wc --against whole.wc
"$TMD" check exp - --values-only <said.wc >out || fail "standard input is not read"
grep -qx '4 entries in the range, 0 outside; 0 mistakes' out || fail "standard input is read otherwise"
refuses 2 "LIST and --against cannot both be standard input" check exp - --against -

# Files that are no lists are refused; records may have a name that is no UTF-8.
refuses 2 "/dev/null: it is no list: there is no number in it" check exp /dev/null "${range[@]}" --values-only
printf '1\n' >$'odd\xff'
tmd check exp $'odd\xff' "${range[@]}" --values-only --json check.jsonl
[[ $status -eq 4 ]] || fail "status $status for an odd name, not 4"

# Arguments at the ends of other functions' values are no cases, and the following entries are checked.
printf '%s\n' 0x1.fffffffffffffp+1023 1 >sinh.wc
tmd check sinh sinh.wc --bits 40 --values-only
[[ $status -eq 4 ]] || fail "status $status for superfluous entries, not 4"
grep -qE '^superfluous 0x1.fffffffffffffp\+1023, line 1: no case: the value overflows$' out || fail "an overflow is not named"

refuses 2 "--bits is missing" check exp right.wc --values-only
refuses 2 "no list given" check exp --bits 20
refuses 2 "a search needs --from and --to; or give --against FILE, or --values-only" check exp right.wc --bits 20
refuses 2 "--against and --values-only exclude each other" check exp right.wc "${range[@]}" --against right.wc --values-only
echo '1 x' >bad.wc
refuses 2 "bad.wc, line 1: 'x' is not a count of bits" check exp bad.wc "${range[@]}" --values-only

tmd devices
grep -q "usable  *yes" out || skip "no usable device"

# Our own records, and decimals: kinds swapped, bits slightly wrong, one entry dropped.
succeeds search exp "${range[@]}" --quiet --json right.jsonl
succeeds check exp right.jsonl "${range[@]}"
grep -qx '4 entries in the range, 0 outside; 0 mistakes' out || fail "a search's own records are not accepted"
# names TEXT: this mistake must be named for wrong.jsonl.
names() {
  cmp -s right.jsonl wrong.jsonl && fail "nothing was planted for '$1'"
  tmd check exp wrong.jsonl "${range[@]}" --against right.jsonl
  [[ $status -eq 4 && ! -s err ]] || fail "status $status for '$1', not 4"
  grep -qE "$1" out || fail "it is not named: '$1'"
  grep -qE '; [12] mistakes?: ' out || fail "more is named than '$1'"
}
sed '3s/midpoint/representable/' right.jsonl >wrong.jsonl
names '^misclassed +0x1.0000000002d96p\+0, line 3: its breakpoint is midpoint, not representable$'
sed '3s/"case"/"exact"/' right.jsonl >wrong.jsonl
names '^misclassed +0x1.0000000002d96p\+0, line 3: hard, not exact$'
sed '2s/22.0988/22.0989/' right.jsonl >wrong.jsonl
names '^misclassed +0x1.0000000050418p\+0, line 2: 22.0988 bits, not 22.0989$'
sed '4s/8e156p/8e157p/' right.jsonl >wrong.jsonl
tmd check exp wrong.jsonl "${range[@]}" --against right.jsonl
[[ $status -eq 4 ]] || fail "status $status for a bit off, not 4"
grep -qE '^superfluous +0x1.000000008e157p\+0, line 4: ' out || fail "a bit off is not superfluous"
grep -qE '^missing +0x1.000000008e156p\+0: ' out || fail "a bit off is not missing"
sed '4d' right.jsonl >wrong.jsonl
names '^missing +0x1.000000008e156p\+0: 20.4859 bits, representable$'
sed '4p' right.jsonl >wrong.jsonl
names '^unusable +0x1.000000008e156p\+0, line 5: same as line 4$'
python=$(command -v python3 || true)
if [[ -n $python ]]; then
  "$python" -c 'from decimal import Decimal; print(Decimal(float.fromhex("0x1.0000000050418p+0")))' >decimal
  succeeds check exp decimal "${range[@]}" --values-only
  grep -qx '1 entry in the range, 0 outside; 0 mistakes' out || fail "a decimal is not read"
fi
if command -v gzip >/dev/null; then
  gzip -k right.jsonl
  succeeds check exp right.wc "${range[@]}" --against right.jsonl.gz
fi
succeeds check exp right.wc "${range[@]}"
grep -q 'binade of 2^0: 4 of 4 cases listed' out || fail "the search has found others"
tmd check exp wrong.wc "${range[@]}"
[[ $status -eq 4 ]] || fail "status $status for a wrong list, not 4"
grep -qE '^missing +0x1.0000000002d96p\+0: ' out || fail "what the search has found is not missing"
refuses 2 "the search for what should be listed has failed: " check log right.wc --bits 20 --from -2 --to -1
