// The last message of a failing program.
#pragma once

#include "common/std.hpp"

namespace trilane {

/// An environment variable through which a parent process names a file for the bare message.
inline constexpr const char* message_file_variable = "TRILANE_MESSAGE_FILE";

/// Prints "PROGRAM: MESSAGE" to standard error, and writes the message alone to the file named by a
/// parent process.
void give_last_message(const std::string& program, const std::string& message) noexcept;

}  // namespace trilane
