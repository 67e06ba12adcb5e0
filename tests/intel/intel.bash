# Finds Intel's OpenCL CPU runtime: leaves its device's index in $intel, or skips the test. Source it after common.bash.

: "${TMD_TESTS:?the folder of the tests}"

# The place after an installation without root. A folder that the user has named comes first.
if [[ -z ${OCL_ICD_VENDORS:-} ]]; then
  line=$("$TMD_TESTS/../app/intel-runtime" status 2>/dev/null | grep '^export OCL_ICD_VENDORS=') || line=
  eval "$line"
fi
unset TMD_CPU_MODE
for variable in $(compgen -e CL_CONFIG_); do unset "$variable"; done

tmd devices --json devices.jsonl
intel=$(grep '"class":"cpu"' devices.jsonl | grep '"platform":"Intel(R) OpenCL"' | head -n 1 |
  sed 's/.*"index":\([0-9]*\).*/\1/') || intel=
[[ -n $intel ]] || skip "Intel's OpenCL CPU runtime is not installed; app/intel-runtime installs it"
