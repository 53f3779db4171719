// What a program prints about itself.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/base/text/exit_code.hpp"
#include "common/commands/options/command.hpp"

namespace trilane {

/// If the arguments begin with a command, its use, examples and options; otherwise what the program
/// is for, its commands, and its exit codes. Lines have at most 80 characters. Throws UsageError
/// for a first word that is no command.
std::string help_text(std::span<const char* const> arguments, const Caller& caller);

/// The same and more as a manual page, for man.
std::string man_page(const Caller& caller);

/// What the program does, in a sentence or two.
std::string purpose(const Caller& caller);

/// How sizes and times are written.
extern const char* const how_to_write_values;

/// A question that people have, and the arguments of the command that answers it.
struct HelpQuestion {
  const char* asked;
  const char* arguments;
};

/// Those that the help and the manual page list.
extern const std::vector<HelpQuestion> help_questions;

/// Each exit code with what it means.
extern const std::vector<std::pair<ExitCode, const char*>> exit_codes;

/// "trilane 0.1.0 (revision, build type)".
std::string version_text(const std::string& program);

}  // namespace trilane
