// A command: a word, what may follow it, and what it does.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "common/commands/options/caller.hpp"
#include "common/commands/options/given.hpp"
#include "common/commands/options/option_rows.hpp"

namespace trilane {

/// What stands behind a command's name without dashes.
struct Operands {
  const char* names;      ///< "OLD NEW", "[RESULTS] [NAME]"; empty for none
  std::size_t least = 0;  ///< how many there must be
  std::size_t most = 0;   ///< and may be
  Value value = Value::plain;
  const char* choices = "";    ///< with Value::choice: the names, with commas between them
  bool are_a_command = false;  ///< those of another program: any words, after --
};

/// The programs that have a command.
enum class Programs {
  all,
  gpu,        ///< only those for a GPU
  simulated,  ///< only those with a simulated device
};

struct Command {
  const char* name;
  Operands operands;
  const char* summary;                ///< one line, for the list of commands
  const char* about;                  ///< what its help says besides; may be empty
  std::vector<const char*> examples;  ///< arguments of the program
  std::vector<OptionGroup> groups;
  Programs programs = Programs::all;
  bool predicts = false;  ///< on a simulated device it takes a profile, though it measures nothing
  /// Returns the exit code. Throws as main() expects it.
  int (*run)(const Given& given, const Caller& caller);
};

/// Every command of the programs with or without a simulated device, in the order of the help. The
/// first one is what runs without a command's name.
const std::vector<Command>& commands(bool simulated);

/// The groups of a command's options; on a simulated device its own come last.
std::vector<OptionGroup> groups_of(const Command& command, bool simulated);

/// The command that the first argument names, or nullptr if that is an option or missing. Throws
/// UsageError, which suggests what was meant: a similar command, or what to write for a preset or
/// variant.
const Command* named_first(std::span<const char* const> arguments, const Caller& caller);

/// A command line: what to do, and with which words.
struct CommandLine {
  const Command* command = nullptr;
  Given given;
};

/// Reads argv without the program's name. Throws UsageError as named_first() does, and for options
/// and words that the command does not take.
CommandLine read_command_line(std::span<const char* const> arguments, const Caller& caller);

}  // namespace trilane
