#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/commands/help/completion.hpp"

namespace trilane {
namespace {

/// Quotes text for single quotes in which _arguments interprets brackets, colons and backslashes.
std::string quoted_for_zsh(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
      continue;
    }
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

/// Returns the action that completes a value.
std::string action(Value value, const std::vector<std::string>& names, bool several) {
  if (value == Value::file) return "_files";
  if (names.empty()) return " ";
  return several ? fmt::format("_values -s , name {}", fmt::join(names, " "))
                 : fmt::format("({})", fmt::join(names, " "));
}

std::string specification(const OptionRow& row, const Caller& caller) {
  const std::string text = quoted_for_zsh(row.text);
  if (row.value == Value::none) return fmt::format("'--{}[{}]'", row.name, text);
  return fmt::format(
      "'--{}=[{}]:{}:{}'", row.name, text, quoted_for_zsh(row.placeholder),
      action(row.value, names_for(row.value, row.choices, caller), takes_several(row)));
}

/// Returns the arguments of _arguments for a command.
std::string specifications(const Command& command, const Caller& caller) {
  std::string text = "'(- *)'{-h,--help}'[print the help]'";
  const auto add = [&](const std::string& one) { text += " \\\n        " + one; };
  for (const OptionGroup& group : groups_of(command, caller.simulated)) {
    for (const OptionRow& row : group.rows) add(specification(row, caller));
  }
  const Operands& operands = command.operands;
  if (operands.most == 0) return text;
  const auto names = names_for(operands.value, operands.choices, caller);
  const std::string complete = operands.value == Value::knob
                                   ? fmt::format("compadd -S \"\" - {}", fmt::join(names, " "))
                                   : action(operands.value, names, false);
  add(fmt::format("'*:{}:{}'", quoted_for_zsh(operands.names), complete));
  return text;
}

constexpr char zsh_script[] = R"(#compdef {name}
# zsh completion for {name}
_{name}() {{
  local context state line
  local -a commands=(
{commands}  )
  if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then
    _describe command commands
    return
  fi
  local command={first}
  if [[ $words[2] != -* ]]; then
    command=$words[2]
    shift words
    ((CURRENT--))
  fi
  case $command in
{cases}  esac
}}
if [[ $funcstack[1] == _{name} ]]; then _{name} "$@"; else compdef _{name} {name}; fi
)";

}  // namespace

std::string zsh_completion(const Caller& caller) {
  std::string list, cases;
  for (const Command& command : commands(caller.simulated)) {
    list += fmt::format("    '{}:{}'\n", command.name, quoted_for_zsh(command.summary));
    cases += fmt::format("    {})\n      _arguments {}\n      ;;\n", command.name,
                         specifications(command, caller));
  }
  return fmt::format(zsh_script, fmt::arg("name", caller.name),
                     fmt::arg("first", commands(caller.simulated).front().name),
                     fmt::arg("commands", list), fmt::arg("cases", cases));
}

}  // namespace trilane
