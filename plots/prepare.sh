# shellcheck shell=bash
# Preparation shared by compare.sh and tests/run.sh, which source it: find the CUDA Toolkit, install
# what is missing, build. A function that cannot do its part ends the script with a message.

readonly not_possible=4
lists_are_new=no  # those of apt
root=$(CDPATH='' cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '%s\n' "${0##*/}: $*" >&2; }
give_up() { say "$@"; exit "$not_possible"; }
have() { command -v "$1" > /dev/null 2>&1; }

# Puts nvcc on the PATH. Without nvcc the CUDA headers suffice for the simulated device. Installs
# neither, because the version must suit the driver.
find_cuda() {
  local home="${CUDA_HOME:-/usr/local/cuda}"
  have nvcc && return
  if [[ -x $home/bin/nvcc ]]; then
    export PATH="$home/bin:$PATH"
    return
  fi
  finds_headers "$home" || give_up "there is neither nvcc, on the PATH or in $home/bin, nor" \
    "$home/include/cuda_runtime_api.h, which is enough for the simulated device: install the CUDA" \
    "Toolkit 13.0 or newer (developer.nvidia.com/cuda-downloads) or set CUDA_HOME"
  say "no nvcc here: with the CUDA headers alone only the simulated device can be built"
}

# Looks for the CUDA headers where CMake does.
finds_headers() {
  local folder folders
  IFS=: read -ra folders <<< "${CUDAToolkit_ROOT:-}:$1:${CMAKE_PREFIX_PATH:-}:/usr"
  for folder in "${folders[@]}"; do
    [[ -z $folder || ! -f $folder/include/cuda_runtime_api.h ]] || return 0
  done
  return 1
}

# Prints why no GPU can be measured here; nothing if there may be one. Some containers have the
# driver's devices but no nvidia-smi.
why_no_gpu() {
  local gpus=("${GPU_DEVICES:-/dev}"/nvidia[0-9]*)
  if ! have nvcc; then
    echo "there is no nvcc here"
  elif have nvidia-smi; then
    nvidia-smi -L > /dev/null 2>&1 || echo "nvidia-smi finds no GPU"
  elif [[ ! -e ${gpus[0]} ]]; then
    echo "there is no GPU here"
  fi
}

# Prints the first Python with the modules that the scripts use; fails without one.
find_python() {
  local python
  local wanted='import matplotlib; from jsonschema import Draft202012Validator'
  for python in "${PYTHON:-python3}" python3 /usr/bin/python3; do
    if "$python" -c "$wanted" > /dev/null 2>&1; then
      printf '%s\n' "$python"
      return
    fi
  done
  return 1
}

# Looks for D3 where page/library.py does.
finds_d3() { [[ -f ${TRILANE_D3:-/usr/share/nodejs/d3/dist/d3.min.js} ]]; }

# Whether the libraries compile and link, wherever they come from.
finds_libraries() {
  [[ -n ${BOOST_ROOT:-}${Boost_ROOT:-}${CMAKE_PREFIX_PATH:-} ]] && return
  have g++ && g++ -std=c++20 -x c++ -o /dev/null - -lboost_program_options \
    -lboost_iostreams -lboost_unit_test_framework -lz > /dev/null 2>&1 << 'END'
#include <boost/version.hpp>
#include <fmt/core.h>
#if BOOST_VERSION < 108100 || FMT_VERSION < 90000 || !__has_include(<boost/json.hpp>) || \
    !__has_include(<boost/program_options.hpp>) || !__has_include(<boost/test/test_tools.hpp>) || \
    !__has_include(<boost/math/distributions/normal.hpp>)
#error
#endif
int main() {}
END
}

# Prints the packages of the libraries, one per line. Debian 12 has two Boosts: the unversioned
# packages are 1.74, which lacks Boost.JSON, and conflict with those of 1.81.
library_packages() {
  local release version=""
  # shellcheck source=/dev/null
  release=$(. "${OS_RELEASE:-/etc/os-release}" > /dev/null 2>&1
    printf '%s' "${ID:-}${VERSION_ID:-}")
  [[ $release == debian12 ]] && version=1.81
  printf '%s\n' "libboost-"{program-options,iostreams,test}"$version-dev" zlib1g-dev libfmt-dev libdw-dev
}

is_installed() {
  [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2> /dev/null) == installed ]]
}

# Prints the missing packages, one per line. `more_tools` may name further commands whose packages
# have the same name.
missing_packages() {
  local name
  for name in cmake g++ git ${more_tools:-}; do
    have "$name" || printf '%s\n' "$name"
  done
  have make || have ninja || printf '%s\n' make
  find_python > /dev/null || printf '%s\n' python3-matplotlib python3-jsonschema
  finds_libraries && return
  while read -r name; do
    is_installed "$name" || printf '%s\n' "$name"
  done < <(library_packages)
}

