// A kernel's source and the files that it includes.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace trilane {

/// Returns the file and the headers that it and they name in #include "...", each once, in the
/// order of first mention. Only headers beside the including file count. Conditions are ignored.
std::vector<std::filesystem::path> sources_of(const std::filesystem::path& file);

/// Parses the dependencies of a make rule, as compilers write it: "w.o : w.cu \ header\ file.h".
std::vector<std::filesystem::path> files_of_rule(std::string_view rule);

/// Returns the names and contents of files as one text; unreadable files count as empty.
std::string names_and_contents(const std::vector<std::filesystem::path>& files);

}  // namespace trilane
