// Suggests the likely meaning of a mistyped name.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace trilane {

/// Returns the only name of `known` that starts with `word`. Otherwise returns the first of those
/// that need the fewest changed, missing, surplus or swapped letters to become `word`, at most one
/// for every three letters of it. Empty if none exists.
std::string closest(std::string_view word, std::span<const std::string> known);

/// Returns "did you mean 'graph'? ", or empty.
std::string did_you_mean(std::string_view word, std::span<const std::string> known);

}  // namespace trilane
