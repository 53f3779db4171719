// What a program prints about itself.
#pragma once

#include <string>

#include "common/commands/options/command.hpp"

namespace trilane {

/// If the arguments begin with a command, its use, examples and options; otherwise what the program
/// is for, its commands, and its exit codes. Lines have at most 80 characters. Throws UsageError
/// for a first word that is no command.
std::string help_text(std::span<const char* const> arguments, const Caller& caller);

/// "trilane 0.1.0 (revision, build type)".
std::string version_text(const std::string& program);

}  // namespace trilane
