// Scratch memory allocated once, for a whole pass: what is copied for all chunks at once lies side
// by side, as it does on the host.
#pragma once

#include "common/gpu/runtime/handles.hpp"
#include "common/gpu/stages/stages.hpp"
#include "common/workload/steps.hpp"

namespace trilane {

class PassScratch {
 public:
  explicit PassScratch(const Job& job);

  /// The view of the step's chunk. Chunks start at any word, as on the host.
  Scratch operator[](const Step& step) const;

  /// The stages of all chunks at once.
  Operation copy_in() const;
  Operation clear() const;
  Operation copy_out() const;

 private:
  const Job& job_;
  DeviceBuffer in_, out_;
};

}  // namespace trilane
