// The kernels of kernels/empty.cu and kernels/move.cu, which compute nothing, as host functions.
#include <cstring>
#include <deque>

#include "common/device/simulator/kernels/host_kernel.hpp"
#include "kernels/empty.hpp"
#include "kernels/move.hpp"

namespace trilane {

namespace {

using namespace simulator;

HostLaunch describe_empty(dim3 grid, dim3, void**) {
  return {.accesses = {},
          .size = {.words = 1, .outputs = 1, .blocks = grid.x, .rounds = 0},
          .work = [] {}};
}

const HostKernel empty("empty", describe_empty);
const auto unloaded = [] {
  std::deque<HostKernel> all;
  for (int i = 0; i < unloaded_kernels; ++i) all.emplace_back("unloaded", describe_empty);
  return all;
}();

constexpr std::uint64_t word = 4;

/// Returns the size in words, which determine the time of such a kernel.
KernelSize size_of(std::uint64_t bytes, dim3 grid) {
  const std::uint64_t words = (bytes + word - 1) / word;
  return {.words = words, .outputs = words, .blocks = grid.x, .rounds = 0};
}

HostLaunch describe_copy(dim3 grid, dim3, void** arguments) {
  const auto [from, to, bytes] = parameters<const std::byte*, std::byte*, std::uint64_t>(arguments);
  return {.accesses = {{range_of(from, bytes), Touch::read}, {range_of(to, bytes), Touch::write}},
          .size = size_of(bytes, grid),
          .work = [=] { std::memcpy(to, from, bytes); }};
}

HostLaunch describe_clear(dim3 grid, dim3, void** arguments) {
  const auto [to, bytes, value] = parameters<std::byte*, std::uint64_t, std::uint32_t>(arguments);
  return {.accesses = {{range_of(to, bytes), Touch::write}},
          .size = size_of(bytes, grid),
          .work = [=] { std::memset(to, static_cast<std::uint8_t>(value), bytes); }};
}

const HostKernel copy_bytes("copy_bytes", describe_copy);
const HostKernel clear_bytes("clear_bytes", describe_clear);

}  // namespace

const void* empty_kernel() { return &empty; }

const void* unloaded_kernel(int number) { return &unloaded[static_cast<std::size_t>(number)]; }

const void* copy_kernel() { return &copy_bytes; }

const void* clear_kernel() { return &clear_bytes; }

}  // namespace trilane
