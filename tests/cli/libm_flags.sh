#!/usr/bin/env bash
# tmd libm --flags: exception flags and errno after each call, spurious or missing ones, by planted faults of each kind
# and twins without.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

: "${TMD_FLAGS_LIBRARY:?the library that sets flags wrongly}"
flags() { # FUNCTION SYMBOL [OPTION ...]
  succeeds libm "$1" "${@:3}" --library "$TMD_FLAGS_LIBRARY" --symbol "$2" --flags
}
said() { grep -qE "$1" out || fail "not said: $1"; }
only() { # NUMBER: so many lines must name a wrong flag
  [[ $(grep -cE '^(spurious|missing|inconsistent) ' out) -eq $1 ]] || fail "not $1 lines of flags"
}

# Samples include zeros, poles, subnormal results, exact ones, infinities and NaN.
scan="--seed 1 --calls 60000"
# shellcheck disable=SC2086
{
  flags recip tmd_right_recip $scan --json found.jsonl
  only 0
  said '^flags are right at [0-9]+ calls$'
  said '^errno is never set$'
  said '^nothing wrong found at '
  grep -qE '"flags":\{"calls":[0-9]+,"wrong":\[\],"tiny_before":\{"calls":0,"x":null,"rounding":null\},.*"errno":false\}' found.jsonl ||
    fail "not the flags in the summary"
  flags recip tmd_errno_recip $scan
  only 0
  ! grep -q '^errno' out || fail "errno is said not to be set"
  flags recip tmd_inexact_recip $scan --json found.jsonl
  only 1
  said '^spurious inexact at [0-9]+ calls, the least of them -inf nearest \(C leaves it open\)$'
  ! grep -q '^nothing wrong' out || fail "nothing is said to be wrong"
  grep -qE '"wrong":\[\{"flag":"inexact","kind":"spurious","calls":[0-9]+,"x":"-inf","rounding":"nearest"\}\]' found.jsonl ||
    fail "no spurious flag in the summary"
  flags recip tmd_no_underflow_recip $scan
  only 1
  said '^missing underflow at [0-9]+ calls, the least of them -0x1\.[0-9a-f]+p\+1023 nearest$'
  flags recip tmd_no_pole_recip $scan
  only 1
  said '^missing divide-by-zero at 8 calls, the least of them 0x0p\+0 nearest$'
  flags recip tmd_invalid_recip $scan
  only 2
  said '^spurious invalid at 4 calls, the least of them 0x1\.8p\+1 nearest$'
  said '^missing invalid at [0-9]+ calls, the least of them -snan nearest$'
  flags recip tmd_wrong_errno_recip $scan
  only 3
  said '^spurious EDOM at 4 calls, the least of them 0x1\.4p\+2 nearest$'
  said '^spurious another errno at 4 calls, the least of them 0x1\.cp\+2 nearest$'
  said '^missing ERANGE at [0-9]+ calls, the least of them -0x1p-1024 nearest$'
}

# Results that are tiny by one definition and not by the other.
definition='results are tiny by their values (before|after) rounding: [0-9]+ calls show this'
tiny="--seed 1 --calls 20000 --from -2^-1000 --to 2^-1000"
# shellcheck disable=SC2086
{
  flags sin tmd_right_sin $tiny
  only 0
  said "^$definition$"
  flags sin tmd_before_sin $tiny
  only 0
  said '^results are tiny by their values before rounding: [0-9]+ calls show this$'
  flags sin tmd_mixed_sin $tiny --json found.jsonl
  only 1
  said '^inconsistent underflow: results are tiny by their values before rounding at [0-9]+ calls?, the least of them 0x1p-1022 [a-z-]+; after rounding at [0-9]+ calls?, the least of them -0x1p-1022 '
  grep -qE '"tiny_before":\{"calls":[1-9],"x":"0x1p-1022",.*"tiny_after":\{"calls":[1-9],"x":"-0x1p-1022",' found.jsonl ||
    fail "not the two definitions in the summary"
}

# All arguments, and a list; overflow is only a matter of flags.
flags sqrt tmd_right_flags_sqrtf --all --format binary32 --from -0x1p-140 --to 0x1p-140
only 0
said '^flags are right at 4096 calls$'
flags sqrt tmd_no_invalid_sqrtf --all --format binary32 --from -0x1p-140 --to 0x1p-140
only 1
said '^missing invalid at 2048 calls, the least of them -0x1p-140 nearest$'
printf '%s\n' 0x1p+10 0x1.62e42fefa39efp+9 0x1.62e42fefa39fp+9 >list
flags exp tmd_no_overflow_exp list
said '^missing overflow at [0-9]+ calls, the least of them 0x1\.62e42fefa39fp\+9 '

refuses 2 "--flags has no effect with --command" libm exp list --command cat --flags
