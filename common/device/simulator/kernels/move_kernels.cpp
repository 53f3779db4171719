// The kernels of kernels/move.cu as host functions.
#include <cstring>

#include "common/device/simulator/kernels/host_kernel.hpp"
#include "kernels/move.hpp"

namespace trilane {

namespace {

using namespace simulator;

HostLaunch describe_copy(dim3 grid, dim3, void** arguments) {
  const auto [from, to, count] =
      parameters<const std::uint32_t*, std::uint32_t*, std::uint64_t>(arguments);
  const std::uint64_t bytes = count * sizeof *to;
  return {.accesses = {{range_of(from, bytes), Touch::read}, {range_of(to, bytes), Touch::write}},
          .size = {.words = count, .outputs = count, .blocks = grid.x, .rounds = 0},
          .work = [=] { std::memcpy(to, from, bytes); }};
}

HostLaunch describe_clear(dim3 grid, dim3, void** arguments) {
  const auto [to, count] = parameters<std::uint32_t*, std::uint64_t>(arguments);
  const std::uint64_t bytes = count * sizeof *to;
  return {.accesses = {{range_of(to, bytes), Touch::write}},
          .size = {.words = count, .outputs = count, .blocks = grid.x, .rounds = 0},
          .work = [=] { std::memset(to, 0, bytes); }};
}

const HostKernel copy_words("copy_words", describe_copy);
const HostKernel clear_words("clear_words", describe_clear);

}  // namespace

const void* copy_kernel() { return &copy_words; }

const void* clear_kernel() { return &clear_words; }

}  // namespace trilane
