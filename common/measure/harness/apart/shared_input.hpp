// The input of variants that run in other processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "common/measure/harness/bench/cuda_bench.hpp"
#include "common/measure/harness/bench/host_buffers.hpp"
#include "common/model/workload/reference.hpp"
#include "common/model/workload/workload.hpp"

namespace trilane {

/// Draws input and computes the expected output into memory shared by processes, which must outlive
/// it. Needs the GPU only for a pipeline's own kernels.
class SharedInput {
 public:
  /// The reference draws from `letters` words, see Reference. Throws the errors of CudaBench.
  SharedInput(const Workload& workload, std::uint64_t seed, const SharedHost& host,
              std::size_t letters = Reference::alphabet_size);

  void draw();

 private:
  const SharedHost& host_;
  std::optional<Reference> reference_;
  std::unique_ptr<CudaBench> pipeline_;
};

}  // namespace trilane
