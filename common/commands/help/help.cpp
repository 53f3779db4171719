#include "common/commands/help/help.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/value_semantic.hpp>
#include <regex>
#include <sstream>

#include "common/base/text/layout.hpp"
#include "common/base/text/words.hpp"
#include "common/model/workload/workload.hpp"

namespace trilane {
namespace {

namespace po = boost::program_options;

constexpr unsigned line_length = 80;

po::options_description described(const OptionGroup& group) {
  po::options_description part(group.caption, line_length);
  for (const OptionRow& row : group.rows) {
    if (*row.placeholder == '\0') {
      part.add_options()(row.name, row.text);
    } else {
      part.add_options()(row.name, po::value<std::string>()->value_name(row.placeholder), row.text);
    }
  }
  return part;
}

/// Returns the table of options as Boost lays it out, without the trailing spaces of its wrapped
/// lines.
std::string option_lines(const std::vector<OptionGroup>& groups) {
  po::options_description table(line_length);
  for (const OptionGroup& group : groups) table.add(described(group));
  std::ostringstream text;
  text << table;
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

bool any_row(const std::vector<OptionGroup>& groups, bool (*fits)(const OptionRow&)) {
  return std::ranges::any_of(
      groups, [&](const OptionGroup& group) { return std::ranges::any_of(group.rows, fits); });
}

bool names_preset_or_variant(const OptionRow& row) {
  return row.value == Value::preset || row.value == Value::presets || row.value == Value::variant ||
         row.value == Value::variants;
}

bool takes_size(const OptionRow& row) { return std::string_view(row.placeholder) == "SIZE"; }

/// Says how to write the values of the options.
std::string values_text(const std::vector<OptionGroup>& groups, const Caller& caller) {
  std::vector<std::string> names;
  for (const Workload& preset : presets()) names.push_back(preset.name);
  std::string text;
  if (any_row(groups, names_preset_or_variant)) {
    text += paragraph(fmt::format("Presets: {}.", fmt::join(names, ", ")));
    text += paragraph(fmt::format("Variants: {}.", fmt::join(caller.variants, ", ")));
  }
  if (any_row(groups, takes_size)) text += paragraph(how_to_write_values);
  return text.empty() ? "" : "\n" + text;
}

std::string help_of_program(const Caller& caller) {
  std::string list;
  std::size_t longest = 0;
  for (const Command& command : commands(caller.simulated)) {
    longest = std::max(longest, std::string_view(command.name).size());
  }
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
      "Usage: {0} [command] [options]\n\n{1}\n"
      "Commands; \"{0} COMMAND --help\" says more:\n{2}\n"
      "  -h, --help     print this text, or that of a command\n"
      "  -V, --version  print the version\n\n"
      "Questions, and the command that answers each:\n{3}\n{4}",
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
  return text + values_text(groups, caller);
}

}  // namespace

const char* const how_to_write_values =
    "SIZE is a multiple of 4 bytes, written 4096, 4K, 8MiB or 1e6; K, M, G, T and KiB, MiB, ... "
    "are "
    "powers of 1024, kB, MB, GB, TB of 1000. TIME is 250us, 1.5ms, 2s or 5min.";

const std::vector<std::pair<ExitCode, const char*>> exit_codes{
    {exit_ok, "success"},
    {exit_wrong, "wrong data, a failed variant or workload, or what --fail-on-slower found"},
    {exit_usage,
     "bad command line or, before anything runs, a file that cannot be read, compared or made"},
    {exit_no_gpu, "no usable GPU"},
    {exit_not_possible, "not supported here, or not enough memory for a workload or a variant"},
    {exit_output, "output not written afterwards"},
    {exit_unexpected, "an error that Trilane did not expect; please report it"},
    {exit_interrupted, "interrupted (SIGINT, SIGTERM, SIGHUP)"}};

std::string purpose(const Caller& caller) {
  return fmt::format(
      "Runs one pipeline, copy in -> memset -> kernel -> copy out, on CUDA streams, as a CUDA "
      "graph, "
      "with stream-ordered memory and in other ways; {}",
      caller.simulated
          ? "predicts their times with a simulated device and says which to use. Needs no GPU: "
            "every "
            "time is simulated, none is measured."
          : "proves each result, measures them against each other and says which to use.");
}

std::string help_text(std::span<const char* const> arguments, const Caller& caller) {
  const Command* command = named_first(arguments, caller);
  return command ? help_of(*command, caller) : help_of_program(caller);
}

}  // namespace trilane
