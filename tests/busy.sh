#!/usr/bin/env bash
# Runs tests repeatedly while other processes keep every core busy. They must pass all the same.
set -euo pipefail
case ${1:---help} in
  --help)
    cat << 'END'
Usage: busy.sh REGEX [TIMES [BUILD]]

Runs the ctest entries whose names match REGEX, TIMES times each (50 by
default) or until the first failure, four at a time for each core, beside a
spinning process for each core. BUILD is the build's folder, build/ of the
source by default.
END
    exit
    ;;
esac
build=${3:-$(dirname "${BASH_SOURCE[0]}")/../build}
spinners=()
trap 'kill "${spinners[@]}"' EXIT
for ((i = 0; i < $(nproc); ++i)); do
  (while :; do :; done) &
  spinners+=($!)
done
ctest --test-dir "$build" --tests-regex "$1" --repeat "until-fail:${2:-50}" --parallel "$((4 * $(nproc)))" \
  --output-on-failure --no-tests=error
