#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/base/console/console.hpp"
#include "common/base/text/words.hpp"
#include "common/commands/options/command_line.hpp"
#include "common/commands/options/help.hpp"

namespace trilane {
namespace {

/// Escapes every character that has a meaning for roff.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) {
      result += "\\&";
      result += c;
    } else {
      result += c;
    }
  }
  return result;
}

std::string option_text(const OptionRow& row) {
  std::string head = fmt::format(".TP\n.B {}", escaped(fmt::format("--{}", row.name)));
  if (*row.placeholder != '\0') head += fmt::format(" \\fI{}\\fR", escaped(row.placeholder));
  return fmt::format("{}\n{}\n", head, escaped(row.text));
}

std::string command_text(const Command& command, const Caller& caller) {
  std::string text = fmt::format(".SS {}", command.name);
  if (*command.operands.names != '\0') text += ' ' + escaped(command.operands.names);
  text += fmt::format("\n{}.\n", escaped(capitalised(command.summary)));
  if (*command.about != '\0') text += fmt::format("{}\n", escaped(command.about));
  for (const OptionGroup& group : groups_of(command, caller.simulated)) {
    text += fmt::format(".PP\n{}:\n", escaped(group.caption));
    for (const OptionRow& row : group.rows) text += option_text(row);
  }
  text += ".PP\nExamples:\n.PP\n.nf\n.RS\n";
  for (const char* example : command.examples)
    text += escaped(fmt::format("{} {}", caller.name, example)) + '\n';
  return text + ".RE\n.fi\n";
}

int man(const Given&, const Caller& caller) { return Console().finish(man_page(caller)); }

}  // namespace

std::string man_page(const Caller& caller) {
  std::string version = version_text(caller.name);
  version.pop_back();  // the line feed
  std::string text = fmt::format(".TH {} 1 \"\" \"{}\"\n", escaped(caller.name), escaped(version));
  text += fmt::format(
      ".SH NAME\n{} \\- streams, CUDA graph or stream\\-ordered memory: which is "
      "fastest for a pipeline\n",
      escaped(caller.name));
  text += fmt::format(".SH SYNOPSIS\n.B {}\n[\\fIcommand\\fR] [\\fIoptions\\fR]\n",
                      escaped(caller.name));
  text += fmt::format(".SH DESCRIPTION\n{}\n", escaped(purpose(caller)));
  text += ".SH COMMANDS\n";
  for (const Command& command : commands(caller.simulated)) text += command_text(command, caller);
  text += ".SH EXAMPLES\n";
  for (const HelpQuestion& question : help_questions) {
    text += fmt::format(".TP\n{}\n.B {}\n", escaped(question.asked),
                        escaped(fmt::format("{} {}", caller.name, question.arguments)));
  }
  text += fmt::format(".SH VALUES\n{}\n", escaped(how_to_write_values));
  text += ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : exit_codes)
    text += fmt::format(".TP\n.B {}\n{}\n", +code, escaped(meaning));
  return text;
}

Command man_command() {
  return {.name = "man",
          .operands = {""},
          .summary = "print the manual page",
          .about = "",
          .examples = {"man | man -l -"},
          .groups = {},
          .run = man};
}

}  // namespace trilane
