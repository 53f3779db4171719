// Puts measured times into a pipeline file.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace trilane {

/// How long the kernels of a pipeline file take for a full chunk, in microseconds.
struct KernelTimes {
  std::vector<double> stages;   ///< of each kernel stage, in the order of the file
  std::optional<double> fused;  ///< of the "fused" kernel, where the file has one
};

/// The text of a pipeline file with each kernel's time as its "time_us", to four digits, and
/// otherwise as it is, byte for byte. `text` is one that pipeline_in() accepts. Throws
/// std::invalid_argument if there is not one time for each kernel of the file.
std::string with_times(const std::string& text, const KernelTimes& times);

}  // namespace trilane