# Installs what is missing.
install_missing() {
  local packages
  mapfile -t packages < <(missing_packages)
  ((${#packages[@]} == 0)) || install_packages "${packages[@]}"
}

# Not part of install_missing, because only the report needs D3.
install_d3() {
  finds_d3 && return
  [[ -z ${TRILANE_D3:-} ]] || give_up "TRILANE_D3 is '$TRILANE_D3', which is not a file:" \
    "set it to the d3.min.js of npm's d3, or unset it for the package node-d3"
  (install_packages node-d3) ||
    give_up "D3 is missing: TRILANE_D3 may name the d3.min.js of npm's d3 instead of node-d3"
}

# Prints how many packages come with those of "Inst" lines $1, and how much that is: what apt-get
# says when it is not allowed to go on.
size_of() {
  local count said
  count=$(grep -c '^Inst ' <<< "$1") || true
  said=$(LC_ALL=C "${@:2}" 2> /dev/null < /dev/null |
    sed -n 's/^Need to get \(.*\) of archives\..*/\1 to download/p
            s/^After this operation, \(.*\) of additional.*/\1 on disk/p' | paste -sd '|') || true
  printf '%s' "$count in all${said:+, ${said//|/, }}"
}

# Installs packages and never removes one. With may_install=no it says what to install, and ends.
install_packages() {
  local packages=("$@") plan removed sudo="" become=()
  have apt-get || give_up "there is no apt here to install what is missing: ${packages[*]}"
  local install=(apt-get install --yes --no-remove --no-install-recommends "${packages[@]}")
  (($(id -u) == 0)) || sudo="sudo "
  local by_hand="${sudo}apt-get update && $sudo${install[*]}"
  [[ ${may_install:-yes} == yes ]] ||
    give_up "packages are missing, and --no-install was given; run: $by_hand"
  if [[ -n $sudo ]]; then
    sudo -n true 2> /dev/null ||
      give_up "packages are missing that this user may not install; run: $by_hand"
    become=(sudo -n)
  fi
  become+=(env DEBIAN_FRONTEND=noninteractive)
  if [[ $lists_are_new == no ]]; then
    lists_are_new=yes  # which the caller of a subshell does not see
    "${become[@]}" apt-get update -qq >&2 || {
      lists_are_new=no
      say "the package lists could not be updated"
    }
  fi
  # Not with --no-remove, which fails without naming the packages.
  plan=$("${become[@]}" apt-get install --simulate --no-install-recommends "${packages[@]}") || {
    printf '%s\n' "$plan" >&2
    give_up "apt-get cannot install ${packages[*]}; see its message above"
  }
  removed=$(awk '$1 == "Remv" { print $2 }' <<< "$plan" | paste -sd ' ')
  [[ -z $removed ]] || give_up "installing ${packages[*]} would remove $removed: nothing was" \
    "changed; resolve that by hand, or set CMAKE_PREFIX_PATH to libraries of your own"
  say "installing ${packages[*]}: $(size_of "$plan" "${become[@]}" apt-get install --assume-no \
    --no-install-recommends "${packages[@]}")"
  "${become[@]}" "${install[@]::1}" -qq -o DPkg::Lock::Timeout=120 "${install[@]:1}" >&2 ||
    give_up "the packages could not be installed; by hand: $by_hand"
}

# Copies a build's output into the file $1, and says how far it is: lines of make begin with
# "[ 12%]", those of Ninja with "[3/120]".
follow_build() {
  local line part told=0
  while IFS= read -r line; do
    printf '%s\n' "$line" >> "$1"
    if [[ $line =~ ^\[\ *([0-9]+)%\] ]]; then
      part=${BASH_REMATCH[1]}
    elif [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]]; then
      part=$((100 * BASH_REMATCH[1] / BASH_REMATCH[2]))
    else
      continue
    fi
    ((part >= told + 10)) || continue
    told=$((part - part % 10))
    say "building: $told%"
  done
}

# build PRESET [TARGET]: configures and builds; shows the tools' output only when they fail.
build() {
  local log
  log=$(mktemp)
  have make || export CMAKE_GENERATOR=Ninja
  say "building"
  if ! { (cd "$root" && cmake --preset "$1") > "$log" 2>&1 &&
    cmake --build "$(build_folder "$1")" --parallel "$(nproc)" ${2:+--target "$2"} 2>&1 |
    follow_build "$log"; }; then
    cat "$log" >&2
    rm -f "$log"
    give_up "the build failed; see its output above"
  fi
  rm -f "$log"
}

build_folder() { printf '%s\n' "$root/build$([[ $1 == release ]] || printf -- '-%s' "$1")"; }
