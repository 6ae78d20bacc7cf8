# SPDX-License-Identifier: GPL-2.0
# Shared by the rig's scripts: where things are kept, how progress is shown,
# and how a command runs inside the toolchain root. Source it, do not run it.

set -euo pipefail

PROJECT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
SUITE=trixie
KERNEL_SERIES=${KERNEL_SERIES:-7.3}
KERNEL_FLAVOUR=${KERNEL_FLAVOUR:-arm64}
# One variable moves the whole cache.
RIG_CACHE=${RIG_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/ufs_unisoc}
RIG_LOGS=$RIG_CACHE/logs
# Tests at a time: each machine takes 1 GiB, and up to two cores.
JOBS=${JOBS:-$(n=$(nproc); echo $((n < 4 ? n : 4)))}

say()  { printf '%s\n' "$*" >&2; }
note() { printf '      %s\n' "$*" >&2; }
die()  { printf 'rig: %s\n' "$*" >&2; exit 1; }

# hash_of TEXT...: a short key made from all its arguments.
hash_of() { printf '%s\n' "$@" | sha256sum | cut -c1-12; }

# step TITLE EXPECTED_SECONDS COMMAND...: runs a long command with its output
# in a log, shows that it is alive, and shows the end of the log if it fails.
step() {
	local title=$1 expect=$2 log start pid rc=0 tick=0
	shift 2
	mkdir -p "$RIG_LOGS"
	log=$RIG_LOGS/$(printf '%s' "$title" | tr -c 'A-Za-z0-9.\n' '-').log
	start=$SECONDS
	say "==> $title (about ${expect} s)"
	# A process group of its own, to end all of it when this script is ended: what
	# a script has in the background does not see Ctrl-C. SIGKILL, since the first
	# process of a PID name space heeds nothing else.
	set -m
	(set +m; "$@") >"$log" 2>&1 </dev/null &
	pid=$!
	set +m
	# shellcheck disable=SC2064 # now is when $pid is known
	trap "kill -KILL -- -$pid 2>/dev/null; exit 130" INT TERM
	while kill -0 "$pid" 2>/dev/null; do
		sleep 1
		tick=$((tick + 1))
		if [ $((tick % 15)) -eq 0 ]; then
			note "still working, $((SECONDS - start)) s"
		fi
	done
	wait "$pid" || rc=$?
	trap - INT TERM
	if [ "$rc" -ne 0 ]; then
		tail -n 25 "$log" | sed 's/^/      | /' >&2
		say "rig: '$title' failed with exit code $rc. Whole log: $log"
		return "$rc"
	fi
	note "done, $((SECONDS - start)) s"
}

# publish TMP FINAL: a directory appears under its final name whole or not at
# all, so an interrupted step can never be taken for a finished one.
publish() { rm -rf "$2"; mv "$1" "$2"; }

need_root() {
	[ "$(id -u)" -eq 0 ] ||
		die "this needs root: it makes a Debian root and enters it with chroot. Run it with sudo."
}

# in_root [-C DIR] COMMAND...: runs a command inside the toolchain root, in
# mount and PID name spaces of its own, with the project at /src, the cache at
# /cache, and an empty /tmp. Whatever is still running when the command ends dies with it.
in_root() {
	local dir=/src
	if [ "$1" = -C ]; then dir=$2; shift 2; fi
	# shellcheck disable=SC2016 # expanded by the inner shell
	unshare --mount --pid --fork --kill-child sh -ec '
		root=$1 project=$2 cache=$3 dir=$4
		shift 4
		mount --make-rprivate /
		mkdir -p "$root/src" "$root/cache"
		mount --bind "$project" "$root/src"
		mount --bind "$cache" "$root/cache"
		mount -t proc proc "$root/proc"
		mount --rbind /dev "$root/dev"
		# Of its own: make tells others of its kind apart by process number, which
		# two of these name spaces have in common.
		mount -t tmpfs tmpfs "$root/tmp"
		[ ! -e /etc/resolv.conf ] || cat /etc/resolv.conf >"$root/etc/resolv.conf"
		exec chroot "$root" /usr/bin/env -i HOME=/root LC_ALL=C.UTF-8 \
			PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM="${TERM:-dumb}" \
			sh -ec "cd \"\$1\"; shift; exec \"\$@\"" sh "$dir" "$@"
	' sh "$TOOLCHAIN" "$PROJECT" "$RIG_CACHE" "$dir" "$@"
}

# rig_python MODULE ARGUMENT..., python_in_root MODULE ARGUMENT...: a Python program of the
# rig, on this machine or inside the root. Its modules are named from this directory.
rig_python() { PYTHONPATH=$PROJECT/rig python3 -B -m "$@"; }
python_in_root() { in_root env PYTHONPATH=/src/rig python3 -B -u -m "$@"; }

# inside PATH: the path by which a file of the cache is seen inside the root.
inside() { printf '/cache/%s\n' "${1#"$RIG_CACHE"/}"; }

# need_space GIGABYTES: in the cache, before something large is made there.
need_space() {
	local free
	free=$(df --output=avail -k "$RIG_CACHE" | tail -n 1)
	[ "$free" -ge $(($1 << 20)) ] ||
		die "$RIG_CACHE has $((free >> 20)) GB of free space, $1 are needed; make room, or set RIG_CACHE to another directory"
}

# lock NAME: one rig set-up at a time for a given cache.
lock() {
	{ mkdir -p "$RIG_CACHE" && : >>"$RIG_CACHE/$1.lock"; } 2>/dev/null ||
		die "cannot write to $RIG_CACHE; set RIG_CACHE to a directory with 6 GB of space"
	exec 9>"$RIG_CACHE/$1.lock"
	flock -n 9 || { say "rig: waiting for another run to finish with $RIG_CACHE"; flock 9; }
}
