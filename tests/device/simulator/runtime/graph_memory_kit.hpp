// Graphs with allocation nodes, as the tests of their rules use them.
#pragma once

#include "common/measure/gpu/recording.hpp"
#include "tests/device/simulator/runtime/rules.hpp"

namespace trilane::simulator::rules {

inline void* allocate(cudaStream_t stream, std::uint64_t bytes = 4) {
  void* memory = nullptr;
  check(cudaMallocAsync(&memory, bytes, stream));
  return memory;
}

/// A graph that allocates, writes with 'w', and frees if requested.
struct Allocating {
  explicit Allocating(bool frees)
      : graph(capture([&](cudaStream_t origin) {
          memory = allocate(origin);
          use('w', memory, 4, Touch::write, origin);
          if (frees) check(cudaFreeAsync(memory, origin));
        })) {}

  void* memory = nullptr;
  Graph graph;
};

}  // namespace trilane::simulator::rules
