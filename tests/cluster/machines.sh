#!/usr/bin/env bash
# configs/cluster/parallel.sh as it is shipped, with two machines: two sshd on the loopback, each of which has a home folder
# of its own, and GNU parallel, ssh and rsync as they are.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit
source "$TMD_TESTS/cluster/cluster.bash"
tmd devices
grep -q "usable  *yes" out || skip "no usable device"
[[ $(id -u) -eq 0 ]] && unshare --mount true 2>/dev/null || skip "an sshd with another home folder is root's, who may mount"
command -v parallel >/dev/null && command -v rsync >/dev/null || skip "no GNU parallel or no rsync"
unpack openssh-server openssh-client

mkdir bin here
ln -s "$TMD" bin/tmd
export PATH=$scratch/bin:$PATH
ssh-keygen -q -t ed25519 -N '' -f key
cat >ssh_config <<END
IdentityFile $scratch/key
UserKnownHostsFile $scratch/known_hosts
StrictHostKeyChecking accept-new
LogLevel ERROR
END
daemons=()
trap 'kill "${daemons[@]}" 2>/dev/null || true; rm -rf "$scratch"' EXIT
for machine in one two; do
  port=$((port + 1))
  mkdir -p "$machine/.parallel" "$machine/.ssh"
  touch "$machine/.parallel/will-cite"
  ssh-keygen -q -t ed25519 -N '' -f "$machine.key"
  # In a mount namespace, root has this home, and the user that sshd needs exists.
  awk -F: -v OFS=: -v home="$scratch/$machine" '$1 == "root" { $6 = home; $7 = "/bin/bash" } $1 != "sshd"' /etc/passwd >"$machine.passwd"
  echo "sshd:x:65533:65534::/run/sshd:/usr/sbin/nologin" >>"$machine.passwd"
  cat >"$machine.conf" <<END
ListenAddress 127.0.0.1:$port
HostKey $scratch/$machine.key
AuthorizedKeysFile $scratch/key.pub
StrictModes no
UsePAM no
PidFile none
SetEnv PATH=$PATH LD_LIBRARY_PATH=$LD_LIBRARY_PATH XDG_CACHE_HOME=${XDG_CACHE_HOME:-$HOME/.cache}
END
  cat >>ssh_config <<END
Host $machine
  HostName 127.0.0.1
  Port $port
END
  # shellcheck disable=SC2016  # for the shell inside
  unshare --mount bash -c 'mount --bind "$1.passwd" /etc/passwd && mount -t tmpfs tmpfs /run && mkdir -m 755 /run/sshd &&
    exec "$2" -D -e -f "$1.conf"' bash "$scratch/$machine" "$(command -v sshd)" >"$machine.log" 2>&1 </dev/null &
  daemons+=($!)
done
mkdir -p .parallel
touch .parallel/will-cite
printf "1/ssh -F $scratch/ssh_config %s\n" one two >here/machines
for machine in one two; do
  for ((attempt = 0; attempt < 100; ++attempt)); do
    if ssh -F ssh_config "$machine" true 2>err </dev/null; then break; fi
    sleep 0.1
  done
  [[ $(ssh -F ssh_config "$machine" 'cd && pwd' 2>>err </dev/null) == "$scratch/$machine" ]] || {
    cat "$machine.log" >>err
    fail "no ssh to $machine"
  }
done

cd here
search=(exp --format binary32 --bits 20)
export HOME=$scratch
in_parts() {
  timeout 300 "$TMD_TESTS/../configs/cluster/parallel.sh" machines 4 "${search[@]}" >"$scratch/out" 2>"$scratch/err" ||
    fail "parallel.sh: status $?"
  cmp -s <(grep -v '^#' exp.wc) <(grep -v '^#' ../whole.wc) || fail "parallel.sh: another list"
}
succeeds search "${search[@]}" --quiet --wc ../whole.wc
in_parts
cut -f 2 exp-*/joblog | grep -q one && cut -f 2 exp-*/joblog | grep -q two || fail "only one machine has searched"
[[ -z $(find ../one ../two -name '*.journal') ]] || fail "journals stay on a machine"
# A second run does only the searches that are not done.
done_before=$(cat exp-*/joblog)
in_parts
[[ $(cat exp-*/joblog) == "$done_before" ]] || fail "parts that were done were begun again"
