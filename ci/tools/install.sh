#!/usr/bin/env bash
# Installs the simulators and build tools that are missing, from the system's packages, and nothing else.
#
#   ci/tools/install.sh           check everything, install what is missing
#   ci/tools/install.sh --check   only check: print what is missing, change nothing
#   ci/tools/install.sh --slurm   instead: install Slurm and munge, for `make slurm-test`; no service is configured
#
# Exit codes: 0 everything is installed; 2 something is missing and could not be installed (the
# message says what to do).
set -euo pipefail

readonly oldest=5.006 # oldest Verilator that works
wanted=simulators
readonly sbin=${SBIN:-/usr/sbin} # daemons are here, which only root has on PATH

say() { printf '%s\n' "$*" >&2; }
die() {
  say "tools: $*"
  exit 2
}

# older A B: true if version A is older than version B.
older() { [ "$1" != "$2" ] && [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }

# The version in "Verilator 5.006 2023-01-22 rev (Debian 5.006-3)".
verilator_version() { verilator --version 2>/dev/null | sed -n 's/^Verilator \([0-9][0-9.]*\).*/\1/p' | head -n 1; }

# Prints the version of Verilator that apt would install, without epoch and Debian revision; empty
# if there is none.
candidate_version() { apt-cache policy verilator 2>/dev/null | sed -n 's/^ *Candidate: \([0-9]*:\)\{0,1\}\([0-9][0-9.]*\).*/\2/p' | head -n 1; }

refuse_old() { # version, where it comes from
  die "Verilator $1 ($2) is older than $oldest, the oldest that works." \
    "Build $oldest or newer from source (https://verilator.org/guide/latest/install.html), put it first on PATH, and run this again."
}

check_verilator() {
  local have
  have=$(verilator_version) || true
  [ -n "$have" ] || die "cannot read the version of $(command -v verilator): is 'verilator --version' working?"
  if older "$have" "$oldest"; then refuse_old "$have" "$(command -v verilator)"; fi
}

has_zlib() { c++ -E -x c++ - <<<'#include <zlib.h>' >/dev/null 2>&1; }

# Prints the missing packages, one per line.
missing() {
  if [ "$wanted" = slurm ]; then
    if ! (PATH=$PATH:$sbin && command -v sbatch && command -v slurmctld && command -v slurmd) >/dev/null 2>&1; then echo slurm-wlm; fi
    if ! (PATH=$PATH:$sbin && command -v munged) >/dev/null 2>&1; then echo munge; fi
    return
  fi
  command -v c++ >/dev/null 2>&1 || echo g++
  command -v git >/dev/null 2>&1 || echo git
  command -v verilator >/dev/null 2>&1 || echo verilator
  command -v iverilog >/dev/null 2>&1 || echo iverilog
  command -v yosys >/dev/null 2>&1 || echo yosys
  command -v z3 >/dev/null 2>&1 || echo z3
  command -v ccache >/dev/null 2>&1 || echo ccache
  # Verilator's FST writer needs the zlib header; without a compiler this cannot be tested, so it
  # counts as missing.
  if ! command -v c++ >/dev/null 2>&1 || ! has_zlib; then echo zlib1g-dev; fi
}

main() {
  local check_only=no
  case "${1-}" in
    "") ;;
    --check) check_only=yes ;;
    --slurm) wanted=slurm ;;
    *) die "unknown argument '$1': only --check and --slurm are known" ;;
  esac
  if [ "$wanted" = simulators ] && command -v verilator >/dev/null 2>&1; then check_verilator; fi

  local packages
  packages=$(missing | tr '\n' ' ')
  packages=${packages% }
  [ -n "$packages" ] || return 0
  if [ "$check_only" = yes ]; then die "missing: $packages. Run 'make tools'."; fi

  if ! command -v apt-get >/dev/null 2>&1; then
    die "missing: $packages, and this system has no apt-get. Install them with its package manager (Verilator $oldest or newer) and run this again."
  fi
  local install="apt-get install -y --no-install-recommends $packages"
  local as=()
  if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null 2>&1 || ! sudo -n true >/dev/null 2>&1; then
      say "tools: missing: $packages, and this account may not install. Run:"
      say ""
      say "  sudo sh -c 'apt-get update && $install'"
      say ""
      exit 2
    fi
    as=(sudo -n)
  fi
  say "tools: installing $packages"
  # Another package manager may hold the lock on a machine that has just started.
  local quiet=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300)
  "${as[@]}" "${quiet[@]}" update </dev/null >&2 ||
    die "apt-get update failed (see above): check the network and the package sources, or install by hand: $packages"
  case " $packages " in
    *" verilator "*)
      local offered
      offered=$(candidate_version)
      [ -n "$offered" ] || die "this system's packages have no Verilator: build $oldest or newer from source (https://verilator.org/guide/latest/install.html) and put it on PATH."
      if older "$offered" "$oldest"; then refuse_old "$offered" "the package of this system"; fi
      ;;
  esac
  # shellcheck disable=SC2086 # a list of package names
  "${as[@]}" "${quiet[@]}" install -y --no-install-recommends $packages </dev/null >&2 ||
    die "apt-get could not install $packages (see above)"
  hash -r
  if [ "$wanted" = simulators ]; then check_verilator; fi
  packages=$(missing | tr '\n' ' ')
  [ -z "${packages% }" ] || die "installed, but still not on PATH: $packages"
}

main "$@"
