// A pipeline file to start from.
#pragma once

#include <string>

namespace trilane {

/// Returns the text of a pipeline file that shows most of the format. Its kernels do not exist.
std::string example_pipeline();

}  // namespace trilane
