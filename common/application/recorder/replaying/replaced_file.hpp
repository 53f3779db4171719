// Writes a file from within the application.
#pragma once

#include <string>

namespace trilane {

/// Replaces the file by way of a temporary name beside it. Throws std::runtime_error.
void replace_file(const std::string& path, const std::string& text);

}  // namespace trilane
