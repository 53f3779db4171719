// Quotes what the user typed.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace trilane {

/// `text` in single quotes. Control characters become \xNN, so that a message stays on one line.
std::string in_quotes(std::string_view text);

/// The program and its arguments, quoted so that a POSIX shell reads the same words back.
std::string command_line(std::string_view program, std::span<const char* const> arguments);

}  // namespace trilane
