// Completions for shells, made from the table of commands.
#pragma once

#include <string>
#include <vector>

#include "common/commands/options/command.hpp"

namespace trilane {

/// A script for bash, to be sourced or laid into bash-completion's folder as the program's name.
std::string bash_completion(const Caller& caller);

/// A script for zsh, to be laid into a folder of $fpath as _NAME.
std::string zsh_completion(const Caller& caller);

/// A script for fish, to be laid into its folder completions as NAME.fish.
std::string fish_completion(const Caller& caller);

/// The names that a value can be, as far as they are known: presets, variants or choices.
std::vector<std::string> names_for(Value value, const char* choices, const Caller& caller);

/// Whether several values, with commas between them, can be given.
bool takes_several(const OptionRow& row);

/// The knobs that can be swept, each with its equals sign: "chunks=".
std::vector<std::string> knobs_to_sweep();

}  // namespace trilane
