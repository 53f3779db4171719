// Writes measured times into a pipeline file.
#pragma once

#include "common/std.hpp"

namespace trilane {

/// The times of a pipeline file's kernels for a full chunk, in microseconds.
struct KernelTimes {
  std::vector<double> stages;   ///< of each kernel stage, in the order of the file
  std::optional<double> fused;  ///< of the "fused" kernel, if the file has one
};

/// Returns the text of a pipeline file with each kernel's time as its "time_us", to four digits,
/// and otherwise unchanged, byte for byte. pipeline_in() must accept `text`. Throws
/// std::invalid_argument unless there is one time for each kernel of the file.
std::string with_times(const std::string& text, const KernelTimes& times);

}  // namespace trilane
