#!/usr/bin/env bash
# --version, and the completions that `tmd completions` makes: they know every command, option and name.
# shellcheck disable=SC2034  # what bash completion reads
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

# The version has the hash of the kernels that the program was built with, and reports other ones.
succeeds --version
grep -qxE 'tmd [0-9]+\.[0-9]+\.[0-9]+ \(commit (unknown|[0-9a-f]{12}(-dirty)?), kernels [0-9a-f]{16}\)' out || fail "not the version"
cp out version
cp -r "$TMD_TESTS/../cl_kernels" kernels
TMD_KERNEL_PATH=$scratch/kernels succeeds --version
cmp -s out version || fail "a copy of the kernels is told"
echo "// other" >>kernels/wide/groups.cl
TMD_KERNEL_PATH=$scratch/kernels succeeds --version
grep -qE ', found foreign kernels [0-9a-f]{16}\)$' out || fail "it does not say that the kernels are others"
TMD_KERNEL_PATH=$scratch/not-there succeeds --version
grep -qE ', found no kernels\)$' out || fail "it does not say that there are no kernels"
if [[ -e $TMD_TESTS/../.git ]] && command -v git >/dev/null && git -C "$TMD_TESTS" rev-parse HEAD >/dev/null 2>&1; then
  grep -q "commit " version || fail "no commit, in a checkout"
fi

for arguments in "" "csh" "bash zsh"; do
  # shellcheck disable=SC2086  # words
  refuses 2 "give one shell: bash, zsh or fish" completions $arguments
done

# Every command's options are in every shell's script.
for shell in bash zsh fish; do
  succeeds completions $shell
  cp out $shell
  [[ ! -s err ]] || fail "something on stderr"
done
for command in search resume status merge show libm check verify plot functions devices doctor compare tune; do
  succeeds "$command" --help
  # A command's options begin their lines.
  grep -oE '^ +(-[a-z], )?--[a-z][a-z-]+' out | grep -oE '[-]-[a-z][a-z-]+' | sort -u >options
  [[ -s options ]] || fail "tmd $command --help: no options"
  # grep -q would end before its input has been written.
  while IFS= read -r option; do
    found=$(grep -E "^ +'$command'\)" bash | grep -E -- " ${option}[ ']") || fail "bash does not know $option of $command"
    found=$(sed -n "/^ *'$command') _arguments/,/ ;;$/p" zsh | grep -F -- "--${option#--}[") ||
      fail "zsh does not know $option of $command"
    found=$(grep -F -- "__fish_seen_subcommand_from $command'" fish | grep -E -- "-l ${option#--} ") ||
      fail "fish does not know $option of $command"
    [[ -n $found ]]
  done <options
done

# Completion by bash. replies WORD...: leaves all completions of the last word in `out`, a line each.
compopt() { :; } # works while bash completes only
# shellcheck source=/dev/null
source ./bash
replies() {
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  _tmd
  printf '%s\n' "${COMPREPLY[@]}" >out
}
# completes EXPECTED WORD...: one or several lines must be the completions of the last word.
completes() {
  local expected=$1
  shift
  replies "$@"
  [[ $(cat out) == "$expected" ]] || fail "bash completes '$*' otherwise"
}
completes "search" tmd sea
completes "doctor" tmd doc
completes "--argument-precision" tmd search exp --arg
completes "lefevre
lefevre-plain
lefevre-swap" tmd search exp --algorithm lef
completes "nearest" tmd search exp --rounding n
completes "vector" tmd compare --cpu-mode v
completes "phase1.logms=" tmd search exp --set phase1.lo
completes "cbrt" tmd search cb
completes "tgamma" tmd functions tg
completes "--runs" tmd compare --ru
completes "files" tmd devices --json fil
completes "" tmd search exp --bits ""
completes "" tmd nothing ""

for shell in zsh fish; do
  if command -v $shell >/dev/null; then $shell -n $shell || fail "$shell does not read its completions"; fi
done
