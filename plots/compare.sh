#!/usr/bin/env bash
# The main job: build Trilane, run all presets on all variants, draw the results, and say which
# variant to use. Without a GPU, on the simulated device.
set -euo pipefail

usage() {
  cat << 'END'
Usage: compare.sh [--simulate] [--output DIR] [-- ARGS]

Builds Trilane, runs every preset on every variant, and writes results.json,
results.csv and the pictures (PNG and SVG) into a new folder. Installs what is
missing with apt; never removes a package. Needs the CUDA Toolkit.

With a GPU it measures; then it measures a profile of the GPU (profile.json),
simulates the same job with it (predicted.json), and draws the two side by side.
Without a GPU it simulates an H200, and says so: no time is measured then.

  --simulate    simulates an H200 even where there is a GPU
  --output DIR  a folder that does not exist or is empty
                (default: results/ in the repository, named by the time)
  -- ARGS       passed to trilane, for example -- --time 2s --preset launch
  --help        prints this

Exit codes: 0 right; 1 a variant failed; 2 usage; 4 something cannot be had
here; 5 output could not be written; 130 interrupted.
END
}

wrong() { printf '%s\n' "compare.sh: $*; see --help" >&2; exit 2; }

# shellcheck source=plots/prepare.sh
. "$(dirname "${BASH_SOURCE[0]}")/prepare.sh"
output="$root/results/$(date +%Y%m%d-%H%M%S)"
why=""  # nothing is measured; empty: a GPU is
while (($#)); do
  case $1 in
    --help) usage; exit ;;
    --simulate) why="as asked with --simulate"; shift ;;
    --output) [[ -n ${2:-} ]] || wrong "--output needs a folder"; output=$2; shift 2 ;;
    --output=?*) output=${1#*=}; shift ;;
    --) shift; break ;;
    *) wrong "'$1' is no option of this script; options of trilane go after --" ;;
  esac
done

# Before anything that takes long: the folder is claimed, and given back if it stays empty.
claim_output() {
  [[ ! -e $output || -d $output ]] || wrong "'$output' is no folder: name a new one with --output"
  [[ -z $(ls -A "$output" 2> /dev/null) ]] ||
    wrong "'$output' holds files, which are never overwritten: name a new folder with --output"
  [[ -d $output ]] || trap 'rmdir "$output" 2> /dev/null || true' EXIT
  if ! mkdir -p "$output" 2> /dev/null || [[ ! -w $output ]]; then
    say "'$output' cannot be made or written: name another folder with --output"
    exit 5
  fi
  output=$(CDPATH='' cd "$output" && pwd)
}

# Runs the program of that name on the job, with what it is given.
run() {
  local program=$1
  shift
  "$(build_folder release)/$program" --json "$output/results.json" --csv "$output/results.csv" "$@"
}

# What the simulated device says of the same job, with a profile of this very GPU.
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
  say "measuring a profile of this GPU, and predicting the same job with it"
  "$(build_folder release)/trilane" --calibrate "$output/profile.json" "${device[@]}" >&2 || return
  "$(build_folder release)/trilane-sim" --profile "$output/profile.json" \
    --json "$output/predicted.json" "${job[@]}" > /dev/null
}

draw() {
  local python script failed=0
  python=$(find_python) || give_up "no Python here can import matplotlib: set PYTHON to one"
  for script in times clocks speedup setup footprint; do
    "$python" "$root/plots/$script.py" "$output/results.json" "$output" || failed=$?
  done
  if [[ -s $output/predicted.json ]]; then
    "$python" "$root/plots/predicted.py" "$output/results.json" "$output/predicted.json" \
      "$output" || failed=$?
    "$python" "$root/plots/nodes.py" "$output/profile.json" "$output" || failed=$?
  fi
  printf '\nResults and pictures: %s\n' "$output"
  "$python" "$root/plots/verdicts.py" "$output/results.json" || failed=$?
  return "$failed"
}

claim_output
find_cuda
why=${why:-$(why_no_gpu)}
install_missing
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
  run trilane-sim "$@" || code=$?
elif [[ -s $output/results.json ]] && ((code != 130)); then
  predict "$@" || code=$((code ? code : $?))
fi
# A run that ended badly may have left results of what it had: they are worth seeing too.
if [[ -s $output/results.json ]]; then
  draw || code=$((code ? code : $?))
fi
[[ -z $why ]] || say "$why: everything was SIMULATED, and nothing measured"
exit "$code"
