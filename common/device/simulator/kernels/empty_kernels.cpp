// The kernels of kernels/empty.cu as host functions.
#include <array>

#include "common/device/simulator/kernels/host_kernel.hpp"
#include "kernels/empty.hpp"

namespace trilane {

namespace {

using namespace simulator;

HostLaunch describe_empty(dim3 grid, dim3, void**) {
  return {.accesses = {},
          .size = {.words = 1, .outputs = 1, .blocks = grid.x, .rounds = 0},
          .work = [] {}};
}

HostKernel make_unloaded(int) { return {"unloaded", describe_empty}; }

template <int... numbers>
std::array<HostKernel, sizeof...(numbers)> make_all(std::integer_sequence<int, numbers...>) {
  return {{make_unloaded(numbers)...}};
}

const HostKernel empty("empty", describe_empty);
const auto unloaded = make_all(std::make_integer_sequence<int, unloaded_kernels>());

}  // namespace

const void* empty_kernel() { return &empty; }

const void* unloaded_kernel(int number) { return &unloaded[static_cast<std::size_t>(number)]; }

}  // namespace trilane
