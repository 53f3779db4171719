#!/usr/bin/env bash
# The test command: installs what is missing, builds, and runs all tests that this machine can run.
set -euo pipefail

usage() {
  cat << 'END'
Usage: run.sh [--sanitize] [--all-tools]

Builds everything and runs all tests with ctest. Tests that need a GPU are
skipped, by name, where there is none, and device code is then compiled for one
architecture only, 9.0; TRILANE_REQUIRE_GPU=1 makes that a failure. Those of
the simulated device run everywhere. Without nvcc, but with the CUDA headers,
they and those that need no device are built and run.

  --sanitize  with ASan and UBSan on the host code
  --all-tools installs what only some tests need, where it is missing: Chromium
              for the report, zsh and fish for the completions, Open MPI for
              trilane fleet; without them those tests are skipped, by name
  --help      prints this

Exit codes: 0 all passed or skipped; 1 a test failed; 2 usage; 4 something
cannot be had here.
END
}

preset=release all_tools=no
for argument in "$@"; do
  case $argument in
    --sanitize)
      preset=sanitize
      # ASan's shadow memory must leave the driver the addresses that it maps itself.
      export ASAN_OPTIONS="protect_shadow_gap=0:${ASAN_OPTIONS:-}"
      ;;
    --all-tools) all_tools=yes ;;
    --help) usage; exit ;;
    *) printf '%s\n' "run.sh: '$argument' is not understood; see --help" >&2; exit 2 ;;
  esac
done
# shellcheck source=plots/prepare.sh
. "$(dirname "${BASH_SOURCE[0]}")/../plots/prepare.sh"

# Chromium where browser.py looks. Goes on if there is no package.
install_all_tools() {
  have "${CHROMIUM:-chromium}" || have chromium-browser || have google-chrome ||
    (install_packages chromium) || say "without Chromium the report is not tested in a browser"
  { have zsh && have fish; } || (install_packages zsh fish) ||
    say "without zsh and fish their completions are not tested"
  have mpirun || (install_packages libopenmpi-dev openmpi-bin) ||
    say "without Open MPI trilane fleet is not tested"
}

# shellcheck disable=SC2034 # read by install_missing
more_tools=shellcheck
find_cuda
have nvcc || [[ ${TRILANE_REQUIRE_GPU:-} != 1 ]] ||
  give_up "TRILANE_REQUIRE_GPU=1 requires tests on a GPU, and they cannot be built without nvcc"
install_missing
[[ -z $(why_no_gpu) ]] || export TRILANE_TEST_ARCHITECTURES=90
install_d3
[[ $all_tools == no ]] || install_all_tools
build "$preset"
report="$(build_folder "$preset")/ctest.xml"
rm -f "$report"
code=0
ctest --test-dir "$(build_folder "$preset")" --parallel "$(nproc)" --output-on-failure \
  --no-tests=error --output-junit "$report" || code=1
"$(find_python)" "$root/tests/summary.py" "$report" || code=1
exit "$code"
