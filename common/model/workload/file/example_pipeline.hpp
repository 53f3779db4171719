// A pipeline file to begin with.
#pragma once

#include <string>

namespace trilane {

/// The text of a pipeline file that shows most of the format. Its kernels do not exist.
std::string example_pipeline();

}  // namespace trilane
