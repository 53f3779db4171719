#include "common/measure/harness/apart/shared_input.hpp"

namespace trilane {

SharedInput::SharedInput(const Workload& workload, std::uint64_t seed, const SharedHost& host,
                         std::size_t letters)
    : host_(host) {
  if (!workload.pipeline) {
    reference_.emplace(workload, seed, letters);
    return;
  }
  pipeline_ = std::make_unique<CudaBench>(workload, std::vector<VariantEntry>{}, seed,
                                          std::make_shared<HostBuffers>(host), letters);
}

void SharedInput::draw() {
  if (reference_) return reference_->draw(host_.in(), host_.expected());
  pipeline_->new_input();
}

}  // namespace trilane
