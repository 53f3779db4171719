#include "common/commands/options/given.hpp"

#include <fmt/format.h>

#include <boost/program_options/errors.hpp>
#include <boost/program_options/parsers.hpp>
#include <string_view>

#include "common/commands/options/option_table.hpp"
#include "common/text/choice.hpp"
#include "common/text/exit_code.hpp"
#include "common/text/quoting.hpp"

namespace trilane {
namespace {

namespace po = boost::program_options;

constexpr std::string_view repeatable = "sweep";  // given once for each of its two knobs

[[noreturn]] void refuse_option(const std::string& name, const std::string& text,
                                const std::string& why) {
  throw UsageError(fmt::format("--{}{}: {}", name, text.empty() ? "" : " " + in_quotes(text), why));
}

std::vector<po::option> split(std::span<const char* const> arguments) {
  using Style = po::command_line_style::style_t;
  // Includes options of trilane-sim, so that trilane can say which program has them.
  const po::options_description table = option_table(true);
  const std::vector<std::string> words(arguments.begin(), arguments.end());
  try {
    return po::command_line_parser(words)
        .options(table)
        .style(Style::allow_long | Style::long_allow_adjacent | Style::long_allow_next)
        .run()
        .options;
  } catch (const po::unknown_option& error) {
    throw UsageError(
        fmt::format("unknown option {}: --help lists all, and abbreviations are refused",
                    in_quotes(error.get_option_name())));
  } catch (const po::invalid_command_line_syntax& error) {
    const std::string name = error.get_option_name();
    if (error.kind() == po::invalid_syntax::extra_parameter)
      throw UsageError(fmt::format("{}: takes no value; write it alone", name));
    throw UsageError(fmt::format("{}: needs a value; --help says which", name));
  }
}

}  // namespace

Given::Given(std::span<const char* const> arguments) {
  for (const po::option& option : split(arguments)) {
    const std::string text = option.value.empty() ? "" : option.value.front();
    // Boost would ignore stray words silently.
    if (option.position_key != -1) {
      throw UsageError(
          fmt::format("stray word {}: belongs to no option; --help lists them", in_quotes(text)));
    }
    std::vector<std::string>& further = further_[option.string_key];
    if (values_.emplace(option.string_key, text).second) {
      if (option.value.size() > 1) further.assign(option.value.begin() + 1, option.value.end());
    } else if (option.string_key == repeatable) {
      further.push_back(text);
    } else {
      refuse_option(option.string_key, text, "given more than once; leave one out");
    }
  }
}

std::vector<std::string> Given::texts(const std::string& name) const {
  if (!has(name)) return {};
  std::vector<std::string> texts{values_.at(name)};
  const std::vector<std::string>& further = further_.at(name);
  texts.insert(texts.end(), further.begin(), further.end());
  return texts;
}

std::optional<std::string> Given::text(const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) return std::nullopt;
  return found->second;
}

std::optional<double> Given::share(const std::string& name, double low, double high) const {
  return read(name, parse_percent, low, high);
}

std::optional<double> Given::time_us(const std::string& name, double high_us) const {
  return read(name, parse_time_us, 0.0, high_us);
}

std::optional<std::string> Given::one_of(const std::string& name,
                                         const std::vector<std::string>& known) const {
  const auto choice = read(name, parse_choice, known);
  return choice ? std::optional(known[*choice]) : std::nullopt;
}

std::optional<std::vector<std::string>> Given::some_of(
    const std::string& name, const std::vector<std::string>& known) const {
  return read(name, parse_names, known);
}

std::string Given::text_or_refuse(const std::string& name, const char* why) const {
  if (has(name) && values_.at(name).empty()) refuse("--" + name, "", why);
  return text(name).value_or("");
}

void Given::forbid(const std::string& name, const std::string& why) const {
  if (has(name)) refuse_option(name, values_.at(name), why);
}

}  // namespace trilane
