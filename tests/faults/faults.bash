# Functions that the scripts of this folder share: the searches, their right lists, and the allowed effects of a fault.
# For Bash.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash"
command -v perl >/dev/null || skip "no perl"

# exp on [1, 1 + 2^-13): 243 cases.
demo=(search exp --from 1 --to 0x1.0008p+0 --argument-precision 54 --rounding directed --bits 33)
declare -A command=(
  [wide]="${demo[*]} --algorithm wide --set wide.vector-width=16 --set wide.items=1"
  [wide-scalar]="${demo[*]} --algorithm wide --set wide.vector-width=1 --set wide.order=given"
  [wide-sorted]="${demo[*]} --algorithm wide --set wide.vector-width=1 --set wide.order=by-lines"
  [chords]="search exp --from 0x1p-26 --to 0x1.001p-26 --bits 34 --algorithm wide --set wide.vector-width=16 --set wide.items=1"
  [chords-sorted]="search exp --from 0x1p-26 --to 0x1.001p-26 --bits 34 --algorithm wide --set wide.vector-width=1 --set wide.order=by-lines"
  [parts]="search sin --from 0x1p-12 --to 0x1.0001p-12 --bits 20 --algorithm wide --set wide.vector-width=16 --set wide.items=1"
  [regular]="${demo[*]} --algorithm regular --polynomials hybrid --set phase1.division=double --set phase2.division=double --set phase1.vector-width=16 --set phase2.vector-width=16"
  [regular-scalar]="${demo[*]} --algorithm regular --set phase1.vector-width=1 --set phase2.vector-width=1"
  [lefevre]="${demo[*]} --algorithm lefevre"
  [one]="${demo[*]} --algorithm regular --deployment one"
  [boxes]="search pow --format binary16 --bits 14 --shard 5/80"
  [many-boxes]="search pow --format binary16 --bits 16 --shard 3/32"
  [differences]="search tan --from 0x1.921fb544p+0 --to 0x1.921fb54442d1p+0 --bits 12 --algorithm differences"
  [exhaustive]="search exp --from 1 --to 0x1.000001p+0 --bits 24 --algorithm exhaustive"
)
command[short-regular]="${command[regular]} --to 0x1.0002p+0" # a quarter: the later option counts
touch judged wrong

# prepare SEARCH...: makes their right lists, in right-SEARCH.
prepare() {
  local name
  tmd devices
  grep -q "usable  *yes" out || skip "no usable device"
  for name in "$@"; do beside make_right_list "$name"; done
  all_ended
}

make_right_list() {
  local right=$top/right-$1
  # shellcheck disable=SC2086 # words
  succeeds ${command[$1]} --quiet --wc "$scratch/list.wc"
  grep -v '^#' list.wc >"$right"
  [[ $1 == parts || $1 == chords* || $1 == exhaustive || $1 == differences || $1 == *boxes || $1 == short-* || $(wc -l <"$right") -eq 243 ]] || fail "$1: not the 243 cases without a fault"
  [[ -s $right ]] || fail "$1: no cases without a fault"
}

# run SEARCH: leaves the files that judge examines.
run() {
  rm -f "$scratch"/list.wc*
  status=0
  # shellcheck disable=SC2086 # words
  timeout 900 "$TMD" ${command[$1]} --quiet --foreign-kernels --wc "$scratch/list.wc" >"$scratch/out" 2>"$scratch/err" \
    </dev/null || status=$?
}

# judge FAULT SEARCH EXPECTED: prints a line with the outcome of the last run.
judge() {
  local what
  case $status in
    0) if grep -v '^#' list.wc | cmp -s - "$top/right-$2"; then what=harmless; else what=MISSED; fi ;;
    3 | 4) what=noticed ;;
    124) what="no end" ;;
    *) what="status $status" ;;
  esac
  if grep -q '^tmd: building kernel' err; then what="no build"; fi
  printf '%-9s %-58s %-15s %s\n' "$what" "$1" "$2" "$(head -n 1 err | sed -E 's/^tmd: (device [0-9]+ \(.*\):? )?//' | cut -c 1-150)" |
    tee -a "$top/judged"
  case $3/$what in
    noticed/noticed | harmless/harmless | either/noticed | either/harmless) ;;
    *) echo "$1, $2: $what" >>"$top/wrong" ;;
  esac
}

finish() {
  all_ended
  echo "$(grep -c '' judged) faults: $(grep -c '^noticed' judged) noticed, $(grep -c '^harmless' judged) harmless"
  require_none_wrong
}

# Fails if nothing was judged, or something was wrong.
require_none_wrong() {
  [[ -s judged ]] || fail "no fault was tried"
  if [[ -s wrong ]]; then
    sed 's/^/FAILED: /' wrong >&2
    exit 1
  fi
}
