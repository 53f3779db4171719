// A kernel's source and the files that it includes.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace trilane {

/// The file, and the headers that it and they name in #include "...", as far as they are beside the
/// file that names them: in the order of first mention, each once. Conditions are ignored.
std::vector<std::filesystem::path> sources_of(const std::filesystem::path& file);

/// The files of a rule for make, as compilers write it: "w.o : w.cu \ header\ file.h".
std::vector<std::filesystem::path> files_of_rule(std::string_view rule);

/// One text of the names and contents of files; those that cannot be read count as empty.
std::string names_and_contents(const std::vector<std::filesystem::path>& files);

}  // namespace trilane
