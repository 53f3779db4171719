// Prints what a program says about itself.
#pragma once

#include "common/commands/options/command_line.hpp"

namespace trilane {

/// Returns a command's use, examples and options if the arguments begin with one; otherwise the
/// program's purpose, commands and exit codes. Lines have at most 80 characters. Throws UsageError.
std::string help_text(std::span<const char* const> arguments, const Caller& caller);

/// Returns the same and more as a manual page, for man.
std::string man_page(const Caller& caller);

/// A common question, and the arguments of the command that answers it.
struct HelpQuestion {
  const char* asked;
  const char* arguments;
};

/// The questions listed in the help and the manual page.
extern const std::vector<HelpQuestion> help_questions;

/// Returns "trilane 0.1.0 (revision, build type)".
std::string version_text(const std::string& program);

/// Returns a script for bash, to be sourced or put into bash-completion's folder.
std::string bash_completion(const Caller& caller);

/// Returns a script for zsh, to be put into a folder of $fpath as _NAME.
std::string zsh_completion(const Caller& caller);

/// Returns a script for fish, to be put into its folder completions as NAME.fish.
std::string fish_completion(const Caller& caller);

}  // namespace trilane
