#!/bin/bash
# A search in parts on the machines of a file, by GNU parallel over ssh and rsync; tmd is installed on all of them:
#   configs/cluster/parallel.sh machines.txt 64 exp --from 1 --to 16
# A second run goes on where parts are not done. The machines are others than this one: from `:`, which is what parallel
# calls this one, it returns no files. The list is named by the function, of an expression by its letters and digits; what
# is known of the parts is in a folder for each search, so another range or other options begin anew.
set -euo pipefail
machines=$(realpath -- "${1:?a file with a machine a line}")
count=${2:?how many parts}
function=${3:?a function, then the options of tmd search}
shift 2
name=$(sed -E 's/[^[:alnum:]]+/-/g; s/^-|-$//g' <<<"$function")
parts=$name-$(printf '%s\0' "$count" "$@" | sha256sum | head -c 12)
mkdir -p "$parts"
(
  cd "$parts"
  # --sshloginfile: where; --jobs 1: one part a machine at a time; --workdir: the same folder everywhere, below the home
  # folder; --return and --cleanup: journals come here; --resume-failed with --joblog: parts that are done are not begun
  # again; -q: what stands behind is passed on as it is.
  parallel -q --sshloginfile "$machines" --jobs 1 --workdir "tmd-parts/$parts" --return "{}.journal" --cleanup \
    --joblog joblog --resume-failed \
    tmd search "$@" --shard "{}/$count" --quiet --journal "{}.journal" :::: <(seq "$count") >/dev/null
)
tmd merge "$parts"/*.journal --wc "$name.wc" --json "$name.jsonl"
