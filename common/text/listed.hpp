// Lists in words.
#pragma once

#include <string>
#include <vector>

namespace trilane {

/// "a", "a and b", "a, b and c".
std::string listed(const std::vector<std::string>& names);

}  // namespace trilane
