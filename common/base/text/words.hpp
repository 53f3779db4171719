// Numbers, lists and names in words, and text from the user and from files as it can be shown.
#pragma once

#include "common/std.hpp"

namespace trilane {

/// Returns the value of an environment variable; empty if it is not set.
inline std::string environment_value(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

/// Returns "a", "a and b", "a, b and c".
std::string listed(const std::vector<std::string>& names);

/// Returns the text with an upper-case first letter; `text` must not be empty.
std::string capitalised(std::string text);

/// Returns "1 round", "21 rounds", "2 batches".
std::string counted(std::uint64_t count, const std::string& noun);

/// Returns "5%" for 0.05, "0.25%" for 0.0025.
std::string percent(double share);

/// Returns the same with that many decimals: "5.0%".
std::string percent(double share, int decimals);

/// A unit of time.
struct Unit {
  const char* name;
  double us;
};

/// Returns the unit in which times up to `longest_us` have at most six digits.
Unit unit_up_to(double longest_us);

/// Returns a time in at most six characters; format_us() writes more below clock resolution.
std::string short_time(double value);

/// Returns a speed-up in at most five characters: "1.765", "69.2".
std::string short_speed(double times);

/// Returns a speed-up rounded for sentences: "0.82", "1.05", "2.4", "69".
std::string said_speed(double times);

/// Returns a ratio of times in words: "the same" within 1%, "+8%", "-30%", "3.4x as long".
std::string longer(double ratio);

/// Returns about the first `most` names, and how many others if two or more: "a, b and 3 more".
std::string shortened(const std::vector<std::string>& names, std::size_t most = 6);

/// The most bytes of a foreign text that a message shows.
inline constexpr std::size_t most_shown = 300;

/// Returns the bytes of the character at the start of `text`; 0 if it must not reach a terminal: a
/// control character (C0, DEL, C1), a line separator, a change of writing direction, or not UTF-8.
std::size_t printable_character(std::string_view text);

/// Returns the number of bytes before the first that must not reach a terminal.
std::size_t printable_bytes(std::string_view text);

/// Returns `text` on one line, at most `most` bytes long: each byte that must not reach a terminal
/// becomes \xNN, and a text that is too long is cut between characters and ends in "...".
std::string printable(std::string_view text, std::size_t most = most_shown);

/// Returns printable() in single quotes.
std::string in_quotes(std::string_view text);

/// Returns the program and its arguments, quoted so that a POSIX shell reads the same words back.
std::string command_line(std::string_view program, std::span<const char* const> arguments);

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
