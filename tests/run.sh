#!/usr/bin/env bash
# The test command: installs what is missing, builds, and runs all that can run on this machine.
set -euo pipefail

usage() {
  cat << 'END'
Usage: run.sh [--sanitize]

Builds everything and runs all tests with ctest. Tests that need a GPU are
skipped, by name, where there is none; TRILANE_REQUIRE_GPU=1 makes that a
failure. Those of the simulated device run everywhere. Without nvcc, but with
the CUDA headers, they and those that need no device are built and run.

  --sanitize  with ASan and UBSan on the host code
  --help      prints this

Exit codes: 0 all passed or skipped; 1 a test failed; 2 usage; 4 something
cannot be had here.
END
}

preset=release
case "$#${1:-}" in
  0) ;;
  1--sanitize)
    preset=sanitize
    # ASan's shadow memory must leave the driver the addresses that it maps itself.
    export ASAN_OPTIONS="protect_shadow_gap=0:${ASAN_OPTIONS:-}"
    ;;
  1--help) usage; exit ;;
  *) printf '%s\n' "run.sh: '$*' is not understood; see --help" >&2; exit 2 ;;
esac
# shellcheck source=plots/prepare.sh
. "$(dirname "${BASH_SOURCE[0]}")/../plots/prepare.sh"

# shellcheck disable=SC2034 # read by install_missing
more_tools=shellcheck
find_cuda
have nvcc || [[ ${TRILANE_REQUIRE_GPU:-} != 1 ]] ||
  give_up "TRILANE_REQUIRE_GPU=1 wants the tests on a GPU, and they cannot be built without nvcc"
install_missing
install_d3
build "$preset"
report="$(build_folder "$preset")/ctest.xml"
rm -f "$report"
code=0
ctest --test-dir "$(build_folder "$preset")" --parallel "$(nproc)" --output-on-failure \
  --no-tests=error --output-junit "$report" || code=1
"$(find_python)" "$root/tests/summary.py" "$report" || code=1
exit "$code"
