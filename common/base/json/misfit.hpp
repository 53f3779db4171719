// A mismatch in a file, and its place.
#pragma once

#include "common/base/text/words.hpp"

namespace trilane {

/// Thrown if a JSON value is not what was expected: its place and what is wrong. Each enclosing
/// value prepends its step while the exception propagates.
struct Misfit {
  std::string place, what;
};

/// Throws a Misfit without a place. What is wrong may be a format with its arguments.
[[noreturn]] inline void misfit(std::string what) { throw Misfit{{}, std::move(what)}; }
template <typename First, typename... More>
[[noreturn]] void misfit(fmt::format_string<First, More...> what, First&& first, More&&... more) {
  misfit(fmt::vformat(what, fmt::make_format_args(first, more...)));
}

/// Returns a step from a value into it: ".key", "[index]". A foreign key is made printable().
inline std::string step(std::string_view key) { return "." + printable(key, 80); }
inline std::string step(std::size_t index) { return "[" + std::to_string(index) + "]"; }

/// Returns what `act` returns; prepends `part`, a key or an index, to the place of its Misfit.
template <typename Part, typename Act>
decltype(auto) within(const Part& part, Act act) try {
  return act();
} catch (Misfit& error) {
  error.place = step(part) + error.place;
  throw;
}

/// Calls `act` with each entry, and prepends the entry's index to the place of a Misfit.
template <typename Entries, typename Act>
void within_each(const Entries& entries, Act act) {
  for (std::size_t i = 0; i < entries.size(); ++i) within(i, [&] { act(entries[i]); });
}

/// Returns ".schema is missing"; "the top level is not an object: an array".
inline std::string in_words(const Misfit& misfit) {
  return (misfit.place.empty() ? "the top level" : misfit.place) + " " + misfit.what;
}

}  // namespace trilane
