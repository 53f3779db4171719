// The message with which a program gives up.
#pragma once

#include <string>

namespace trilane {

/// An environment variable with which a parent process names a file for the bare message.
inline constexpr const char* message_file_variable = "TRILANE_MESSAGE_FILE";

/// Prints "PROGRAM: MESSAGE" to standard error, and writes the message alone to the file that a
/// parent process asked for.
void give_last_message(const std::string& program, const std::string& message) noexcept;

}  // namespace trilane
