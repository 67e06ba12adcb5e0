#!/usr/bin/env bash
# Outputs of `tmd merge` for other programs: raw numbers, and lists with the right results.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

tmd devices
grep -q "usable  *yes" out || skip "no usable device"

succeeds "${small[@]}" --json files/small.jsonl --wc files/small.wc
succeeds merge files/small.jsonl --wc files/told.wc --bin files/small.bin --expected
[[ $(grep -v '^#' files/told.wc) == "$(grep -v '^#' files/small.wc)" ]] || fail "not the same cases"
grep -B 1 -x 0x1.0000000050418p+0 files/told.wc | grep -qx \
  '# nearest 0x1.5bf0a8b1b28adp+1, upward 0x1.5bf0a8b1b28adp+1, downward 0x1.5bf0a8b1b28acp+1, toward-zero 0x1.5bf0a8b1b28acp+1' ||
  fail "not the right results: $(grep -B 1 -x 0x1.0000000050418p+0 files/told.wc)"
numbers=$(sed -n 's/^0x1\.\([0-9a-f]*\)p+0$/0x3ff\1/p' files/small.wc | sed 's/$/0000000000000/; s/^\(0x.\{16\}\).*/\1/')
[[ $(od -An -v -tx8 -w8 --endian=little files/small.bin | sed 's/^ */0x/') == "$numbers" ]] || fail "not those numbers"

succeeds search exp --format binary80 --from 1 --to 1+2^-40 --bits 20 --json files/long.jsonl --show 1
succeeds merge files/long.jsonl --bin files/long.bin
count=$(grep -c '"type":"case"' files/long.jsonl)
[[ $(stat -c %s files/long.bin) -eq $((10 * count)) ]] || fail "binary80: not ten bytes each"
[[ $(od -An -v -tx1 -w10 files/long.bin | cut -d' ' -f 9-11 | sort -u) == "80 ff 3f" ]] || fail "binary80: not those bytes"

succeeds search exp --from 1 --to 1+2^-20 --argument-precision 54 --bits 30 --json files/finer.jsonl
refuses 2 "arguments of 54 bits are no numbers of binary64" merge files/finer.jsonl --bin files/finer.bin
[[ ! -e files/finer.bin ]] || fail "a file of what is refused"
refuses 2 "two of --wc, --json and --bin name the same file" merge files/small.jsonl --wc files/a --bin files/a
