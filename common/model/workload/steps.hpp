// The steps of a pass: the stages of all chunks in issue order, with their operands.
#pragma once

#include "common/model/workload/buffer_layout.hpp"
#include "common/model/workload/workload.hpp"

namespace trilane {

/// A kernel of a pipeline file, ready to be launched (common/measure/gpu/stages.hpp).
class FileLaunch;

/// One stage of one chunk with its host operands. The variant owns the device operands.
struct Step {
  Stage stage;
  std::uint32_t place;  ///< of the stage in its chunk, from 0
  bool first, last;     ///< of its chunk
  bool early;           ///< a kernel that may start early, by early_places()
  std::uint32_t chunk;
  std::uint32_t lane;
  std::uint32_t kernel;  ///< 0 to depth-1 for transform, otherwise 0
  std::uint32_t buffer;  ///< that a copy moves or a memset sets
  std::uint8_t value;    ///< of a memset
  std::uint32_t rounds;
  const std::byte* host_in;  ///< source of a copy in
  std::byte* host_out;       ///< destination of a copy out
  std::uint64_t in_bytes;    ///< of a copy in
  std::uint64_t out_bytes;   ///< of a memset or copy out
  const FileLaunch* launch;  ///< of a pipeline file's kernel; otherwise null
};

/// The kernels of a pipeline file for a full and for the last chunk, by their place among kernels.
/// This is a view: common/measure/gpu/pipeline/loaded_pipeline.hpp has the owner.
struct FileKernels {
  std::vector<const FileLaunch*> full, last;
  const FileLaunch* fused_full = nullptr;
  const FileLaunch* fused_last = nullptr;
};

/// A workload and the host buffers that all its variants share. It must outlive the variants.
struct Job {
  /// The host buffers must be as large as the layout says. `kernels` are those of the workload's
  /// pipeline file; without them, steps of such a workload can only be counted.
  Job(const Workload& workload, const std::byte* host_in, std::byte* host_out,
      FileKernels kernels = {});

  Workload workload;
  Layout layout;
  const std::byte* host_in;
  std::byte* host_out;
  FileKernels kernels;
  std::vector<Step> steps;  ///< one pass, in issue order
};

}  // namespace trilane
