#!/usr/bin/env bash
# Without a device, without kernels, or with kernels that do not build: status 3 and a sentence that says what to do.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

refuses 3 "no device fits 'no such device'; \`tmd devices\` lists all devices" "${small[@]}" --device "no such device"
refuses 3 "no device fits '99'" "${small[@]}" --device 99

mkdir empty
for vendors in "$scratch/not-there" "$scratch/empty"; do
  export OCL_ICD_VENDORS=$vendors
  refuses 3 "no OpenCL device found" devices
  refuses 3 "no OpenCL device found" "${small[@]}" --wc files/list.wc
  unset OCL_ICD_VENDORS
done

export TMD_KERNEL_PATH=$scratch/not-there
refuses 3 "TMD_KERNEL_PATH names '$scratch/not-there', which is not a folder" "${small[@]}" --json files/log.jsonl

# device_fails TEXT ARGUMENT...: like `refuses 3`, but the kernels are built when they are needed, so that stdout may say
# what runs.
device_fails() {
  tmd "${small[@]}" --foreign-kernels --wc files/list.wc "${@:2}"
  [[ $status -eq 3 ]] || fail "status $status, not 3"
  [[ $(grep -c '^tmd: ' err) -eq 1 ]] && grep -qF -- "$1" err || fail "not the expected sentence, with '$1'"
  if grep -q "0x1.0000000050418p+0" out; then fail "cases without kernels"; fi
}

export TMD_KERNEL_PATH=$scratch/empty
device_fails "cannot read the kernel file '$scratch/empty/"

# For a broken kernel, the compiler's own message is shown, with the file and the line.
cp -r "$TMD_TESTS/../cl_kernels" broken
echo "this is no C" >>broken/domains/phase2.cl
export TMD_KERNEL_PATH=$scratch/broken
device_fails "building kernel domains/phase2.cl for" --algorithm regular
grep -q "options: .*-DTMD_" err || fail "the build options are not shown"
grep -q "phase2.cl:$(wc -l <broken/domains/phase2.cl)" err || fail "the build log does not name the broken line"
echo "this is no C" >>broken/wide/groups.cl
device_fails "building kernel wide/groups.cl for" --algorithm wide

# Warnings are not shown: nothing from the compiler comes to stderr.
rm -rf broken
cp -r "$TMD_TESTS/../cl_kernels" broken
for file in domains/phase2.cl wide/groups.cl; do echo "void tmd_noise(int x) { x == 7; }" >>broken/$file; done
for algorithm in regular wide; do
  succeeds "${small[@]}" --foreign-kernels --algorithm $algorithm
  if grep -q "generated" err; then fail "the compiler's warnings are on stderr"; fi
done

# A kernel that answers wrongly is caught before the search.
rm -rf broken
cp -r "$TMD_TESTS/../cl_kernels" broken
# plant FILE TEXT REPLACEMENT
plant() {
  sed -i "s/$2/$3/" "broken/$1"
  if cmp -s "broken/$1" "$TMD_TESTS/../cl_kernels/$1"; then fail "$1 does not hold '$2'"; fi
}
plant domains/phase3.cl 'u64 limit = 2 \* offset;' 'u64 limit = 1;'
device_fails "failed the self-test" --algorithm regular
plant wide/check.clh 'value + bound < 2 \* bound' 'value + bound < 1'
device_fails "failed the self-test" --algorithm wide
unset TMD_KERNEL_PATH
no_files

# All devices can be listed, and each be selected by its index.
succeeds devices --json devices.jsonl
grep -q "usable  *yes" out || skip "no usable device"
[[ $(grep -c '"type":"device"' devices.jsonl) -eq $(grep -c '^[0-9]' out) ]] || fail "not one record a device"
succeeds "${small[@]}" --device 0
