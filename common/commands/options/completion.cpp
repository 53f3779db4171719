#include <boost/algorithm/string/replace.hpp>
#include <regex>

#include "common/base/console/console.hpp"
#include "common/base/text/words.hpp"
#include "common/commands/options/help.hpp"
#include "common/measure/sweep/map/axis.hpp"

namespace trilane {
namespace {

std::vector<std::string> knobs_to_sweep() {
  std::vector<std::string> knobs;
  for (const OptionRow& row : knob_group().rows) {
    if (is_sweepable(row.name)) knobs.push_back(std::string(row.name) + '=');
  }
  return knobs;
}

/// Returns the possible names for an option or operand, as far as known.
std::vector<std::string> names_for(const auto& taker, const Caller& caller) {
  switch (taker.value) {
    case Value::preset:
    case Value::presets: return names_of(presets());
    case Value::variant:
    case Value::variants: return caller.variants;
    case Value::choice: return split(taker.choices, ',');
    case Value::knob: return knobs_to_sweep();
    case Value::none:
    case Value::plain:
    case Value::file: return {};
  }
  return {};
}

bool takes_several(const OptionRow& row) {
  return std::string_view(row.placeholder).ends_with(",...");
}

/// Returns the completions after an option: a case of the script, by the option's name.
std::string value_case(const OptionRow& row, const Caller& caller) {
  const auto names = names_for(row, caller);
  if (row.value == Value::file) return "_trilane_file";
  if (names.empty()) return "COMPREPLY=()";
  return fmt::format("_trilane_{} '{}'", takes_several(row) ? "several" : "one",
                     fmt::join(names, " "));
}

/// Returns the options with a value of all commands, each once: it means the same in each.
std::map<std::string, std::string> value_cases(const Caller& caller) {
  std::map<std::string, std::string> cases;
  for (const Command& command : commands(caller.simulated)) {
    for (const OptionRow& row : rows_of(command, caller.simulated)) {
      if (row.value != Value::none) cases.try_emplace(row.name, value_case(row, caller));
    }
  }
  return cases;
}

std::string options_of(const Command& command, const Caller& caller) {
  std::string words = "--help";
  for (const OptionRow& row : rows_of(command, caller.simulated)) {
    words += fmt::format(" --{}", row.name);
  }
  return words;
}

/// Returns the completions of operands: a case of the script, by the command's name.
std::string operand_case(const Command& command, const Caller& caller) {
  const Operands& operands = command.operands;
  if (operands.value == Value::file) return "_trilane_file";
  return fmt::format("_trilane_one '{}'", fmt::join(names_for(operands, caller), " "));
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

/// Quotes text for single quotes in which _arguments interprets brackets, colons and backslashes.
std::string quoted_for_zsh(const std::string& text) {
  static const std::regex special(R"([\[\]:\\])");
  return boost::replace_all_copy(std::regex_replace(text, special, R"(\$&)"), "'", R"('\'')");
}

std::string action(Value value, const std::vector<std::string>& names, bool several) {
  if (value == Value::file) return "_files";
  if (names.empty()) return " ";
  return several ? fmt::format("_values -s , name {}", fmt::join(names, " "))
                 : fmt::format("({})", fmt::join(names, " "));
}

std::string specification(const OptionRow& row, const Caller& caller) {
  const std::string text = quoted_for_zsh(row.text);
  if (row.value == Value::none) return fmt::format("'--{}[{}]'", row.name, text);
  return fmt::format("'--{}=[{}]:{}:{}'", row.name, text, quoted_for_zsh(row.placeholder),
                     action(row.value, names_for(row, caller), takes_several(row)));
}

std::string specifications(const Command& command, const Caller& caller) {
  std::string text = "'(- *)'{-h,--help}'[print the help]'";
  const auto add = [&](const std::string& one) { text += " \\\n        " + one; };
  for (const OptionRow& row : rows_of(command, caller.simulated)) add(specification(row, caller));
  const Operands& operands = command.operands;
  if (operands.most == 0) return text;
  const auto names = names_for(operands, caller);
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

std::string quoted_for_fish(const std::string& text) {
  return "'" + std::regex_replace(text, std::regex(R"(['\\])"), R"(\$&)") + "'";
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

int completion(const Given& given, const Caller& caller) {
  switch (parse_choice("completion", given.operands().front(), {"bash", "zsh", "fish"})) {
    case 0: return Console().finish(bash_completion(caller));
    case 1: return Console().finish(zsh_completion(caller));
    default: return Console().finish(fish_completion(caller));
  }
}

}  // namespace

std::string bash_completion(const Caller& caller) {
  std::string values, options, operands;
  for (const auto& [option, action] : value_cases(caller))
    values += fmt::format("    --{}) {}; return ;;\n", option, action);
  for (const Command& command : commands(caller.simulated)) {
    options +=
        fmt::format("      {}) _trilane_one '{}' ;;\n", command.name, options_of(command, caller));
    if (command.operands.most == 0) continue;
    operands += fmt::format("      {}) {} ;;\n", command.name, operand_case(command, caller));
  }
  std::string function = caller.name;
  std::ranges::replace(function, '-', '_');
  return fmt::format(
      bash_script, fmt::arg("name", caller.name), fmt::arg("function", function),
      fmt::arg("first", commands(caller.simulated).front().name), fmt::arg("values", values),
      fmt::arg("options", options), fmt::arg("operands", operands),
      fmt::arg("commands",
               fmt::format("{}", fmt::join(names_of(commands(caller.simulated)), " "))));
}

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

std::string fish_completion(const Caller& caller) {
  const std::vector<std::string> names = names_of(commands(caller.simulated));
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
    for (const OptionRow& row : rows_of(command, caller.simulated)) {
      text += fmt::format("{} -n '{}' -l {}{} -d {}\n", complete, where, row.name,
                          arguments(row.value, names_for(row, caller), takes_several(row)),
                          quoted_for_fish(row.text));
    }
    const Operands& operands = command.operands;
    if (operands.most == 0) continue;
    if (operands.value == Value::file) {
      text += fmt::format("{} -n '{}' -F\n", complete, where);
    } else {
      text += fmt::format("{} -n '{}' -a '{}'\n", complete, where,
                          fmt::join(names_for(operands, caller), " "));
    }
  }
  return text;
}

Command completion_command() {
  return {.name = "completion",
          .operands = {"SHELL", 1, 1, Value::choice, "bash,zsh,fish"},
          .summary = "print the completions for bash, zsh or fish",
          .about = "The packages install them.",
          .examples = {"completion bash > ~/.local/share/bash-completion/completions/trilane"},
          .run = completion};
}

}  // namespace trilane
