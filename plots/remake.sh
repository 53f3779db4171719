#!/usr/bin/env bash
# Makes every committed result, picture and figure anew, so that all are of one revision.
set -euo pipefail

usage() {
  cat << 'END'
Usage: remake.sh measure PROGRAMS OUT [STEP...]
       remake.sh draw OUT
       remake.sh reference

measure runs on the GPU machine and needs only this file and the folder PROGRAMS
with trilane, trilane-sim, truth.py and truth/, of one build. It writes every
results file into the folder OUT, which it makes, in about 15 minutes on an
H200. A step that fails is named at the end; the others go on. With STEPs, named
as their files are, only those are run, beside what is in OUT: h100 and
truth_h100, on an H100, and gpus and split, on two H200, are run only so.

draw runs in the checkout, with Python and matplotlib: takes the files in OUT
into plots/results, compressed, and the profile, which now has the model's error against
these results, to the built-in one; build again after that. It draws the
pictures and puts the figures on the pages right. It then names the sentences
on the pages that the results contradict: a person rewrites those.

reference runs in the checkout. It makes the built-in references of trilane
compare of results that were committed here, each of another machine.

  TRILANE_REMAKE_TIME  measuring time of every step of measure, to try it out;
                       for example 20ms
  TRILANE_PROGRAM      for draw and reference: a built trilane or trilane-sim, which prints
                       what a page shows (default: build/trilane-sim)

Exit codes: 0 success; 1 a step failed, or a page needs a person; 2 usage;
4 not possible here.
END
}

wrong() { printf '%s\n' "remake.sh: $*; see --help" >&2; exit 2; }

