#!/usr/bin/env bash
# Plays the commands of the README on bare Debian systems, from a clone of HEAD, and prints a table of versions and
# results as Markdown. Needs root, debootstrap, git and Go.
#
#   ci/tools/matrix.sh
#
#   MATRIX_SUITES    Debian suites, oldest first: bookworm trixie sid
#   MATRIX_COMMANDS  commands, separated by semicolons: make cosim; make test
#   MATRIX_SLURM     not empty: make slurm-test too
#   MATRIX_ROOTS     where the bare systems are kept between runs: /var/tmp/goldwire-matrix
#   MATRIX_LIMIT     time for each command: 3h
#   MATRIX_MIRROR    http://deb.debian.org/debian
#   MATRIX_KEYRING   the keys of Debian's archive: /usr/share/keyrings/debian-archive-keyring.gpg
#   MATRIX_OUT       folder for logs and table.md: build/matrix
#
# Exit codes: 0 every command passed on every system; 1 one did not pass; 2 it could not be tried.
set -uo pipefail

readonly suites=${MATRIX_SUITES-bookworm trixie sid}
readonly roots=${MATRIX_ROOTS:-/var/tmp/goldwire-matrix}
readonly limit=${MATRIX_LIMIT:-3h}
readonly mirror=${MATRIX_MIRROR:-http://deb.debian.org/debian}
readonly keyring=${MATRIX_KEYRING:-/usr/share/keyrings/debian-archive-keyring.gpg}
readonly path=/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

say() { printf '%s\n' "$*" >&2; }
die() {
  say "matrix: $*"
  exit 2
}

# in_root DIR COMMAND: a command on a system, with its own mounts and processes, which end with it.
in_root() { unshare --mount --pid --fork --kill-child bash "$0" --inside "$1" "$2" </dev/null; }

# What in_root runs once it has mounts of its own.
inside() {
  local dir=$1 cache
  mount --rbind /dev "$dir/dev" && mount --rbind /sys "$dir/sys" && mount -t proc proc "$dir/proc" || exit 125
  # Go's modules are not downloaded, and its packages not compiled, once for each system. -count=1 below: results of
  # tests are kept there, too, and Go does not see that another system has other tools.
  for cache in GOMODCACHE:go/pkg/mod GOCACHE:.cache/go-build; do
    local here=$(go env "${cache%%:*}" 2>/dev/null) there=$dir/root/${cache#*:}
    if [ -d "$here" ]; then mkdir -p "$there" && mount --bind "$here" "$there" || exit 125; fi
  done
  cd /
  exec timeout --kill-after=30s "$limit" chroot "$dir" env -i PATH="$path" HOME=/root LANG=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive GOFLAGS=-count=1 GOPROXY="$(go env GOPROXY 2>/dev/null)" sh -c "$2"
}

# base SUITE: makes or renews the bare system that is kept: git, make, a C++ compiler and Go.
base() {
  local dir=$roots/$1
  if [ ! -e "$dir/complete" ]; then
    rm -rf --one-file-system "$dir"
    mkdir -p "$dir"
    debootstrap --keyring="$keyring" --variant=minbase --include=ca-certificates,git,make,g++ "$1" "$dir" "$mirror" || return
    # The lists of unstable on a mirror may be older than they claim to be good for.
    echo 'Acquire::Check-Valid-Until "false";' >"$dir/etc/apt/apt.conf.d/90goldwire" || return
  fi
  rm -f "$dir/complete"
  rm -rf "$dir/usr/local/go"
  cp -a "$(go env GOROOT)" "$dir/usr/local/go" && cp /etc/resolv.conf "$dir/etc/resolv.conf" || return
  in_root "$dir" 'apt-get -qq update && apt-get -qq -y dist-upgrade && apt-get clean' && touch "$dir/complete"
}

# version DIR COMMAND: the first version in what a tool of a system prints; nothing when it is not there.
version() { in_root "$1" "$2" 2>/dev/null | grep -oE '[0-9]+\.[0-9]+(\.[0-9]+)*' | head -n 1; }

# What versions are read with, in the order of the columns. The compiler's version is its last word.
readonly tools=("Verilator|verilator --version" "g++|g++ -dumpfullversion" "Icarus|iverilog -V" "Yosys|yosys -V"
  "z3|z3 --version" "Slurm|sbatch --version")

main() {
  local commands=() columns="| Debian |" rule="|---|" bad=0 played=0 top revision out
  top=$(git rev-parse --show-toplevel) || die "run it in a clone of Goldwire"
  revision=$(git rev-parse HEAD) || die "the clone has no commit"
  out=${MATRIX_OUT:-$top/build/matrix}
  local list=${MATRIX_COMMANDS-make cosim; make test}
  if [ -n "${MATRIX_SLURM-}" ]; then list="$list; make slurm-test"; fi
  local part
  while IFS= read -r part; do
    part=$(echo "$part" | sed 's/^ *//; s/ *$//')
    if [ -n "$part" ]; then commands+=("$part"); fi
  done < <(echo "$list" | tr ';' '\n')
  [ ${#commands[@]} -gt 0 ] || die "MATRIX_COMMANDS names no command: nothing would be tried"
  [ -n "${suites// /}" ] || die "MATRIX_SUITES names no suite: nothing would be tried"
  [ "$(id -u)" = 0 ] || die "only root can make systems: run it as root, or with sudo"
  command -v debootstrap >/dev/null 2>&1 || die "debootstrap is not installed. Run: apt-get install debootstrap"
  [ -e "$keyring" ] || die "$keyring is missing. Run: apt-get install debian-archive-keyring"
  command -v go >/dev/null 2>&1 || die "no Go on PATH: install Go from https://go.dev/dl"
  mkdir -p "$roots" "$out" || die "cannot write to $roots and $out"
  if [ -n "$(git status --porcelain)" ]; then say "matrix: changes that are not committed are left out: HEAD is played"; fi

  local tool c suite
  for tool in "${tools[@]}"; do columns="$columns ${tool%%|*} |" rule="$rule---|"; done
  for c in "${commands[@]}"; do columns="$columns \`${c//|/\\|}\` |" rule="$rule---|"; done
  # Rows are written as they come: a row takes an hour, and a matrix may be stopped.
  : >"$out/table.md" || die "cannot write $out/table.md"
  tell() { printf '%s\n' "$@" | tee -a "$out/table.md" || die "cannot write $out/table.md"; }
  tell "Goldwire ${revision:0:12} on bare Debian systems, $(date -u +%F):" "" "$columns" "$rule"
  for suite in $suites; do
    local dir=$roots/run-$suite.$$ row="| $suite |" ready=yes n=0 results="" code began v
    # shellcheck disable=SC2064 # the folder of now
    trap "rm -rf --one-file-system '$dir'" EXIT
    say "matrix: $suite: a bare system"
    if ! { base "$suite" && cp -a --reflink=auto "$roots/$suite" "$dir" &&
      git clone -q --no-hardlinks "$top" "$dir/goldwire" && git -C "$dir/goldwire" checkout -q "$revision"; } >"$out/$suite-0.log" 2>&1; then
      ready=no
      say "matrix: $suite: no system, see $out/$suite-0.log"
    fi
    for c in "${commands[@]}"; do
      n=$((n + 1))
      if [ "$ready" = no ]; then
        results="$results NOT TRIED: no system |" bad=$((bad + 1))
        continue
      fi
      say "matrix: $suite: $c"
      began=$(date +%s)
      in_root "$dir" "cd /goldwire && $c" >"$out/$suite-$n.log" 2>&1
      code=$?
      if [ "$code" = 0 ] && [ -s "$out/$suite-$n.log" ]; then
        results="$results pass, $(($(date +%s) - began)) s |" played=$((played + 1))
      else
        bad=$((bad + 1))
        case $code in
          0) results="$results FAIL: it printed nothing |" ;;
          124 | 137) results="$results FAIL: no end within $limit |" ;;
          *) results="$results FAIL: exit code $code |" ;;
        esac
        say "matrix: $suite: $c: exit code $code, see $out/$suite-$n.log"
      fi
    done
    for tool in "${tools[@]}"; do
      v=""
      if [ "$ready" = yes ]; then v=$(version "$dir" "${tool#*|}"); fi
      row="$row ${v:--} |"
    done
    tell "$row$results"
    rm -rf --one-file-system "$dir"
  done
  if [ "$bad" = 0 ]; then tell "" "PASS: $played commands passed."; else tell "" "FAIL: $bad commands did not pass, $played passed."; fi
  [ "$bad" = 0 ] && [ "$played" -gt 0 ] || exit 1
}

if [ "${1-}" = --inside ]; then inside "$2" "$3"; fi
[ $# = 0 ] || die "unknown argument '$1': it takes variables, see the head of $0"
main
