// The input of variants that run in other processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "common/measure/harness/cuda_bench.hpp"
#include "common/measure/harness/host_buffers.hpp"
#include "common/model/workload/reference.hpp"
#include "common/model/workload/workload.hpp"

namespace trilane {

/// Draws input and computes the expected output into memory shared by processes, which must outlive
/// it. Needs the GPU only for a pipeline's own kernels.
class SharedInput {
 public:
  /// The reference draws from `letters` words, see Reference. Throws the errors of CudaBench.
  SharedInput(const Workload& workload, std::uint64_t seed, const SharedHost& host,
              std::size_t letters = Reference::alphabet_size)
      : host_(host) {
    if (!workload.pipeline) {
      reference_.emplace(workload, seed, letters);
      return;
    }
    pipeline_ = std::make_unique<CudaBench>(workload, std::vector<VariantEntry>{}, seed,
                                            std::make_shared<HostBuffers>(host), letters);
  }

  void draw() {
    if (reference_) return reference_->draw(host_.in(), host_.expected());
    pipeline_->new_input();
  }

 private:
  const SharedHost& host_;
  std::optional<Reference> reference_;
  std::unique_ptr<CudaBench> pipeline_;
};

}  // namespace trilane
