// Scratch memory allocated once for a whole pass. The chunks lie side by side, as on the host, so
// that one copy moves all of them.
#pragma once

#include "common/gpu/runtime/handles.hpp"
#include "common/gpu/stages/stages.hpp"
#include "common/workload/steps.hpp"

namespace trilane {

class PassScratch {
 public:
  explicit PassScratch(const Job& job);

  /// The view of the step's chunk. A chunk may start at any word, as on the host.
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
