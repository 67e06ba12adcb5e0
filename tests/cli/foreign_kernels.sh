#!/usr/bin/env bash
# Kernels that this program was not built with: every command that runs kernels refuses them, and names the option;
# --foreign-kernels uses them, and all outputs say so.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

succeeds --version
own=$(sed -n 's/.*kernels \([0-9a-f]\{16\}\))$/\1/p' out)
[[ -n $own ]] || fail "--version does not end with the kernels' hash"

# The hash can be computed without this program.
digest() { # FOLDER
  (cd "$1" && find . -name '*.cl' -o -name '*.clh' | sed 's,^\./,,' | LC_ALL=C sort | xargs sha256sum | sha256sum | cut -c 1-16)
}
cp -r "$TMD_TESTS/../cl_kernels" own
[[ $(digest own) == "$own" ]] || fail "the hash is not that of the sources"
echo "text" >own/wide/README # no kernel
cp -r own byte
sed -i '$s/$/ /' byte/wide/lines.clh
cp -r own added
touch added/wide/added.clh
cp -r own missing
rm missing/bench/integer_division.cl
mkdir empty

# The reason why a file cannot be read.
status=0
bash -c 'exec 3>&- 4>&-; ulimit -n 5; exec "$@"' bash "$TMD" "${small[@]}" >out 2>err || status=$?
[[ $status -eq 3 ]] && grep -q "^tmd: cannot read the kernel.* '.*': Too many open files$" err ||
  fail "five files: status $status, or not why"

range=(exp --from 1 --to 0x1.00000001p+0 --bits 20)
for folder in byte added missing empty; do
  export TMD_KERNEL_PATH=$scratch/$folder
  other=$(digest "$folder")
  [[ $folder == empty || $other != "$own" ]] || fail "$folder: the same hash"
  sentence="the kernels in '$scratch/$folder' ($other) are not those that this program was built with ($own): build (or install) it again, or give --foreign-kernels"
  if [[ $folder == empty ]]; then sentence="are not those that this program was built with ($own)"; fi
  for command in "search ${range[*]} --wc files/list.wc --json files/log.jsonl" "compare ${range[*]} --json files/log.jsonl" \
    "tune --quick --output files/profile.toml"; do
    # shellcheck disable=SC2086 # words
    refuses 3 "$sentence" $command
  done
  for command in "phase1 ${range[*]}" "polynomials ${range[*]}" "divergence ${range[*]}" "wide ${range[*]}" \
    "phase sin --from 1024 --to 2048" division; do
    # shellcheck disable=SC2086 # words
    TMD=$TMD_LAB refuses 3 "$sentence" $command
  done
  tmd doctor
  [[ $status -eq 3 ]] || fail "doctor: status $status, not 3"
  grep '^to do  kernels ' out | grep -qF -- "$sentence" || fail "doctor does not say that the kernels are others"
  succeeds --version
  grep -qE "kernels $own, found foreign kernels [0-9a-f]{16}\)$" out || fail "--version does not tell both"
  unset TMD_KERNEL_PATH
done
no_files

tmd devices
grep -q "usable  *yes" out || skip "no usable device"

# A copy is accepted.
export TMD_KERNEL_PATH=$scratch/own
for given in "" --foreign-kernels; do
  # shellcheck disable=SC2086 # nothing, or a word
  succeeds "${small[@]}" $given --wc files/list.wc --json files/log.jsonl
  if grep -q foreign out; then fail "its own kernels are called foreign"; fi
  grep -qx "# Kernels: $own" files/list.wc || fail "the list does not say by which kernels"
  head -n 1 files/log.jsonl | grep -qF "\"kernels\":\"$own\",\"foreign_kernels\":false" || fail "the records do not say by which kernels"
done

# Other kernels on request: every file says so.
export TMD_KERNEL_PATH=$scratch/byte
other=$(digest byte)
told="\"kernels\":\"$other\",\"foreign_kernels\":true"
succeeds "${small[@]}" --foreign-kernels --wc files/list.wc --json files/log.jsonl
grep -qx "with kernels $other, foreign: this program was built with $own" out || fail "the search does not say that its kernels are foreign"
grep -qx "# Kernels: $other, foreign: this program was built with $own" files/list.wc || fail "the list does not say that its kernels are foreign"
[[ $(grep -vc '^#' files/list.wc) -eq 4 ]] || fail "not the four cases"
head -n 1 files/log.jsonl | grep -qF "$told" || fail "the records of a search do not say that its kernels are foreign"
succeeds compare "${range[@]}" --algorithm wide --cpu-mode auto --foreign-kernels --json files/log.jsonl
head -n 1 files/log.jsonl | grep -qF "$told" || fail "the records of a comparison do not say that its kernels are foreign"
TMD=$TMD_LAB succeeds division --division reciprocal --repeats 1 --operands 1000 --foreign-kernels --json files/log.jsonl
head -n 1 files/log.jsonl | grep -qF "$told" || fail "the records of a bench do not say that its kernels are foreign"
TMD=$TMD_LAB succeeds divergence "${range[@]}" --algorithm regular --foreign-kernels --json files/log.jsonl
head -n 1 files/log.jsonl | grep -qF "$told" || fail "the record of the divergence does not say that its kernels are foreign"
tmd doctor --foreign-kernels
[[ $status -eq 0 ]] || fail "doctor --foreign-kernels: status $status, not 0"
grep -qE "^ok +kernels +$scratch/byte, $other, foreign: this program was built with $own$" out || fail "doctor does not say that the kernels are foreign"
