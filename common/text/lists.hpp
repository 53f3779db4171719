// Lists, as people type them and read them.
#pragma once

#include <string>
#include <vector>

namespace trilane {

/// The parts of `text` between separators, empty ones too: one more than there are separators.
std::vector<std::string> split(const std::string& text, char separator);

/// "a", "a and b", "a, b and c".
std::string listed(const std::vector<std::string>& names);

}  // namespace trilane
