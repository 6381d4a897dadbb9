#!/usr/bin/env bash
# The steps of the action goldwire; action.yml sets the variables.
#
#   run.sh prepare   install the tools, build goldwire unless it is there, hash what Verilator builds depend on
#   run.sh run       run it, write the job summary, end with its exit code
set -euo pipefail

root=$(cd "$GITHUB_ACTION_PATH/../.." && pwd)
goldwire=$root/build/goldwire
export GOLDWIRE_ROOT=$root

die() {
  echo "goldwire action: $*" >&2
  exit 2
}

prepare() {
  echo "root=$root" >>"$GITHUB_OUTPUT"
  if [ -z "$MERGE" ]; then "$root/ci/tools/install.sh"; fi
  if [ -z "$PROGRAM" ]; then make -C "$root" build; fi
  [ -f "$goldwire" ] || die "the artifact $PROGRAM does not hold goldwire"
  chmod +x "$goldwire"
  if [ -n "$MERGE" ]; then return; fi
  local hash
  hash=$({
    verilator --version
    g++ --version
    ccache --version
    cd "$root"
    find hdl bridge/launch vectors/event -type f \( -path 'hdl/*' -o -name '*.go' -path 'bridge/launch/*' -o -name schema.yaml \) -print0 |
      LC_ALL=C sort -z | xargs -0 sha256sum
  } | sha256sum | cut -c 1-16)
  echo "hash=$hash" >>"$GITHUB_OUTPUT"
}

# Sets the array reports: the files of a campaign's result.
campaign_reports() {
  reports=(--json "$REPORT/summary.json" --junit "$REPORT/junit.xml" --html "$REPORT/campaign.html"
    --markdown "$REPORT/summary.md" --annotations "$REPORT/annotations.txt")
}

run() {
  local given=0 way
  for way in "$STAGE" "$MERGE" "$DUT"; do [ -z "$way" ] || given=$((given + 1)); done
  [ "$given" = 1 ] || die "give one of stage, merge and dut"
  [ -z "$SHARD" ] || [ -n "$STAGE" ] || die "shard goes with stage"
  mkdir -p "$REPORT"
  rm -f "$REPORT/summary.md" "$REPORT/annotations.txt" # of an earlier step, which this one must not show as its own
  local reports=() command=()
  local -a more
  read -r -a more <<<"$ARGS"
  if [ -n "$DUT" ]; then
    reports=(--json "$REPORT/report.json" --junit "$REPORT/junit.xml" --html "$REPORT/report.html" --waves "$REPORT/waves")
    command=(cosim --dut "$DUT" --source "$SOURCE" --events "$EVENTS" --seeds "$SEEDS" "${reports[@]}")
  elif [ -n "$MERGE" ]; then
    campaign_reports
    command=(ci merge "$MERGE"/* --dir "$CAMPAIGN" "${reports[@]}")
  else
    if [ -n "$SHARD" ]; then command=(ci shard "$SHARD"); else campaign_reports && command=(ci run); fi
    if [ -n "$PLAN" ]; then command+=("$PLAN"); fi
    command+=(--stage "$STAGE" --night "$NIGHT" --dir "$CAMPAIGN" "${reports[@]}")
    # Without a campaign to take over from, everything runs.
    if [ -n "$HISTORY" ] && [ -f "$HISTORY/campaign.json" ]; then
      command+=(--changed-since "$(jq -r .revision "$HISTORY/campaign.json")" --history "$HISTORY")
    fi
  fi
  local code=0
  "$goldwire" "${command[@]}" "${more[@]}" 2>&1 | tee "$REPORT/output.txt" || code=${PIPESTATUS[0]}
  echo "code=$code" >>"$GITHUB_OUTPUT"
  if [ -f "$REPORT/summary.md" ]; then
    cat "$REPORT/summary.md" >>"$GITHUB_STEP_SUMMARY"
  else
    # Indented text is code, whatever is in it. GitHub shows no summary of more than 1 MiB.
    {
      echo "### goldwire ${command[0]} ${command[1]}: exit code $code"
      echo
      head -c 60000 "$REPORT/output.txt" | sed 's/^/    /'
      echo
    } >>"$GITHUB_STEP_SUMMARY"
  fi
  if [ -f "$REPORT/annotations.txt" ]; then cat "$REPORT/annotations.txt"; fi
  exit "$code"
}

case "${1-}" in
  prepare) prepare ;;
  run) run ;;
  *) die "give prepare or run" ;;
esac
