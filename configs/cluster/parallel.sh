#!/bin/bash
# A search in parts on the machines of a file, by GNU parallel over ssh and rsync; tmd is installed on all of them:
#   configs/cluster/parallel.sh machines.txt 64 exp --from 1 --to 16
# A second run goes on where parts are not done. The machines are others than this one: from `:`, which is what parallel
# calls this one, it returns no files.
set -euo pipefail
machines=${1:?a file with a machine a line}
count=${2:?how many parts}
function=${3:?a function, then the options of tmd search}
shift 2
# --sshloginfile: where; --jobs 1: one part a machine at a time; --workdir: the same folder everywhere, below the home
# folder; --return and --cleanup: journals come here; --resume-failed with --joblog: parts that are done are not begun
# again; -q: what stands behind is passed on as it is.
parallel -q --sshloginfile "$machines" --jobs 1 --workdir tmd-parts --return "$function-{}.wc.journal" --cleanup \
  --joblog "$function.joblog" --resume-failed \
  tmd search "$@" --shard "{}/$count" --quiet --wc "$function-{}.wc" :::: <(seq "$count") >/dev/null
tmd merge "$function"-*.wc.journal --wc "$function.wc" --json "$function.jsonl"
