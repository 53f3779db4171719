// The steps of a pass: the stages of all chunks in issue order, with their operands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/workload/pipeline/pipeline.hpp"
#include "common/workload/workload.hpp"

namespace trilane {

/// One stage of one chunk with its host operands. The variant owns the device operands.
struct Step {
  Stage stage;
  std::uint32_t chunk;
  std::uint32_t lane;
  std::uint32_t kernel;  ///< 0 to depth-1 for transform, otherwise 0
  std::uint32_t rounds;
  const std::byte* host_in;
  std::byte* host_out;
  std::uint64_t in_bytes;
  std::uint64_t out_bytes;
};

/// A workload and the host buffers that all its variants share. Must outlive the variants.
struct Job {
  /// `host_in` holds workload.bytes, `host_out` workload.result_total().
  Job(const Workload& workload, const std::byte* host_in, std::byte* host_out);

  Workload workload;
  const std::byte* host_in;
  std::byte* host_out;
  std::vector<Step> steps;  ///< one pass, in issue order
};

}  // namespace trilane
