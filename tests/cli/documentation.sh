#!/usr/bin/env bash
# README.md and doc/: the commands run as they stand and give the output that is shown; the manual and the page of options
# have every option. doc/developer/testing.md says how to mark a block of commands that is not run, or run in another way.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit
# shellcheck source=tests/pages.bash
source "$TMD_TESTS/pages.bash"

root=$(cd "$TMD_TESTS/.." && pwd)
mapfile -t pages < <(cd "$root" && list_pages)

# The README shows the command that app/demo runs.
demo=$(sed -n 's/^search=(\(.*\) "$@")$/\1/p' "$root/app/demo")
[[ -n $demo ]] || fail "app/demo has no line search=(…)"
grep -qF -- "tmd $demo" "$root/README.md" || fail "README.md does not show what app/demo runs: tmd $demo"

# The manual has every option.
for command in search resume status merge show libm check verify plot functions run devices compare tune; do
  succeeds "$command" --help
  grep -oE '^ .*--[a-z][a-z-]+' out | grep -oE '[-]-[a-z][a-z-]+' | sort -u >options
  [[ -s options ]] || fail "tmd $command --help: no options"
  while IFS= read -r option; do
    [[ $option == --help ]] || grep -qE "Fl Fl ${option#--}( |\$)" "$root/app/tmd.1" || fail "app/tmd.1 lacks $option of tmd $command"
  done <options
done
"$root/doc/reference/make-options.sh" "$TMD" | cmp - "$root/doc/reference/options.md" >&2 ||
  fail "doc/reference/options.md is not what doc/reference/make-options.sh makes; make it again"

tmd devices
grep -q "usable  *yes" out || skip "no usable device"

# PoCL keeps its kernels in the usual cache, because building them anew would take longer than the test.
export POCL_CACHE_DIR=${POCL_CACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/pocl/kcache}
export XDG_CONFIG_HOME=$scratch/config XDG_CACHE_HOME=$scratch/cache
export TMD
mkdir bin
cat >bin/tmd <<'END'
#!/usr/bin/env bash
if [[ $1 == status ]]; then further_arguments=""; fi # a search before it, in the same block, takes them
# shellcheck disable=SC2086  # words
exec "$(dirname "$TMD")/$(basename "$0")" "$@" ${further_arguments:-}
END
chmod +x bin/tmd
ln -s tmd bin/tmd-lab
PATH=$scratch/bin:$PATH

# run_block PLACE MARK TEXT: runs it in the current folder and adds its output to the file `printed`. A block marked to
# be run with further arguments takes long, and so runs beside those that follow. One that is made shorter does not, and
# leaves in `shortened` the function that it searches.
run_block() {
  local place=$1 mark=$2 text=$3 needed further shorter
  if [[ $mark == *"not run: "* ]]; then return; fi
  needed=$(sed -n 's/.*needs: \([^ ;]*\).*/\1/p' <<<"$mark")
  if [[ -n $needed ]] && ! command -v "$needed" >/dev/null && ! { [[ $needed == matplotlib ]] && has_python plot; }; then
    echo "$place: not run, $needed is missing"
    return
  fi
  further=$(sed -n 's/.*run with: \([^;]*\).*/\1/p' <<<"$mark")
  if [[ -n $further ]]; then
    beside run_text "$place" "$PWD" "$text" "$further"
  else
    shorter=$(sed -n 's/.*shorter with: \([^;]*\).*/\1/p' <<<"$mark")
    if [[ -n ${TMD_TEST_ALL:-} ]]; then shorter=""; fi
    if [[ -n $shorter ]]; then shortened=$(sed -n 's/^tmd search \([^ ]*\) .*/\1/p' <<<"$text"); fi
    run_text "$place" "$PWD" "$text" "$shorter"
  fi
  blocks=$((blocks + 1))
}

# run_text PLACE FOLDER TEXT FURTHER
run_text() {
  local status=0
  cd "$2"
  further_arguments=$4 timeout 300 bash -eux -o pipefail -c "$3" >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
  [[ $status -eq 0 ]] || fail "$1: status $status"
  cat "$scratch/out" >>printed
}

# of_the_whole LINE: whether the whole of a search that was made shorter may have printed the line: `tmd show` says the same
# of a case. Counts are compared with TMD_TEST_ALL only.
of_the_whole() {
  local bits x kind
  if [[ $1 =~ ^[0-9]+\ hard-to-round ]]; then return; fi
  read -r bits x kind <<<"$1"
  "$TMD" show "$shortened" "$x" >"$scratch/shown" && grep -qE "^ *distance +$bits bits from a $kind( |\$)" "$scratch/shown"
}

