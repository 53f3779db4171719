// Makes the pipeline file of an application whose iteration is a chunked pipeline.
#pragma once

#include "common/application/iteration/application_recording.hpp"
#include "common/model/workload/workload.hpp"

namespace trilane {

struct RecordedPipeline {
  std::string name;   ///< of the application's program
  Pipeline pipeline;  ///< complete except for what follows; kernels name no file
  /// By kernel, then by argument: the value is unknown, and the user has to fill it in.
  std::vector<std::vector<bool>> unknown;
  std::uint32_t lanes = 1;
  Order order = Order::depth_first;
  bool pageable = false;  ///< some of the copies use pageable memory
};

/// Returns the iteration as a pipeline: each chunk's copies, memsets and kernels in call order.
/// - Sizes and grids follow from the chunk's items if the recording shows how.
/// - A kernel's pointers to const are its inputs. Others are its outputs or, if something has
///   written there before, both.
/// Throws a one-line UsageError that names the call that does not fit.
RecordedPipeline recorded_pipeline(const ApplicationRecording& recording);

/// Marks a place that only the user can fill in. Readers of pipeline files refuse it.
inline constexpr char to_fill_in[] = "fill in";

/// Returns the text of the pipeline file. `source` is the file of all kernels, relative to the
/// pipeline file's folder; empty: to fill in.
std::string pipeline_text(const RecordedPipeline& recorded, const std::string& source);

}  // namespace trilane
