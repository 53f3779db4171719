// Words of the user in our lines.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace trilane {

/// `text` in single quotes, for messages: control characters become \xNN, so that what the user
/// gave cannot break a message into lines.
std::string in_quotes(std::string_view text);

/// The program and its arguments as one line that a POSIX shell reads back as the same words.
std::string command_line(std::string_view program, std::span<const char* const> arguments);

}  // namespace trilane
