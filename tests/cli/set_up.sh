#!/usr/bin/env bash
# app/set-up on a machine that lacks everything, played by a PATH with Debian's package tools as this script has them: root
# and whoever may use sudo get the packages; all others get one sentence with the line that root is to run, and status 3.
# shellcheck disable=SC2016  # $ is for the fake programs
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

app=$(cd "$TMD_TESTS/../app" && pwd)

# The only programs there are: what set-up needs of any system, and before them the fake ones. (In a folder of their own, so
# that none is ever written through a link to a true one.)
mkdir bin fake
for tool in bash cat cut dirname env grep head mktemp paste rm sed true; do ln -s "$(type -P "$tool")" "bin/$tool"; done
fake() { # NAME TEXT
  printf '#!/bin/bash\n%s\n' "$2" >"fake/$1"
  chmod +x "fake/$1"
}
fake apt-get "echo \"apt-get \$*\" >>'$scratch/called'"
fake dpkg-query 'exit 1' # nothing is installed
# dpkg --compare-versions VERSION ge 3
fake dpkg '[[ $1 == --compare-versions && ${2%%.*} -ge 3 ]]'
knows() { # FLINT's version, or nothing where apt has never been updated
  fake apt-cache "[[ -z '$1' || \$1 != policy ]] || echo '  Candidate: $1'"
}
user() { fake id "echo $1"; }

# set_up STATUS ARGUMENT...: runs it (or `script`), which must end with that status.
set_up() {
  local expected=$1
  shift
  status=0
  : >called
  timeout 60 env PATH="$scratch/fake:$scratch/bin" "${script:-$app/set-up}" "$@" >out 2>err </dev/null || status=$?
  [[ $status -eq $expected ]] || fail "${script:-set-up} $*: status $status, not $expected"
}

# asks_root ARGUMENT...: expects one sentence, with the line; nothing is installed or tried.
asks_root() {
  set_up 3 "$@"
  [[ ! -s out && $(wc -l <err) -eq 1 ]] || fail "set-up $*: not one sentence on stderr"
  [[ $(<err) == "set-up: packages are missing (g++ cmake "*"); to install them, run as root: $line" ]] ||
    fail "set-up $*: not the expected sentence, with '$line'"
  [[ ! -s called ]] || fail "set-up $*: apt-get was called: $(<called)"
}

installs() { # prints the packages from g++ on, in `called`
  set_up 0
  [[ $(head -n 1 called) == "apt-get update" ]] || fail "apt's lists were not updated first"
  [[ $(sed 1d called) == "apt-get install --yes "*" g++ cmake "*" doctest-dev"* ]] || fail "not installed: $(sed 1d called)"
}

line=$(printf '%q' "$app/set-up")
knows 3.1.3-2
user 1000
asks_root
fake sudo 'echo "sudo: a password is required" >&2; exit 1'
asks_root
script=$app/demo asks_root
line+=' --tests'
asks_root --tests
script=$app/../tests/run asks_root -R nothing

# Only root can make a clean machine.
status=0
env PATH="$scratch/fake:$scratch/bin" "$TMD_TESTS/clean_machine" trixie true >out 2>err </dev/null || status=$?
[[ $status -eq 3 ]] || fail "clean_machine as a user: status $status, not 3"
[[ $(<err) == "clean_machine: a clean machine is a chroot, which only root can make"* ]] || fail "clean_machine as a user: not the sentence"

# sudo does not ask, or the user is root.
fake sudo '[[ $1 != -n ]] || shift; exec "$@"'
installs
rm fake/sudo
user 0
installs

# Arb is a package of its own only before FLINT 3. apt may know only after its update which FLINT it is.
if grep -q arb called; then fail "Arb's own package is asked for, where FLINT 3 has it"; fi
knows 2.9.0-5
installs
grep -q ' libflint-arb-dev$' called || fail "Arb is not asked for, where FLINT 2 lacks it"
knows ""
fake apt-get "echo \"apt-get \$*\" >>'$scratch/called'; sed -i \"s/-z ''/-z 2.9.0-5/; s/Candidate: '/Candidate: 2.9.0-5'/\" '$scratch/fake/apt-cache'"
installs
grep -q ' libflint-arb-dev$' called || fail "Arb is not asked for after apt's update"

# If apt-get fails, its output is shown.
fake apt-get 'echo "E: no space left"; exit 100'
fake sleep ''
set_up 3
grep -q '^E: no space left$' err || fail "apt-get's words are not shown"
[[ $(tail -n 1 err) == "set-up: apt-get could not install g++ cmake "*"; its messages are above." ]] || fail "no sentence"

# Missing packages that only tests use stop nobody who may not install them.
fake dpkg-query '[[ $* != *oclgrind* ]] && echo "ii "'
user 1000
set_up 0 --tests
[[ $(<err) == "set-up: tests that want oclgrind will be skipped; to install these packages, run as root: $line" ]] ||
  fail "not the expected sentence, with '$line'"
[[ ! -s called ]] || fail "apt-get was called: $(<called)"

# If nothing is missing, nothing is done.
fake dpkg-query '[[ $* == *Version* ]] && echo 3.1.3-2 || echo "ii "'
set_up 0
[[ ! -s out && ! -s err && ! -s called ]] || fail "something was done, with nothing missing"
