#include "common/commands/options/command_line.hpp"

#include <boost/program_options/errors.hpp>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/parsers.hpp>
#include <boost/program_options/value_semantic.hpp>

#include "common/model/workload/workload.hpp"

namespace trilane {
namespace {

namespace po = boost::program_options;

[[noreturn]] void refuse_option(const std::string& name, const std::string& text,
                                const std::string& why) {
  throw UsageError("--{}{}: {}", name, text.empty() ? "" : " " + in_quotes(text), why);
}

std::vector<po::option> split_options(std::span<const OptionGroup> groups,
                                      std::span<const char* const> arguments) {
  using Style = po::command_line_style::style_t;
  const po::options_description table = described(groups);
  const std::vector<std::string> words(arguments.begin(), arguments.end());
  try {
    return po::command_line_parser(words)
        .options(table)
        .style(Style::allow_long | Style::long_allow_adjacent | Style::long_allow_next)
        .run()
        .options;
  } catch (const po::unknown_option& error) {
    throw UnknownOption(error.get_option_name());
  } catch (const po::invalid_command_line_syntax& error) {
    const std::string name = error.get_option_name();
    if (error.kind() == po::invalid_syntax::extra_parameter)
      throw UsageError("{}: takes no value; write it alone", name);
    throw UsageError("{}: needs a value; --help says which", name);
  }
}

bool same_file(const std::string& one, const std::string& other) {
  namespace fs = std::filesystem;
  std::error_code error;
  const auto resolved = [&](const std::string& name) {
    return fs::weakly_canonical(fs::absolute(name, error), error);
  };
  const fs::path path_of_one = resolved(one);
  return path_of_one == resolved(other) && !path_of_one.empty();
}

bool same_output(const std::string& one, const std::string& other) {
  return one == "-" || other == "-" ? one == other : same_file(one, other);
}

/// Throws what to write instead of a word that is not a command.
[[noreturn]] void refuse_word(const std::string& word, const Caller& caller) {
  const bool of_other = includes(names_of(commands(!caller.simulated)), word);
  const char* const other = caller.simulated ? "trilane" : "trilane-sim";
  const std::string way_out =
      of_other ? fmt::format("only {0} has it; write {0} {1}", other, word)
      : includes(names_of(presets()), word)
          ? fmt::format("write {} run --preset {}", caller.name, word)
      : includes(caller.variants, word)
          ? fmt::format("write {} run --variant {}", caller.name, word)
          : fmt::format("{}{} --help lists the commands",
                        did_you_mean(word, names_of(commands(caller.simulated))), caller.name);
  throw UsageError("{} is not a command; {}", in_quotes(word), way_out);
}

bool takes(const std::vector<OptionGroup>& groups, const std::string& option) {
  return std::ranges::any_of(groups, [&](const OptionGroup& group) {
    return includes(group.rows, option, [](const OptionRow& row) { return row.name; });
  });
}

std::string way_out(const std::string& option, const Command& command, const Caller& caller) {
  std::vector<std::string> others;
  for (const Command& other : commands(caller.simulated)) {
    if (option == other.name) return fmt::format("write {} {}", caller.name, option);
    if (takes(other.groups, option)) others.push_back(other.name);
  }
  const std::string near = closest(option, names_of(rows_of(command, caller.simulated)));
  if (near.empty() && command.operands.are_a_command)
    return fmt::format("if it is the application's, write {} {} -- before the application",
                       caller.name, command.name);
  if (takes({simulation_group(true)}, option) && !caller.simulated)
    return "only trilane-sim has this option; leave it out or run trilane-sim";
  if (!others.empty()) return fmt::format("it is an option of {}; leave it out", listed(others));
  return fmt::format("{}{} {} --help lists all",
                     near.empty() ? "" : "did you mean --" + near + "? ", caller.name,
                     command.name);
}

void check_operands(const Given& given, const Command& command, const Caller& caller) {
  const Operands& operands = command.operands;
  const std::size_t count = given.operands().size();
  const std::string use = fmt::format("write {} {} {}", caller.name, command.name, operands.names);
  if (count > operands.most) {
    const std::string& stray = given.operands()[operands.most];
    const std::vector<std::string> names = names_of(commands(caller.simulated));
    const std::string way_out =
        includes(names, stray) ? "write the command first"
        : operands.most > 0    ? use
                               : fmt::format("{} {} takes options only", caller.name, command.name);
    throw UsageError("stray word {}: {}", in_quotes(stray), way_out);
  }
  if (count < operands.least) {
    throw UsageError("{} needs {} more; {}", command.name,
                     operands.least - count == 1 ? "one word" : "words", use);
  }
  if (!operands.are_a_command && includes(given.operands(), "")) {
    throw UsageError("{} '': names nothing; {}", command.name, use);
  }
}

}  // namespace

po::options_description described(std::span<const OptionGroup> groups) {
  constexpr unsigned line_length = 80;
  po::options_description table(line_length);
  for (const OptionGroup& group : groups) {
    po::options_description part(group.caption, line_length);
    for (const OptionRow& row : group.rows) {
      if (*row.placeholder == '\0') {
        part.add_options()(row.name, row.text);
      } else {
        // Text, because Boost reads "-1" as a large unsigned number, and cannot read sizes.
        part.add_options()(row.name, po::value<std::string>()->value_name(row.placeholder),
                           row.text);
      }
    }
    table.add(part);
  }
  return table;
}

UnknownOption::UnknownOption(const std::string& word)
    : UsageError("has no option {}", in_quotes(word.substr(0, word.find('=')))) {
  const std::size_t begin = std::min(word.size(), word.find_first_not_of('-'));
  name = word.substr(begin, word.find('=') - begin);
}

Given::Given(std::span<const OptionGroup> groups, std::span<const char* const> arguments) {
  const auto dashes = std::ranges::find(arguments, std::string_view("--"));
  const auto before = static_cast<std::size_t>(dashes - arguments.begin());
  for (const po::option& option : split_options(groups, arguments.first(before))) {
    const std::string text = option.value.empty() ? "" : option.value.front();
    if (option.position_key != -1) {
      // Boost takes "-x" for an operand, because short options are off.
      if (text.size() > 1 && text.front() == '-') throw UnknownOption(text);
      operands_.push_back(text);
    } else if (!values_.emplace(option.string_key, text).second) {
      refuse_option(option.string_key, text, "given more than once; leave one out");
    }
  }
  if (dashes != arguments.end()) operands_.insert(operands_.end(), dashes + 1, arguments.end());
}

std::string Given::text_or_refuse(const std::string& name, const char* why) const {
  if (has(name) && values_.at(name).empty()) refuse("--" + name, "", why);
  return text(name).value_or("");
}

std::string Given::output(const std::string& name) const {
  return text_or_refuse(name, "names no file; give one, or - for standard output");
}

void Given::forbid(const std::string& name, const std::string& why) const {
  if (has(name)) refuse_option(name, values_.at(name), why);
}

void check_files(const std::vector<NamedFile>& outputs, const std::vector<NamedFile>& inputs) {
  for (auto output = outputs.begin(); output != outputs.end(); ++output) {
    if (output->path.empty()) continue;
    for (auto earlier = outputs.begin(); earlier != output; ++earlier) {
      if (earlier->path.empty() || !same_output(earlier->path, output->path)) continue;
      refuse(output->label, output->path, "is also the file of {}; give another name",
             earlier->label);
    }
    for (const NamedFile& input : inputs) {
      if (input.path.empty() || output->path == "-" || !same_file(input.path, output->path))
        continue;
      refuse(output->label, output->path, "is a file that {} reads; give another name",
             input.label);
    }
  }
}

const std::vector<Command>& commands(bool simulated) {
  static const std::vector<Command> all{run_command(),    fleet_command(),      sweep_command(),
                                        show_command(),   report_command(),     compare_command(),
                                        merge_command(),  history_command(),    ask_command(),
                                        loop_command(),   record_command(),     diagnose_command(),
                                        aa_command(),     pipeline_command(),   plan_command(),
                                        list_command(),   calibrate_command(),  validate_command(),
                                        schema_command(), completion_command(), man_command()};
  const auto without = [](Programs others) {
    std::vector<Command> some = all;
    std::erase_if(some, [&](const Command& command) { return command.programs == others; });
    return some;
  };
  static const std::vector<Command> for_a_gpu = without(Programs::simulated);
  static const std::vector<Command> for_the_simulated = without(Programs::gpu);
  return simulated ? for_the_simulated : for_a_gpu;
}

std::vector<OptionGroup> groups_of(const Command& command, bool simulated) {
  std::vector<OptionGroup> groups = command.groups;
  if (simulated && takes(groups, option::device.name)) {
    groups.push_back(simulation_group(takes(groups, option::mode.name)));
  }
  if (simulated && command.predicts) {
    groups.push_back({"The simulated device", {option::profile, option::set}});
  }
  return groups;
}

std::vector<OptionRow> rows_of(const Command& command, bool simulated) {
  std::vector<OptionRow> rows;
  for (const OptionGroup& group : groups_of(command, simulated)) {
    rows.insert(rows.end(), group.rows.begin(), group.rows.end());
  }
  return rows;
}

const Command* named_first(std::span<const char* const> arguments, const Caller& caller) {
  if (arguments.empty() || *arguments.front() == '-') return nullptr;
  const std::string_view word = arguments.front();
  const std::vector<Command>& all = commands(caller.simulated);
  const auto found = std::ranges::find(all, word, [](const Command& c) { return c.name; });
  if (found == all.end()) refuse_word(std::string(word), caller);
  return &*found;
}

CommandLine read_command_line(std::span<const char* const> arguments, const Caller& caller) {
  CommandLine line{.command = named_first(arguments, caller)};
  if (line.command) {
    arguments = arguments.subspan(1);
  } else {
    line.command = &commands(caller.simulated).front();
  }
  try {
    line.given = Given(groups_of(*line.command, caller.simulated), arguments);
  } catch (const UnknownOption& unknown) {
    throw UsageError("{} {}: {}", line.command->name, unknown.what(),
                     way_out(unknown.name, *line.command, caller));
  }
  check_operands(line.given, *line.command, caller);
  return line;
}

}  // namespace trilane
