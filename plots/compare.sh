#!/usr/bin/env bash
# The main job: builds Trilane, runs all presets on all variants, draws the results, and says which
# variant to use. Without a GPU it uses the simulated device.
set -euo pipefail

usage() {
  cat << 'END'
Usage: compare.sh [--simulate] [--no-install] [--output DIR] [-- ARGS]

Builds Trilane, runs every preset on every variant, and writes results.json,
results.csv, trace.json, the pictures (PNG and SVG) and report.html, which has
everything in one file, into a new folder. Installs missing packages with apt,
says before which and how large they are, and never removes one. Needs the CUDA
Toolkit.

With a GPU it measures. Then it measures a profile of the GPU (profile.json),
predicts the same job with it (predicted.json), and draws both side by side.
Without a GPU it simulates an H200 and says so: then no time is measured, but
data, orders and hazards are checked.

  --simulate    simulates an H200 even if there is a GPU
  --no-install  installs nothing: if packages are missing, says which and ends
  --output DIR  a folder that does not exist or is empty
                (default: results/ in the repository, named by the time)
  -- ARGS       passed to trilane run, for example -- --time 2s --preset launch
  --help        prints this

Exit codes: 0 success; 1 a variant failed; 2 usage; 4 not possible here;
5 output could not be written; 130 interrupted.
END
}

wrong() { printf '%s\n' "compare.sh: $*; see --help" >&2; exit 2; }

# shellcheck source=plots/prepare.sh
. "$(dirname "${BASH_SOURCE[0]}")/prepare.sh"
output="$root/results/$(date +%Y%m%d-%H%M%S)"
# shellcheck disable=SC2034 # read by install_packages
may_install=yes
why=""  # why nothing is measured; empty if a GPU is used
while (($#)); do
  case $1 in
    --help) usage; exit ;;
    --simulate) why="as asked with --simulate"; shift ;;
    --no-install) may_install=no; shift ;;
    --output) [[ -n ${2:-} ]] || wrong "--output needs a folder"; output=$2; shift 2 ;;
    --output=?*) output=${1#*=}; shift ;;
    --) shift; break ;;
    *) wrong "'$1' is not an option of this script; options of trilane go after --" ;;
  esac
done

# Creates the folder before anything slow, and removes it at the end if it is still empty.
claim_output() {
  [[ ! -e $output || -d $output ]] ||
    wrong "'$output' is not a folder: name a new one with --output"
  [[ -z $(ls -A "$output" 2> /dev/null) ]] ||
    wrong "'$output' holds files, which are never overwritten: name a new folder with --output"
  [[ -d $output ]] || trap 'rmdir "$output" 2> /dev/null || true' EXIT
  if ! mkdir -p "$output" 2> /dev/null || [[ ! -w $output ]]; then
    say "'$output' cannot be made or written: name another folder with --output"
    exit 5
  fi
  output=$(CDPATH='' cd "$output" && pwd)
}

# Prints why program $1 cannot trace here; nothing if it can. Only a trial shows whether the driver
# allows it: a run without tracing does not fail, but leaves no trace.
why_no_trace() {
  local probe said
  probe=$(mktemp)
  said=$("$(build_folder release)/$1" --preset search --variant streams --time 10ms \
    --trace "$probe" --force 2>&1 > /dev/null) || true
  [[ -s $probe ]] || { said=${said##*$'\n'}; printf '%s\n' "${said:-a trial left no trace}"; }
  rm -f "$probe"
}

# Runs program $1 on the job with the other arguments, with a trace if possible.
run() {
  local files=(--json "$output/results.json" --csv "$output/results.csv") why_not code=0
  local trace=(--trace "$output/trace.json") program
  program="$(build_folder release)/$1"
  why_not=$(why_no_trace "$1")
  shift
  [[ -z $why_not ]] || trace=()
  "$program" "${files[@]}" "${trace[@]}" "$@" || code=$?
  if ((code == 2 && ${#trace[@]})); then
    # Some options exclude tracing. This second run reports other usage errors again.
    why_not="these options exclude tracing" code=0
    "$program" "${files[@]}" "$@" || code=$?
  fi
  [[ -z $why_not ]] || ((code == 2 || code == 3)) || say "there are no timelines: $why_not"
  return "$code"
}

# Predicts the same job with a profile of this GPU, which then states the error of predictions.
predict() {
  local device=() job=()
  while (($#)); do
    case $1 in
      --device) device=("${@:1:2}"); shift ;;
      --device=*) device=("$1") ;;
      *) job+=("$1") ;;
    esac
    shift
  done
  say "measuring a profile of this GPU to predict the same job with it"
  "$(build_folder release)/trilane" calibrate "$output/calibrated.json" "${device[@]}" >&2 || return
  "$(build_folder release)/trilane-sim" validate "$output/results.json" "$output/profile.json" \
    --profile "$output/calibrated.json" >&2 || return
  rm "$output/calibrated.json"
  "$(build_folder release)/trilane-sim" --profile "$output/profile.json" \
    --json "$output/predicted.json" "${job[@]}" > /dev/null
}

draw() {
  local python script trace=() failed=0
  python=$(find_python) ||
    give_up "no Python here can import matplotlib and jsonschema 4: set PYTHON to one"
  if [[ -s $output/trace.json ]]; then  # beside the other pictures, because it takes as long
    trace=("$output/trace.json")
    "$python" "$root/plots/timeline.py" "${trace[@]}" "$output" &
    timelines=$!
    trap 'kill "$timelines" 2> /dev/null || true' EXIT
  fi
  for script in times clocks speedup setup footprint; do
    "$python" "$root/plots/$script.py" "$output/results.json" "$output" || failed=$?
  done
  if [[ -s $output/predicted.json ]]; then
    "$python" "$root/plots/predicted.py" "$output/results.json" "$output/predicted.json" \
      "$output" || failed=$?
    "$python" "$root/plots/nodes.py" "$output/profile.json" "$output" || failed=$?
  fi
  "$python" "$root/plots/report.py" "$output/results.json" "${trace[@]}" \
    "$output/report.html" || failed=$?
  if [[ ${timelines:-} ]]; then
    wait "$timelines" || failed=$?
    trap - EXIT
  fi
  printf '\nResults and pictures: %s\n' "$output"
  [[ ! -s $output/report.html ]] || printf 'All in one file: %s\n' "$output/report.html"
  "$python" "$root/plots/verdicts.py" "$output/results.json" || failed=$?
  return "$failed"
}

claim_output
find_cuda
why=${why:-$(why_no_gpu)}
install_missing
(install_d3) || say "going on without the report"
code=0
if [[ -z $why ]]; then
  build release programs
  run trilane "$@" || code=$?
  ((code != 3)) || why="trilane finds no usable GPU"
fi
if [[ -n $why ]]; then
  code=0
  say "$why: everything is SIMULATED, and nothing measured"
  build release program_trilane-sim
  run trilane-sim "$@" --check || code=$?
elif [[ -s $output/results.json ]] && ((code != 130)); then
  predict "$@" || code=$((code ? code : $?))
fi
# A failed run may have left partial results, which are also drawn.
if [[ -s $output/results.json ]]; then
  draw || code=$((code ? code : $?))
fi
[[ -z $why ]] || say "$why: everything was SIMULATED, and nothing measured"
exit "$code"
