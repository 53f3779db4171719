// Generates completions for shells from the table of commands.
#pragma once

#include <string>
#include <vector>

#include "common/commands/options/command.hpp"

namespace trilane {

/// Returns a script for bash, to be sourced or put into bash-completion's folder under the
/// program's name.
std::string bash_completion(const Caller& caller);

/// Returns a script for zsh, to be put into a folder of $fpath as _NAME.
std::string zsh_completion(const Caller& caller);

/// Returns a script for fish, to be put into its folder completions as NAME.fish.
std::string fish_completion(const Caller& caller);

/// Returns the possible names for a value, as far as known: presets, variants or choices.
std::vector<std::string> names_for(Value value, const char* choices, const Caller& caller);

/// Returns true if the option takes several values, separated by commas.
bool takes_several(const OptionRow& row);

/// Returns the knobs that can be swept, each with its equals sign: "chunks=".
std::vector<std::string> knobs_to_sweep();

}  // namespace trilane
