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
grep -qx '4 entries in the range, 1 outside; 3 mistakes' out || fail "not the sum"
grep -qF '{"type":"summary","arguments":4,"outside":1,"missing":1,"superfluous":1,"misclassed":1,"unusable":0,"not_in_reference":0}' \
  check.jsonl || fail "not the summary"
if command -v xz >/dev/null; then
  xz -k right.wc
  succeeds check exp right.wc.xz "${range[@]}" --values-only
fi

refuses 2 "--bits is missing" check exp right.wc --values-only
refuses 2 "no list given" check exp --bits 20
refuses 2 "a search needs --from and --to; or give --against FILE, or --values-only" check exp right.wc --bits 20
refuses 2 "--against and --values-only exclude each other" check exp right.wc "${range[@]}" --against right.wc --values-only
echo '1 x' >bad.wc
refuses 2 "bad.wc, line 1: 'x' is no count of bits" check exp bad.wc "${range[@]}" --values-only

tmd devices
grep -q "usable  *yes" out || skip "no usable device"
succeeds check exp right.wc "${range[@]}"
grep -q 'binade of 2^0: 4 of 4 cases listed' out || fail "the search has found others"
tmd check exp wrong.wc "${range[@]}"
[[ $status -eq 4 ]] || fail "status $status for a wrong list, not 4"
grep -qE '^missing +0x1.0000000002d96p\+0: ' out || fail "what the search has found is not missing"
refuses 2 "the search for what should be listed has failed: " check log right.wc --bits 20 --from -2 --to -1
