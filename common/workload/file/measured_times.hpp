// Puts measured times into a pipeline file.
#pragma once

#include <string>
#include <vector>

namespace trilane {

/// The text of a pipeline file with `us[k]` as "time_us" of the k-th kernel stage, to four digits,
/// and otherwise as it is, byte for byte. `text` is one that pipeline_in() accepts. Throws
/// std::invalid_argument if `us` does not hold a time for each kernel stage.
std::string with_times(const std::string& text, const std::vector<double>& us);

}  // namespace trilane
