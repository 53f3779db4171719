#include "common/commands/options/given.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/errors.hpp>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/parsers.hpp>
#include <boost/program_options/value_semantic.hpp>
#include <filesystem>
#include <string>

#include "common/base/text/choice.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/quoting.hpp"

namespace trilane {
namespace {

namespace po = boost::program_options;

[[noreturn]] void refuse_option(const std::string& name, const std::string& text,
                                const std::string& why) {
  throw UsageError(fmt::format("--{}{}: {}", name, text.empty() ? "" : " " + in_quotes(text), why));
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
      throw UsageError(fmt::format("{}: takes no value; write it alone", name));
    throw UsageError(fmt::format("{}: needs a value; --help says which", name));
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
    : UsageError(fmt::format("has no option {}", in_quotes(word.substr(0, word.find('='))))) {
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

std::optional<std::string> Given::text(const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) return std::nullopt;
  return found->second;
}

std::optional<std::string> Given::one_of(const std::string& name,
                                         const std::vector<std::string>& known) const {
  const auto choice = read(name, parse_choice, known);
  return choice ? std::optional(known[*choice]) : std::nullopt;
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
      refuse(output->label, output->path,
             fmt::format("is also the file of {}; give another name", earlier->label));
    }
    for (const NamedFile& input : inputs) {
      if (input.path.empty() || output->path == "-" || !same_file(input.path, output->path))
        continue;
      refuse(output->label, output->path,
             fmt::format("is a file that {} reads; give another name", input.label));
    }
  }
}

}  // namespace trilane