failed=() known=()
finish() { ((${#failed[@]} == 0)) || { echo "failed: ${failed[*]}"; return 1; }; }

# attempt NAME COMMAND...: runs it in OUT, and says how long that took.
attempt() {
  local name=$1 began=$SECONDS said
  shift
  known+=("$name")
  ((${#steps[@]} == 0)) || [[ " ${steps[*]} " == *" $name "* ]] || return 0
  if said=$(cd "$out" && "$@" 2>&1 > "$name.txt"); then
    printf '%-10s %4d s\n' "$name" "$((SECONDS - began))"
  else
    printf '%-10s failed: %s\n' "$name" "${said##*$'\n'}"
    failed+=("$name")
  fi
}

# step NAME COMMAND...: writes OUT/NAME.json.
step() { attempt "$@" --json "$1.json"; }

# The time for a step, or the one that the environment gives for all.
lasting() { printf '%s\n' "--time=${TRILANE_REMAKE_TIME:-$1}"; }

measure() {
  local programs name
  programs=$(CDPATH='' cd "$1" && pwd)
  mkdir -p "$2"
  out=$(CDPATH='' cd "$2" && pwd)
  steps=("${@:3}")
  ((${#steps[@]})) || [[ -z $(ls -A "$out") ]] || wrong "'$2' holds files; name a new folder"
  # The commands in the files name a program, and no folder of this machine.
  PATH="$programs:$PATH"
  local queues=(--preset "transfer,balanced,reduce" --variant "streams,engines,graph,pool"
    --processes 5 "$(lasting 300ms)")

  step h200 trilane run "$(lasting 4s)"
  step truth truth.py --results h200.json --processes 5 "$(lasting 60ms)"
  step traced trilane run "$(lasting 1s)" --trace trace.json
  step pools trilane run --preset launch,transfer,balanced --variant streams,pool "$(lasting 2s)" \
    --pool kept/opportunistic=on/internal=on/events=off/pools=lane/threshold=0/allocations=2/default
  step queues8 trilane run "${queues[@]}"
  step queues1 env CUDA_DEVICE_MAX_CONNECTIONS=1 trilane run "${queues[@]}"
  step memory trilane run --preset balanced --variant streams,graph,engines --processes 2 \
    "$(lasting 500ms)" --host-memory pinned,pageable,write-combined,registered
  step waiting trilane run --preset balanced --variant streams,graph,fused --processes 2 \
    "$(lasting 500ms)" --wait spin,yield,block
  step again trilane aa graph --preset launch --repeat 100 "$(lasting 100ms)"
  step crossing trilane run --preset launch,balanced --variant streams,graph --prove-break-even \
    --precision 0.1% "$(lasting 5s)"
  step regimes trilane sweep chunk-size=1K..1M:12 chunks=2..256:12 --preset launch --processes 3 \
    "$(lasting 70s)"
  step chunks trilane sweep chunks=1..128 --preset transfer --size 256M \
    --variant streams,engines,graph,graph_coalesced,pool "$(lasting 30s)"
  step answers trilane ask --all "$(lasting 3s)"
  step loop trilane loop --items 20 "$(lasting 10s)"
  attempt profile trilane-sim validate h200.json profile.json
  step predicted trilane-sim run --profile profile.json
  if ((${#steps[@]})); then
    step h100 trilane run "$(lasting 4s)"
    step truth_h100 truth.py --results h100.json --processes 5 "$(lasting 60ms)"
    step gpus trilane run --device all --variant streams,engines,graph --processes 3 \
      "$(lasting 300ms)"
    step split trilane run --device all --split --variant streams,graph --processes 4 \
      "$(lasting 250ms)"
  fi
  printf '%-10s %4d s\n' "in all" "$SECONDS"
  for name in "${steps[@]}"; do
    [[ " ${known[*]} " == *" $name "* ]] || failed+=("$name, which is none of ${known[*]}")
  done
  finish
}

draw() {
  local name
  # shellcheck source=plots/prepare.sh
  . "$(dirname "${BASH_SOURCE[0]}")/prepare.sh"
  python=$(find_python) ||
    give_up "no Python here can import matplotlib and jsonschema 4: set PYTHON to one"
  results=$root/plots/results
  export TRILANE_PROGRAM=${TRILANE_PROGRAM:-$root/build/trilane-sim}
  [[ -s $1/h200.json ]] || wrong "'$1' has no h200.json: name the folder that measure wrote"
  for name in "$1"/*.json; do
    case ${name##*/} in
      trace.json) ;;  # large
      profile.json) cp "$name" "$root/common/device/profile/h200.json" ;;
      *) gzip -9n < "$name" > "$results/${name##*/}.gz" ;;
    esac
  done

  for name in contenders speedup setup footprint times clocks; do
    picture "$name" "$results/h200.json.gz"
  done
  picture footprint:pools "$results/pools.json.gz"
  picture predicted "$results/h200.json.gz" "$results/predicted.json.gz" > /dev/null
  picture nodes "$root/common/device/profile/h200.json"
  picture regimes "$results/regimes.json.gz"
  picture curves:chunks "$results/chunks.json.gz"
  if [[ -s $1/trace.json ]]; then
    for name in launch balanced; do
      picture "timeline:timeline-$name" --preset "$name" "$1/trace.json"
    done
  fi
  "$python" "$root/plots/pages.py" --write || failed+=(pages.py)
  finish
}

# Commits with results of other machines, measured by today's kernels.
references=("h200 86d37924 c6f83342 cce53ef9 50d0755f 3bc3d782 f76630de bdc3210f"
  "h100 f76630de bdc3210f")

reference() {
  local root line kind commits commit folder
  root=$(CDPATH='' cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
  for line in "${references[@]}"; do
    read -r kind commits <<< "$line"
    folder=$(mktemp -d)
    for commit in $commits; do
      git -C "$root" show "$commit:plots/results/$kind.json" > "$folder/$commit.json"
    done
    "${TRILANE_PROGRAM:-$root/build/trilane-sim}" merge "$folder"/*.json --force --as-reference \
      "$root/plots/results/reference/$kind.json" > /dev/null || failed+=("$kind")
    rm -r "$folder"
  done
  finish
}

# picture SCRIPT[:NAME] ARGUMENT...: draws with plots/SCRIPT.py, and keeps NAME.png.
picture() {
  local script=${1%%:*} name=${1#*:} folder drawn
  shift
  folder=$(mktemp -d)
  if "$python" "$root/plots/$script.py" "$@" "$folder"; then
    drawn=("$folder"/*.png)
    mv "${drawn[0]}" "$results/$name.png"
  else
    failed+=("$name.png")
  fi
  rm -r "$folder"
}

case "${1:-}$#" in
  --help1) usage ;;
  measure[3-9] | measure[1-9][0-9]) measure "${@:2}" ;;
  draw2) draw "$2" ;;
  reference1) reference ;;
  *) wrong "it takes: measure PROGRAMS OUT [STEP...], draw OUT, or reference" ;;
esac
