#include "common/base/text/choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/algorithm/string/split.hpp>

#include "common/base/text/exit_code.hpp"
#include "common/base/text/suggestion.hpp"

namespace trilane {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

[[noreturn]] void refuse_unknown(const std::string& option, const std::string& name,
                                 const std::vector<std::string>& known) {
  refuse(option, name,
         fmt::format("is unknown; {}choose from {}", did_you_mean(name, known),
                     fmt::join(known, ", ")));
}

}  // namespace

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  return boost::split(parts, text, [separator](char c) { return c == separator; });
}

std::vector<std::string> parse_names(const std::string& option, const std::string& text,
                                     const std::vector<std::string>& known) {
  std::vector<std::string> named;
  for (const std::string& name : split(text, ',')) {
    if (!contains(known, name)) refuse_unknown(option, name, known);
    if (contains(named, name)) refuse(option, name, "is named more than once; leave one out");
    named.push_back(name);
  }
  return named;
}

std::size_t parse_choice(const std::string& option, const std::string& text,
                         const std::vector<std::string>& names) {
  const auto found = std::ranges::find(names, text);
  if (found == names.end()) refuse_unknown(option, text, names);
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace trilane
