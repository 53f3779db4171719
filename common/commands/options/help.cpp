#include "common/commands/options/help.hpp"

#include <boost/algorithm/string/replace.hpp>
#include <boost/program_options/options_description.hpp>
#include <regex>

#include "common/base/console/console.hpp"
#include "common/base/text/page.hpp"
#include "common/base/text/words.hpp"
#include "common/model/workload/workload.hpp"

namespace trilane {
namespace {

constexpr char how_to_write_values[] =
    "SIZE is a multiple of 4 bytes, written 4096, 4K, 8MiB or 1e6; K, M, G, T and KiB, MiB, ... "
    "are powers of 1024, kB, MB, GB, TB of 1000. TIME is 250us, 1.5ms, 2s or 5min.";

const std::vector<std::pair<ExitCode, const char*>> exit_codes{
    {exit_ok, "success"},
    {exit_wrong,
     "wrong data, a failed variant or workload, or a slowdown that --fail-on-slower found"},
    {exit_usage,
     "bad command line or, before anything runs, a file that cannot be read, compared or created"},
    {exit_no_gpu, "no usable GPU"},
    {exit_not_possible, "not supported here, or not enough memory for a workload or a variant"},
    {exit_output, "output could not be written after the run"},
    {exit_unexpected, "unexpected error; please report it"},
    {exit_interrupted, "interrupted (SIGINT, SIGTERM, SIGHUP)"}};

std::string purpose(const Caller& caller) {
  return fmt::format(
      "Runs one pipeline, copy in -> memset -> kernel -> copy out, on CUDA streams, as a CUDA "
      "graph, with stream-ordered memory and in other ways. {}",
      caller.simulated ? "Predicts the times with a simulated device and says which variant to "
                         "use. Needs no GPU: every time is simulated, not measured."
                       : "Checks every result, compares the times and says which variant to use.");
}

/// Returns the table of options as Boost lays it out, without trailing spaces.
std::string option_lines(const std::vector<OptionGroup>& groups) {
  std::ostringstream text;
  text << described(groups);
  return std::regex_replace(text.str(), std::regex(" +\n"), "\n");
}

/// Returns, for example, "trilane sweep KNOB=VALUES [options]".
std::string usage(const Command& command, const Caller& caller) {
  std::string text = fmt::format("{} {}", caller.name, command.name);
  if (*command.operands.names != '\0') text += fmt::format(" {}", command.operands.names);
  return text + (command.groups.empty() ? "" : " [options]");
}

std::string examples(const std::vector<const char*>& all, const Caller& caller) {
  std::string text;
  for (const char* example : all)
    text += fmt::format("  {}{}{}\n", caller.name, *example == '\0' ? "" : " ", example);
  return text;
}

std::string values_text(const Command& command, const Caller& caller) {
  bool names = false, sizes = false;
  for (const OptionRow& row : rows_of(command, caller.simulated)) {
    names |= row.value == Value::preset || row.value == Value::presets ||
             row.value == Value::variant || row.value == Value::variants;
    sizes |= std::string_view(row.placeholder) == "SIZE";
  }
  std::string text;
  if (names) {
    text += paragraph(fmt::format("Presets: {}.", fmt::join(names_of(presets()), ", ")));
    text += paragraph(fmt::format("Variants: {}.", fmt::join(caller.variants, ", ")));
  }
  if (sizes) text += paragraph(how_to_write_values);
  return text.empty() ? "" : "\n" + text;
}

std::string help_of_program(const Caller& caller) {
  std::string list;
  const std::size_t longest =
      std::ranges::max(names_of(commands(caller.simulated)), {}, &std::string::size).size();
  for (const Command& command : commands(caller.simulated))
    list += fmt::format("  {:<{}}  {}\n", command.name, longest, command.summary);
  std::string asked;
  for (const HelpQuestion& question : help_questions)
    asked += fmt::format("  {}\n    {} {}\n", question.asked, caller.name, question.arguments);
  std::string codes = "Exit codes: ";
  for (const auto& [code, meaning] : exit_codes) {
    codes += fmt::format("{} {}{}", +code, meaning, code == exit_codes.back().first ? "." : "; ");
  }
  return fmt::format(
      "Usage: {0} [command] [options]\n\n{1}\nCommands; \"{0} COMMAND --help\" describes "
      "one:\n{2}\n  -h, --help     print this text, or that of a command\n  -V, --version  print "
      "the version\n\nQuestions, and the command that answers each:\n{3}\n{4}",
      caller.name, paragraph(purpose(caller)), list, asked, paragraph(codes));
}

std::string help_of(const Command& command, const Caller& caller) {
  const auto groups = groups_of(command, caller.simulated);
  std::string text = fmt::format("Usage: {}\n\n{}", usage(command, caller),
                                 paragraph(capitalised(command.summary) + "."));
  if (*command.about != '\0') text += paragraph(command.about);
  text += fmt::format("\nExample{}:\n{}", command.examples.size() > 1 ? "s" : "",
                      examples(command.examples, caller));
  if (!groups.empty()) text += option_lines(groups);
  return text + values_text(command, caller);
}

/// Escapes every character that has a meaning for roff.
std::string escaped(std::string text) {
  boost::replace_all(text, "\\", "\\e");
  boost::replace_all(text, "-", "\\-");
  return std::regex_replace(text, std::regex("(^|\n)([.'])"), "$1\\&$2");
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

const std::vector<HelpQuestion> help_questions{
    {"Which variant suits a pipeline of my shape?",
     "run --chunks 32 --chunk-size 1M --kernel-time 50us"},
    {"Is a graph worth it for 200 tiny kernels?",
     "run --chunks 1 --depth 200 --chunk-size 4K --rounds 1"},
    {"When does a graph recover its set-up time?", "run --preset launch --variant streams,graph"},
    {"Is one stream per engine better?", "run --variant streams,engines"},
    {"Pinned or pageable memory?", "run --host-memory pinned,pageable"},
    {"How many chunks for my size?", "sweep chunks=1..128 --size 1G"},
    {"How many lanes?", "sweep lanes=1..16 --preset balanced"},
    {"What does cudaMalloc in every pass cost?", "run --variant streams,malloc"},
    {"Which release threshold for a pool?",
     "run --variant streams,pool --pool kept/threshold=64M/threshold=0"},
    {"Does a memset hold up other work?", "run --variant streams,graph --trace trace.json"},
    {"What waits for what on my GPU, and what does it cost?", "ask --all"},
    {"How should the host learn that a lane is done?", "loop"},
    {"What has the new driver changed?", "compare old.json new.json"}};

std::string help_text(std::span<const char* const> arguments, const Caller& caller) {
  const Command* command = named_first(arguments, caller);
  return command ? help_of(*command, caller) : help_of_program(caller);
}

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
          .summary = "print the manual page",
          .examples = {"man | man -l -"},
          .run = man};
}

}  // namespace trilane
