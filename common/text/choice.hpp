// Names to choose from.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace trilane {

/// "a,b": names that are all in `known`, each once; returned in the order of `known`. Throws
/// UsageError that names `option`, the name and what there is to choose from.
std::vector<std::string> parse_names(const std::string& option, const std::string& text,
                                     const std::vector<std::string>& known);

/// The position of `text` in `names`. Throws UsageError.
std::size_t parse_choice(const std::string& option, const std::string& text,
                         const std::vector<std::string>& names);

}  // namespace trilane
