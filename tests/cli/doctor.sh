#!/usr/bin/env bash
# tmd doctor: each line "ok" or what to do, and the exit status of a search; sentences of their own for a driver that cannot
# be loaded and a platform without devices; a cache folder for PoCL where its own cannot be written.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

refuses 2 "unexpected argument 'now'" doctor now
refuses 2 "unknown option '--bogus'" doctor --bogus

# to_do TEXT: the last run must have ended with status 3, with this advice on one of its lines.
to_do() {
  [[ $status -eq 3 ]] || fail "status $status, not 3"
  grep '^to do ' out | grep -qF -- "$1" || fail "no line 'to do' with '$1'"
  grep -qx "A search would not run." out || fail "it does not say that a search would not run"
  if grep -vE '^(ok|to do)  |^A search would not run\.$' out; then fail "a line is neither ok nor to do"; fi
}

# No drivers, a file without a name, a library that is missing, and one that is no library.
mkdir none empty-file missing no-library
touch empty-file/a.icd
echo "$scratch/no-such-driver.so" >missing/a.icd
echo "no library" >no-library/text.so
echo "$scratch/no-library/text.so" >no-library/a.icd
for vendors in "$scratch/none" "$scratch/not-there"; do
  OCL_ICD_VENDORS=$vendors tmd doctor
  to_do "'$vendors' has no *.icd file"
done
for folder in empty-file missing no-library; do
  OCL_ICD_VENDORS=$scratch/$folder refuses 3 "the OpenCL driver of '$scratch/$folder/a.icd' cannot be loaded (" devices
  OCL_ICD_VENDORS=$scratch/$folder tmd doctor
  to_do "the OpenCL driver of '$scratch/$folder/a.icd' cannot be loaded ("
done
OCL_ICD_VENDORS=$scratch/missing refuses 3 "no-such-driver.so: cannot open shared object file" "${small[@]}"

# Without kernels.
TMD_KERNEL_PATH=$scratch/not-there tmd doctor
to_do "TMD_KERNEL_PATH names '$scratch/not-there', which is not a folder"

tmd devices --json devices.jsonl
grep -q "usable  *yes" out || skip "no usable device"

pocl=$(grep '"platform":"Portable Computing Language"' devices.jsonl | grep '"class":"cpu"' | head -n 1 |
  sed 's/.*"index":\([0-9]*\).*/\1/')
unset POCL_WORK_GROUP_METHOD TMD_CPU_MODE
succeeds doctor
# The reason why PoCL's CPU mode is unknown is printed here, and once.
[[ -z $pocl || $(grep -c "PoCL does not say what its work-group method 'loopvec' did" out) -eq 1 ]] ||
  fail "the mode is not explained once"
grep -qx "A search would run." out || fail "it does not say that a search would run"
for what in version kernels "cache folder" programs loader driver platform "device 0" "  profile" "  build" "  self-test"; do
  grep -qE "^ok +$what " out || fail "no line for '$what'"
done
grep -qF "$("$TMD" --version)" out || fail "it does not say the version"
[[ ! -s err ]] || fail "something on stderr"

# Broken kernels, and kernels that answer wrongly.
cp -r "$TMD_TESTS/../cl_kernels" broken
sed -i 's/u64 limit = 2 \* offset;/u64 limit = 1;/' broken/domains/phase3.cl
echo "this is no C" >>broken/wide/groups.cl
TMD_KERNEL_PATH=$scratch/broken tmd doctor --foreign-kernels
to_do "building kernel wide/groups.cl for"
to_do "  self-test"

# Kernels that most searches do not need are tried as well.
cp "$TMD_TESTS/../cl_kernels/wide/"*.cl broken/wide/
cp "$TMD_TESTS/../cl_kernels/domains/phase3.cl" broken/domains/
echo "this is no C" >>broken/wide/parts.cl
TMD_KERNEL_PATH=$scratch/broken succeeds search exp --from 1 --to 0x1.00001p+0 --algorithm wide --foreign-kernels
TMD_KERNEL_PATH=$scratch/broken tmd doctor --foreign-kernels
to_do "building kernel wide/parts.cl for"

[[ -n $pocl ]] || skip "no PoCL"
# PoCL crashes if hwloc does not find out the memory, as without /sys.
mkdir no-system
HWLOC_FSROOT=$scratch/no-system tmd devices
if [[ $status -gt 128 ]]; then # the signal is not always the same
  HWLOC_FSROOT=$scratch/no-system tmd doctor
  to_do "a driver does not list its devices: it was ended by signal "
fi
unset POCL_CACHE_DIR XDG_CACHE_HOME