# check_shown PLACE TEXT: the cases, records, lists and counts of a shown output must have been printed or written by
# the page's commands.
check_shown() {
  local line
  while IFS= read -r line; do
    if [[ $line == *hard-to-round\ cases,* ]]; then line=${line% in *}; fi # the time differs
    if [[ $line == '#'*… ]]; then line=${line%…}; fi # and the rest of the line, too
    if [[ $line =~ ^(\ *[0-9]+\.[0-9]{4}\ |\{\"type\":\"(case|exact)\"|#\ |-?0x|[0-9]+\ hard-to-round) ]]; then
      grep -rqF -- "$line" . || { [[ -n $shortened ]] && of_the_whole "$line"; } || fail "$1: shows what its commands do not give: $line"
    fi
  done <<<"$2"
}

# read_page PAGE: runs its blocks in a folder of its own.
read_page() {
  local line mark="" kind="" text="" number=0 begin=0
  shortened=""
  while IFS= read -r line; do
    number=$((number + 1))
    if [[ -z $kind && $line == '```'?* ]]; then
      kind=${line#'```'} text="" begin=$number
    elif [[ -n $kind && $line == '```' ]]; then
      case $kind in
        sh) run_block "$1:$begin" "$mark" "$text" ;;
        text) check_shown "$1:$begin" "$text" ;;
        toml | cmake) ;;
        python) ;; # python/package runs these
        *) fail "$1:$begin: a block of an unknown kind, '$kind'" ;;
      esac
      kind="" mark=""
    elif [[ -n $kind ]]; then
      [[ $line != '```'* ]] || fail "$1:$begin: the block has no end"
      text+=$line$'\n'
    else
      mark=""
      if [[ $line == '<!-- '*' -->' ]]; then mark=${line#'<!-- '} mark=${mark%' -->'}; fi
    fi
  done <"$root/$1"
  [[ -z $kind ]] || fail "$1:$begin: the block has no end"
}

blocks=0
shortened=""
for page in "${pages[@]}"; do
  mkdir -p "pages/$page"
  cd "pages/$page"
  touch printed
  read_page "$page"
  cd "$scratch"
done
[[ $blocks -ge 20 ]] || fail "only $blocks blocks of commands were run"
# Examples outside of doc/.
sed -n 's/^\.Dl //p' "$root/app/tmd.1" | sed 's/\\-/-/g' >examples
for help in "help" "search --help"; do
  # shellcheck disable=SC2086  # two words
  succeeds $help
  sed -n '/^examples\?:/,$s/^  \(tmd .*\)/\1/p' out >>examples
done
[[ $(wc -l <examples) -ge 6 ]] || fail "too few examples in the manual and the help texts"
run_block "the manual and the help texts" "" "$(cat examples)"
all_ended

# The page of tunables has each of them.
grep -o '"tunables":{[^}]*}' pages/README.md/cases.jsonl | grep -oE '"[a-z0-9.-]+":' | tr -d '":' | sed '/^tunables$/d' >tunables
[[ -s tunables ]] || fail "a search's records have no tunables"
while read -r tunable; do
  grep -qF -- "\`$tunable\`" "$root/doc/reference/tunables.md" || fail "doc/reference/tunables.md lacks $tunable"
done <tunables

# The picture is drawn from the output of the README's command.
python3 -c '' 2>/dev/null || skip "the picture: no python3"
"$root/doc/picture.py" pages/README.md/cases.jsonl | cmp -s - "$root/doc/cases.svg" ||
  fail "doc/cases.svg is not what doc/picture.py draws"

# The reference has every type and key of the records that the commands have written, and their schema.
# shellcheck disable=SC2016  # Python
find pages -name '*.jsonl' -print0 | xargs -0 python3 -c '
import json, pathlib, re, sys

folder = pathlib.Path(sys.argv[1])
told = "".join(page.read_text() for page in folder.glob("*.md"))
schema = int(re.search(r"this\s+page\s+describes:\s+(\d+)", told).group(1))
# the records of these have names of their own
by_name = {"tunables", "request", "default", "nmdm", "methods", "expected_costs"}

def keys(value):
    if isinstance(value, list):
        for element in value:
            yield from keys(element)
    elif isinstance(value, dict):
        for key, element in value.items():
            yield key
            if key not in by_name:
                yield from keys(element)

for name in sys.argv[2:]:
    records = [json.loads(line) for line in open(name)]
    if records[0].get("schema") != schema:
        sys.exit(f"FAILED: {name}: the first record has not schema {schema}, as doc/reference says")
    for record in records:
        missing = {key for key in keys(record) if f"`{key}`" not in told} - {"type"}
        if missing or "`" + record["type"] + "`" not in told:
            sys.exit("FAILED: doc/reference lacks of the record " + record["type"] + ": " + " ".join(sorted(missing)))
' "$root/doc/reference" || exit 1
echo "$blocks blocks of commands"
