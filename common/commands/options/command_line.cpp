#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "common/base/text/choice.hpp"
#include "common/base/text/quoting.hpp"
#include "common/base/text/words.hpp"
#include "common/commands/options/command_line.hpp"
#include "common/model/workload/workload.hpp"

namespace trilane {
namespace {

/// Throws what to write instead of a word that is not a command.
[[noreturn]] void refuse_word(const std::string& word, const Caller& caller) {
  const auto is_one_of = [&](const std::vector<std::string>& names) {
    return std::ranges::find(names, word) != names.end();
  };
  const bool of_other = is_one_of(names_of(commands(!caller.simulated)));
  const char* const other = caller.simulated ? "trilane" : "trilane-sim";
  const std::string way_out =
      of_other                         ? fmt::format("only {0} has it; write {0} {1}", other, word)
      : is_one_of(names_of(presets())) ? fmt::format("write {} run --preset {}", caller.name, word)
      : is_one_of(caller.variants)
          ? fmt::format("write {} run --variant {}", caller.name, word)
          : fmt::format("{}{} --help lists the commands",
                        did_you_mean(word, names_of(commands(caller.simulated))), caller.name);
  throw UsageError(fmt::format("{} is not a command; {}", in_quotes(word), way_out));
}

bool takes(const std::vector<OptionGroup>& groups, const std::string& option) {
  return std::ranges::any_of(groups, [&](const OptionGroup& group) {
    return std::ranges::find(group.rows, option, [](const OptionRow& row) { return row.name; }) !=
           group.rows.end();
  });
}

/// Says what the option of this name could have meant.
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
        std::ranges::find(names, stray) != names.end() ? "write the command first"
        : operands.most > 0                            ? use
                            : fmt::format("{} {} takes options only", caller.name, command.name);
    throw UsageError(fmt::format("stray word {}: {}", in_quotes(stray), way_out));
  }
  if (count < operands.least) {
    throw UsageError(fmt::format("{} needs {} more; {}", command.name,
                                 operands.least - count == 1 ? "one word" : "words", use));
  }
  if (!operands.are_a_command &&
      std::ranges::find(given.operands(), "") != given.operands().end()) {
    throw UsageError(fmt::format("{} '': names nothing; {}", command.name, use));
  }
}

}  // namespace

const std::vector<Command>& commands(bool simulated) {
  static const std::vector<Command> all{run_command(),    sweep_command(),      show_command(),
                                        report_command(), compare_command(),    ask_command(),
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
  if (simulated && command.predicts) groups.push_back({"The simulated device", {option::profile}});
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
  CommandLine line{.command = named_first(arguments, caller), .given = {}};
  if (line.command) {
    arguments = arguments.subspan(1);
  } else {
    line.command = &commands(caller.simulated).front();
  }
  try {
    line.given = Given(groups_of(*line.command, caller.simulated), arguments);
  } catch (const UnknownOption& unknown) {
    throw UsageError(fmt::format("{} {}: {}", line.command->name, unknown.what(),
                                 way_out(unknown.name, *line.command, caller)));
  }
  check_operands(line.given, *line.command, caller);
  return line;
}

}  // namespace trilane
