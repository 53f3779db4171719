// A mismatch in a file, and its place.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "common/base/text/quoting.hpp"

namespace trilane {

/// Thrown if a JSON value is not what was expected: its place and what is wrong. Each enclosing
/// value prepends its step while the exception propagates.
struct Misfit {
  std::string place, what;
};

/// Throws a Misfit without a place.
[[noreturn]] inline void misfit(std::string what) { throw Misfit{{}, std::move(what)}; }

/// Returns a step from a value into it: ".key", "[index]". A foreign key is shown in printable()
/// form.
inline std::string step(std::string_view key) { return "." + printable(key, 80); }
inline std::string step(std::size_t index) { return "[" + std::to_string(index) + "]"; }

/// Calls `act`, and prepends `part`, a key or an index, to the place of a Misfit that it throws.
template <typename Part, typename Act>
void within(const Part& part, Act act) {
  try {
    act();
  } catch (Misfit& error) {
    error.place = step(part) + error.place;
    throw;
  }
}

/// Returns ".schema is missing"; "the top level is not an object: an array".
inline std::string in_words(const Misfit& misfit) {
  return (misfit.place.empty() ? "the top level" : misfit.place) + " " + misfit.what;
}

}  // namespace trilane
