// Names from a list: options that choose some, and the likely meaning of a mistyped one.
#pragma once

#include "common/std.hpp"

namespace trilane {

/// Returns the entries' names, in order.
std::vector<std::string> names_of(const auto& entries) {
  return transformed(entries, [](const auto& entry) { return std::string(entry.name); });
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

/// Returns the only name of `known` that starts with `word`. Otherwise returns the first of those
/// that need the fewest changed, missing, surplus or swapped letters to become `word`, at most one
/// for every three letters of it. Empty if none exists.
std::string closest(std::string_view word, std::span<const std::string> known);

/// Returns "did you mean 'graph'? ", or empty.
std::string did_you_mean(std::string_view word, std::span<const std::string> known);

}  // namespace trilane
