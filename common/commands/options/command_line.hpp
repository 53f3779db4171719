// The commands: each one's name, operands, options and function, and the program that it runs in.
#pragma once

#include "common/base/text/exit_code.hpp"
#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/commands/options/option_rows.hpp"

namespace trilane {

/// An option that is not among those given to Given.
struct UnknownOption : UsageError {
  explicit UnknownOption(const std::string& word);
  std::string name;  ///< without dashes and value
};

/// Options by name, without dashes, and their texts; a switch has an empty text.
class Given {
 public:
  Given() = default;
  /// Throws UnknownOption, also for an abbreviation, and UsageError for a repeated option, a
  /// missing value, and a value given to a switch.
  Given(std::span<const OptionGroup> groups, std::span<const char* const> arguments);

  bool has(const std::string& name) const { return values_.contains(name); }
  const std::map<std::string, std::string>& all() const { return values_; }
  std::optional<std::string> text(const std::string& name) const {
    return has(name) ? std::optional(values_.at(name)) : std::nullopt;
  }
  /// Returns the words that belong to no option, and all those after --, in order.
  const std::vector<std::string>& operands() const { return operands_; }

  /// Returns `parse(option, text, more...)` if the option, named with its dashes, was given.
  template <typename Parse, typename... More>
  auto read(const std::string& name, Parse parse, const More&... more) const
      -> std::optional<std::invoke_result_t<Parse, std::string, std::string, More...>> {
    if (!has(name)) return std::nullopt;
    return parse("--" + name, values_.at(name), more...);
  }

  /// Returns a whole number from `low` to `high`, if the option was given. Throws UsageError.
  template <typename Number>
  std::optional<Number> count(const std::string& name, Number low, Number high) const {
    return read(name, parse_count, static_cast<std::uint64_t>(low),
                static_cast<std::uint64_t>(high));
  }
  /// Returns a percentage as a fraction. Throws UsageError.
  std::optional<double> share(const std::string& name, double low, double high) const {
    return read(name, parse_percent, low, high);
  }
  /// Returns a positive time in microseconds. Throws UsageError.
  std::optional<double> time_us(const std::string& name, double high_us) const {
    return read(name, parse_time_us, 0.0, high_us);
  }
  /// Returns the enumerator at the place of one of `words`. Throws UsageError.
  template <typename Enum>
  std::optional<Enum> one_of(const std::string& name, const std::vector<std::string>& words) const {
    const auto place = read(name, parse_choice, words);
    return place ? std::optional(static_cast<Enum>(*place)) : std::nullopt;
  }
  /// Returns some of `known`, in the order given. Throws UsageError.
  std::optional<std::vector<std::string>> some_of(const std::string& name,
                                                  const std::vector<std::string>& known) const {
    return read(name, parse_names, known);
  }
  /// Returns the entries of `all` with the given names, as given, or else all. Throws UsageError.
  template <typename Entry>
  std::vector<Entry> named(const std::string& name, const std::vector<Entry>& all) const {
    const auto names = some_of(name, names_of(all));
    if (!names) return all;
    return transformed(
        *names, [&](const std::string& one) { return *std::ranges::find(all, one, &Entry::name); });
  }
  /// Returns the entries of `all` that the operands name, in the order given. Throws UsageError.
  template <typename Entry>
  std::vector<Entry> named_by_operands(const char* command, const std::vector<Entry>& all) const {
    return transformed(operands_, [&](const std::string& name) {
      return all[parse_choice(command, name, names_of(all))];
    });
  }
  /// Returns the text, empty without the option. Throws UsageError with `why` if the text is empty.
  std::string text_or_refuse(const std::string& name, const char* why) const;
  /// Returns the path of an output file, "-" for standard output, or empty. Refuses an empty text.
  std::string output(const std::string& name) const;
  /// Returns the same words with this option added.
  Given with(const std::string& name, const std::string& text) const {
    Given more = *this;
    more.values_[name] = text;
    return more;
  }
  /// Throws UsageError with the option's text and the reason `why` if the option was given.
  void forbid(const std::string& name, const std::string& why) const;

 private:
  std::map<std::string, std::string> values_;
  std::vector<std::string> operands_;
};

/// A file and the option or operand that names it. "-" is standard output, an empty path no file.
struct NamedFile {
  std::string label, path;
};

/// Throws UsageError if two outputs, or an output and an input, are the same file, even through
/// other spellings and symbolic links: --force must not overwrite the run's own input.
void check_files(const std::vector<NamedFile>& outputs, const std::vector<NamedFile>& inputs);

/// Returns the operands of a command, its inputs, for check_files().
inline std::vector<NamedFile> named_inputs(const char* command, const Given& given) {
  return transformed(given.operands(), [&](const std::string& path) {
    return NamedFile{command, path};
  });
}

struct Caller {
  std::string name;                   ///< "trilane"
  std::vector<std::string> variants;  ///< its variants, in order
  bool simulated = false;             ///< true if its device is simulated
  std::string line;                   ///< the whole command line, recorded in results
};

/// The operands, which follow a command's name without dashes.
struct Operands {
  const char* names = "";  ///< "OLD NEW", "[RESULTS] [NAME]"; empty for none
  std::size_t least = 0;   ///< minimum number
  std::size_t most = 0;    ///< maximum number
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
  Given given{};
};

/// Reads argv without the program's name. Throws UsageError as named_first() does, and for options
/// and words that the command does not take.
CommandLine read_command_line(std::span<const char* const> arguments, const Caller& caller);

// Each is defined in a file of its own.
Command run_command();
Command fleet_command();
Command sweep_command();
Command aa_command();
Command compare_command();
Command merge_command();
Command history_command();
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
