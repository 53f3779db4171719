// The commands: each one's name, operands, options and function, and the program that it runs in.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "common/commands/options/given.hpp"
#include "common/commands/options/option_rows.hpp"

namespace trilane {

struct Caller {
  std::string name;                   ///< "trilane"
  std::vector<std::string> variants;  ///< its variants, in order
  bool simulated = false;             ///< true if its device is simulated
  std::string line;                   ///< the whole command line, recorded in results
};

/// The operands, which follow a command's name without dashes.
struct Operands {
  const char* names = "";  ///< "OLD NEW", "[RESULTS] [NAME]"; empty for none
  std::size_t least = 0;  ///< minimum number
  std::size_t most = 0;   ///< maximum number
  Value value = Value::plain;
  const char* choices = "";    ///< with Value::choice: the names, separated by commas
  bool are_a_command = false;  ///< they are another program's words, after --
};

/// The programs that have a command.
enum class Programs {
  all,
  gpu,        ///< only for a GPU
  simulated,  ///< only with a simulated device
};

struct Command {
  const char* name;
  Operands operands{};
  const char* summary;                ///< one line, for the list of commands
  const char* about = "";             ///< further help
  std::vector<const char*> examples;  ///< arguments of the program
  std::vector<OptionGroup> groups{};
  Programs programs = Programs::all;
  bool predicts = false;  ///< on a simulated device it takes a profile, though it measures nothing
  /// Runs the command and returns the exit code. Throws as main() expects.
  int (*run)(const Given& given, const Caller& caller);
};

/// Returns every command of the programs with or without a simulated device, in the order of the
/// help. The first one runs if no command is named.
const std::vector<Command>& commands(bool simulated);

/// Returns the groups of a command's options; on a simulated device its own come last.
std::vector<OptionGroup> groups_of(const Command& command, bool simulated);

/// Returns the rows of groups_of() in one list.
std::vector<OptionRow> rows_of(const Command& command, bool simulated);

/// Returns the command that the first argument names, or nullptr if that is an option or missing.
/// Throws UsageError that suggests a similar command, or what to write for a preset or variant.
const Command* named_first(std::span<const char* const> arguments, const Caller& caller);

/// A parsed command line: the command and its words.
struct CommandLine {
  const Command* command = nullptr;
  Given given;
};

/// Reads argv without the program's name. Throws UsageError as named_first() does, and for options
/// and words that the command does not take.
CommandLine read_command_line(std::span<const char* const> arguments, const Caller& caller);

// Each is defined in a file of its own.
Command run_command();
Command sweep_command();
Command aa_command();
Command compare_command();
Command report_command();
Command show_command();
Command calibrate_command();
Command diagnose_command();
Command validate_command();
Command plan_command();
Command pipeline_command();
Command list_command();
Command ask_command();
Command loop_command();
Command record_command();
Command schema_command();
Command completion_command();
Command man_command();

}  // namespace trilane