# doctor_without_kernels: leaves in `out` what it says, of the cache folder among others. Nothing is built, which takes
# it ten seconds without a cache.
doctor_without_kernels() {
  TMD_KERNEL_PATH=$scratch/not-there tmd doctor
  [[ $status -eq 3 ]] || fail "doctor without kernels: status $status, not 3"
}
# What is built where: the kernels of a search that needs few.
few=("${small[@]}" --algorithm exhaustive --device "$pocl" --no-journal --quiet)

# A platform has no devices.
[[ $(wc -l <devices.jsonl) -gt 1 ]] || {
  POCL_DEVICES='' tmd devices
  POCL_DEVICES=bogus refuses 3 "the OpenCL platform 'Portable Computing Language' offers no device: " devices
  POCL_DEVICES=bogus tmd doctor
  to_do "the OpenCL platform 'Portable Computing Language' offers no device: "
}

# If the home does not exist, is a file, is not set, or cannot be written, the kernels are in a private folder of the
# temporary files, and nobody makes the home.
mkdir tmp read-only
chmod a-w read-only
touch file
for home in "$scratch/no/home" "$scratch/file" "" "$scratch/read-only"; do
  rm -rf tmp
  mkdir tmp
  if [[ -d built ]]; then cp -r built "tmp/tmd-pocl-$(id -u)"; fi # it is made only once
  if [[ -w $home && -d $home ]]; then mkdir -p "$home/.cache/pocl" && cp -r built "$home/.cache/pocl/kcache"; fi
  HOME=$home TMPDIR=$scratch/tmp doctor_without_kernels
  cp out said
  HOME=$home TMPDIR=$scratch/tmp succeeds "${few[@]}"
  [[ ! -e $scratch/no ]] || fail "the home was made"
  if [[ -w $home && -d $home ]]; then continue; fi # root writes anywhere
  grep -qF "$scratch/tmp/tmd-pocl-$(id -u), since PoCL's own cannot be written" said || fail "another cache folder with HOME='$home'"
  [[ -n $(find "tmp/tmd-pocl-$(id -u)" -name '*.so') ]] || fail "no kernels in the cache folder with HOME='$home'"
  [[ $(stat -c %a "tmp/tmd-pocl-$(id -u)") == 700 ]] || fail "the cache folder is not private"
  [[ -d built ]] || cp -r "tmp/tmd-pocl-$(id -u)" built # kernels for the folders that later runs only examine
done
env -u HOME TMPDIR="$scratch/tmp" "$TMD" "${few[@]}" >out 2>err || fail "not without HOME"

# A folder of the same name that others may write is not trusted; then there is no cache.
chmod 777 "tmp/tmd-pocl-$(id -u)"
HOME=$scratch/no/home TMPDIR=$scratch/tmp doctor_without_kernels
grep -qE "^to do +cache folder +PoCL has no folder for its kernels that can be written; name one in POCL_CACHE_DIR" out ||
  fail "a folder that others may write is used"
if [[ $(wc -l <devices.jsonl) -eq 1 ]]; then
  HOME=$scratch/file TMPDIR=$scratch/tmp refuses 3 "PoCL has no folder for its kernels that can be written" devices
fi

# The user's choices are kept: their cache, or PoCL's own.
mkdir -p home/.cache/pocl cache/pocl
cp -r built home/.cache/pocl/kcache
cp -r built cache/pocl/kcache
cp -r built chosen
HOME=$scratch/home doctor_without_kernels
grep -qE "^ok +cache folder +$scratch/home/.cache/pocl/kcache$" out || fail "PoCL's own folder is not used"
XDG_CACHE_HOME=$scratch/cache doctor_without_kernels
grep -qE "^ok +cache folder +$scratch/cache/pocl/kcache$" out || fail "not the folder of XDG_CACHE_HOME"
POCL_CACHE_DIR=$scratch/chosen doctor_without_kernels
grep -qE "^ok +cache folder +$scratch/chosen$" out || fail "not the folder of POCL_CACHE_DIR"
HOME=$scratch/home POCL_CACHE_DIR='' succeeds "${few[@]}" # without them PoCL aborts then
HOME=$scratch/home POCL_CACHE_DIR=$scratch/not-there doctor_without_kernels
grep -qE "^to do +cache folder +POCL_CACHE_DIR names '$scratch/not-there', which is no folder that can be written; PoCL uses" out ||
  fail "a folder that is not there is not told"
POCL_CACHE_DIR=/proc/none tmd "${small[@]}" --algorithm exhaustive # where PoCL does not use its device for it
[[ $status -eq 0 ]] || grep -q "POCL_CACHE_DIR names '/proc/none'" err || fail "the reason is not told: status $status"
XDG_CACHE_HOME=$scratch/file/cache HOME=$scratch/home TMPDIR=$scratch/tmp2 doctor_without_kernels
grep -qE "^ok +cache folder +/tmp/tmd-pocl-$(id -u), since PoCL's own cannot be written$" out ||
  fail "not the usual folder of temporary files"
