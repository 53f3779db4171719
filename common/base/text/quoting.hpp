// Shows text from the user and from files.
#pragma once

#include "common/std.hpp"

namespace trilane {

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

}  // namespace trilane
