#!/usr/bin/env bash
# The main job: build Trilane, run all presets on all variants, draw the results, and say which
# variant to use.
set -euo pipefail

usage() {
  cat << 'END'
Usage: compare.sh [--output DIR] [-- ARGS]

Builds Trilane, runs every preset on every variant, and writes results.json,
results.csv and the pictures (PNG and SVG) into a new folder. Installs what is
missing with apt; never removes a package. Needs the CUDA Toolkit and a GPU.

  --output DIR  a folder that does not exist or is empty
                (default: results/ in the repository, named by the time)
  -- ARGS       passed to trilane, for example -- --time 2s --preset launch
  --help        prints this

Exit codes: 0 right; 1 a variant failed; 2 usage; 3 no usable GPU; 4 something
cannot be had here; 5 output could not be written; 130 interrupted.
END
}

wrong() { printf '%s\n' "compare.sh: $*; see --help" >&2; exit 2; }

# shellcheck source=plots/prepare.sh
. "$(dirname "${BASH_SOURCE[0]}")/prepare.sh"
output="$root/results/$(date +%Y%m%d-%H%M%S)"
while (($#)); do
  case $1 in
    --help) usage; exit ;;
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

draw() {
  local python script failed=0
  python=$(find_python) || give_up "no Python here can import matplotlib: set PYTHON to one"
  for script in times clocks speedup; do
    "$python" "$root/plots/$script.py" "$output/results.json" "$output" || failed=$?
  done
  printf '\nResults and pictures: %s\n' "$output"
  "$python" "$root/plots/verdicts.py" "$output/results.json" || failed=$?
  return "$failed"
}

claim_output
find_nvcc
install_missing
build release programs
code=0
"$(build_folder release)/trilane" --json "$output/results.json" --csv "$output/results.csv" "$@" ||
  code=$?
# A run that ended badly may have left results of what it had: they are worth seeing too.
if [[ -s $output/results.json ]]; then
  draw || code=$((code ? code : $?))
fi
exit "$code"
