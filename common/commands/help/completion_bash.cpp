#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "common/commands/help/completion.hpp"

namespace trilane {
namespace {

/// Returns the completions after an option: a case of the script, by the option's name.
std::string value_case(const OptionRow& row, const Caller& caller) {
  const auto names = names_for(row.value, row.choices, caller);
  if (row.value == Value::file) return "_trilane_file";
  if (names.empty()) return "COMPREPLY=()";
  return fmt::format("_trilane_{} '{}'", takes_several(row) ? "several" : "one",
                     fmt::join(names, " "));
}

/// Returns the options with a value of all commands, each once: it means the same in each.
std::map<std::string, std::string> value_cases(const Caller& caller) {
  std::map<std::string, std::string> cases;
  for (const Command& command : commands(caller.simulated)) {
    for (const OptionGroup& group : groups_of(command, caller.simulated)) {
      for (const OptionRow& row : group.rows) {
        if (row.value != Value::none) cases.try_emplace(row.name, value_case(row, caller));
      }
    }
  }
  return cases;
}

std::string options_of(const Command& command, const Caller& caller) {
  std::string words = "--help";
  for (const OptionGroup& group : groups_of(command, caller.simulated)) {
    for (const OptionRow& row : group.rows) words += fmt::format(" --{}", row.name);
  }
  return words;
}

/// Returns the completions of operands: a case of the script, by the command's name.
std::string operand_case(const Command& command, const Caller& caller) {
  const Operands& operands = command.operands;
  if (operands.value == Value::file) return "_trilane_file";
  return fmt::format("_trilane_one '{}'",
                     fmt::join(names_for(operands.value, operands.choices, caller), " "));
}

constexpr char bash_script[] = R"(# bash completion for {name}
_trilane_one() {{
  COMPREPLY=($(compgen -W "$1" -- "$word"))
  [[ ${{COMPREPLY[0]-}} != *= ]] || compopt -o nospace 2> /dev/null
}}

# Completes the name behind the last comma.
_trilane_several() {{
  local before=
  [[ $word != *,* ]] || before=${{word%,*}},
  COMPREPLY=($(compgen -P "$before" -W "$1" -- "${{word##*,}}"))
}}

_trilane_file() {{
  local IFS=$'\n'
  compopt -o filenames 2> /dev/null
  COMPREPLY=($(compgen -f -- "$word"))
}}

_{function}() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} command={first}
  # bash splits --option=value at the equals sign.
  local whole=yes
  if [[ $word == = ]]; then
    word='' whole=no
  elif [[ $before == = ]]; then
    before=${{COMP_WORDS[COMP_CWORD - 2]}} whole=no
  fi
  if ((COMP_CWORD > 1)) && [[ ${{COMP_WORDS[1]}} != -* ]]; then command=${{COMP_WORDS[1]}}; fi
  COMPREPLY=()
  case $before in
{values}  esac
  [[ $whole == yes ]] || return 0
  if [[ $word == -* ]]; then
    case $command in
{options}    esac
  elif ((COMP_CWORD == 1)); then
    _trilane_one '{commands}'
  else
    case $command in
{operands}    esac
  fi
}}
complete -F _{function} {name}
)";

}  // namespace

std::string bash_completion(const Caller& caller) {
  std::string values, options, operands;
  std::vector<std::string> names;
  for (const auto& [option, action] : value_cases(caller))
    values += fmt::format("    --{}) {}; return ;;\n", option, action);
  for (const Command& command : commands(caller.simulated)) {
    names.push_back(command.name);
    options +=
        fmt::format("      {}) _trilane_one '{}' ;;\n", command.name, options_of(command, caller));
    if (command.operands.most == 0) continue;
    operands += fmt::format("      {}) {} ;;\n", command.name, operand_case(command, caller));
  }
  std::string function = caller.name;
  for (char& c : function) c = c == '-' ? '_' : c;
  return fmt::format(bash_script, fmt::arg("name", caller.name), fmt::arg("function", function),
                     fmt::arg("first", commands(caller.simulated).front().name),
                     fmt::arg("values", values), fmt::arg("options", options),
                     fmt::arg("operands", operands),
                     fmt::arg("commands", fmt::format("{}", fmt::join(names, " "))));
}

}  // namespace trilane
