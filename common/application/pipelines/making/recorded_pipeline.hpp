// The pipeline file of an application whose iteration is a chunked pipeline.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/application/iteration/records/application_recording.hpp"
#include "common/model/workload/workload.hpp"

namespace trilane {

struct RecordedPipeline {
  std::string name;   ///< of the application's program
  Pipeline pipeline;  ///< complete but for what follows; kernels name no file
  /// By kernel, then by argument: its value is not known, and the user's to fill in.
  std::vector<std::vector<bool>> unknown;
  std::uint32_t lanes = 1;
  Order order = Order::depth_first;
  bool pageable = false;  ///< some of the copies use pageable memory
};

/// The iteration as a pipeline: each chunk's copies, memsets and kernels in the order of their
/// calls. Sizes and grids follow from the chunk's items where the recording shows how; a kernel's
/// pointers to const are its inputs, others are its outputs or, where something has written there
/// before, both. Throws UsageError of one line that names the call that does not fit.
RecordedPipeline recorded_pipeline(const ApplicationRecording& recording);

}  // namespace trilane
