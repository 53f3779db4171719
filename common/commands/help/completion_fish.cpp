#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/commands/help/completion.hpp"

namespace trilane {
namespace {

std::string quoted_for_fish(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + "'";
}

/// Returns the completions of a value: -r takes one, -f no file names, -a these.
std::string arguments(Value value, const std::vector<std::string>& names, bool several) {
  if (value == Value::none) return "";
  if (value == Value::file) return " -r -F";
  if (names.empty()) return " -r -f";
  const std::string list = fmt::format("{}", fmt::join(names, " "));
  return several ? fmt::format(" -r -f -a '(__fish_append , {})'", list)
                 : fmt::format(" -r -f -a '{}'", list);
}

}  // namespace

std::string fish_completion(const Caller& caller) {
  std::vector<std::string> names;
  for (const Command& command : commands(caller.simulated)) names.push_back(command.name);
  const std::string all = fmt::format("{}", fmt::join(names, " "));
  const std::string complete = fmt::format("complete -c {}", caller.name);
  std::string text = fmt::format("# fish completion for {0}\n{1} -f\n", caller.name, complete);
  text += fmt::format("{} -s h -l help -d 'print the help'\n", complete);
  text += fmt::format("{} -s V -l version -d 'print the version'\n", complete);
  for (const Command& command : commands(caller.simulated)) {
    text += fmt::format("{} -n '__fish_is_first_token' -a {} -d {}\n", complete, command.name,
                        quoted_for_fish(command.summary));
    // The first command needs no name.
    const std::string where = &command == &commands(caller.simulated).front()
                                  ? fmt::format("not __fish_seen_subcommand_from {}",
                                                fmt::join(names.begin() + 1, names.end(), " "))
                                  : fmt::format("__fish_seen_subcommand_from {}", command.name);
    for (const OptionGroup& group : groups_of(command, caller.simulated)) {
      for (const OptionRow& row : group.rows) {
        text += fmt::format(
            "{} -n '{}' -l {}{} -d {}\n", complete, where, row.name,
            arguments(row.value, names_for(row.value, row.choices, caller), takes_several(row)),
            quoted_for_fish(row.text));
      }
    }
    const Operands& operands = command.operands;
    if (operands.most == 0) continue;
    if (operands.value == Value::file) {
      text += fmt::format("{} -n '{}' -F\n", complete, where);
    } else {
      text += fmt::format("{} -n '{}' -a '{}'\n", complete, where,
                          fmt::join(names_for(operands.value, operands.choices, caller), " "));
    }
  }
  return text;
}

}  // namespace trilane
