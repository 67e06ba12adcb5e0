#!/usr/bin/env bash
# Every CPU mode finds the same cases on Intel's runtime, and the log of the build says that it took effect.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit
source "$TMD_TESTS/intel/intel.bash"

job=(search exp --from 1 --to 0x1.00001p+0 --bits 30 --device "$intel" --compaction atomic --polynomials hybrid
  --algorithm regular)
succeeds "${small[@]}" --device "$intel"

# in_effect PART: prints the mode that the last search's record has for it.
in_effect() { grep -o '"in_effect":{[^}]*}' search.jsonl | grep -o "\"$1\":\"[^\"]*\"" | cut -d '"' -f 4; }

for mode in auto scalar vector; do
  succeeds "${job[@]}" --cpu-mode "$mode" --json search.jsonl
  grep -q "\"asked\":\"$mode\"" search.jsonl || fail "not the mode that was asked for"
  grep -q "^  CPU mode    $mode asked; phase1" out || fail "$mode: no line that says the mode"
  grep '"type":"case"' search.jsonl >"$mode"
  cmp -s auto "$mode" || fail "$mode: other cases than with auto"
  for part in phase1 phase2 phase3 polynomials_on_device; do
    case $mode-$(in_effect "$part") in
      auto-vectorized* | auto-not* | scalar-not\ vectorized | vector-vectorized\ by\ the\ runtime\ \([0-9]*\)) ;;
      *-explicit\ vectors\ of\ *) ;; # the kernel's own vectors
      *) fail "$mode: $part is '$(in_effect "$part")'" ;;
    esac
  done
done
[[ $(wc -l <auto) -ge 2 ]] || fail "hardly a case"

# The user's variables win, also one of the two alone, and the report says so.
export CL_CONFIG_CPU_VECTORIZER_MODE=4
succeeds "${job[@]}" --cpu-mode scalar --json search.jsonl
[[ $(in_effect phase3) == "vectorized by the runtime (4)" ]] || fail "the user's width does not win"
unset CL_CONFIG_CPU_VECTORIZER_MODE
export CL_CONFIG_USE_VECTORIZER=False
succeeds "${job[@]}" --cpu-mode vector --json search.jsonl
[[ $(in_effect phase3) == "not vectorized" ]] || fail "the user's CL_CONFIG_USE_VECTORIZER does not win"
unset CL_CONFIG_USE_VECTORIZER

# The measurement of phase 1 shows it by row.
TMD=$TMD_LAB succeeds phase1 exp --from 1 --to 0x1.00001p+0 --algorithm regular --domains 1024 --repeats 1 --device "$intel" \
  --cpu-mode scalar --json bench.jsonl
grep -q 'CPU mode: scalar asked' out || fail "the table does not say what was asked"
grep -qE '^  regular +native .* not vectorized$' out || fail "the table does not say what is in effect"
grep -q '"division":"native","cpu_mode":{"asked":"scalar","in_effect":"not vectorized"}' bench.jsonl ||
  fail "the record does not say it"
