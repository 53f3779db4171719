// Options whose value is one or more names from a list.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace trilane {

/// Returns the entries' names, in order.
std::vector<std::string> names_of(const auto& entries) {
  std::vector<std::string> names;
  for (const auto& entry : entries) names.emplace_back(entry.name);
  return names;
}

/// Returns the parts of `text` between separators; a part may be empty.
std::vector<std::string> split(const std::string& text, char separator);

/// Parses "a,b", names that must all be in `known`, each once, and returns them in that order.
/// Throws UsageError with the option, the name, a suggestion, and the choices.
std::vector<std::string> parse_names(const std::string& option, const std::string& text,
                                     const std::vector<std::string>& known);

/// Returns the position of `text` in `names`. Throws UsageError.
std::size_t parse_choice(const std::string& option, const std::string& text,
                         const std::vector<std::string>& names);

}  // namespace trilane
