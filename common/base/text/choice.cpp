#include "common/base/text/choice.hpp"

#include <boost/algorithm/string/split.hpp>

#include "common/base/text/exit_code.hpp"

namespace trilane {
namespace {

[[noreturn]] void refuse_unknown(const std::string& option, const std::string& name,
                                 const std::vector<std::string>& known) {
  refuse(option, name,
         fmt::format("is unknown; {}choose from {}", did_you_mean(name, known),
                     fmt::join(known, ", ")));
}

/// Returns the Damerau-Levenshtein distance in which no letters are edited twice, from three rows
/// of the table of distances between prefixes.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last = std::exchange(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

/// Users' words can be long, names are short.
constexpr std::size_t longest = 40;

}  // namespace

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  return boost::split(parts, text, [separator](char c) { return c == separator; });
}

std::vector<std::string> parse_names(const std::string& option, const std::string& text,
                                     const std::vector<std::string>& known) {
  std::vector<std::string> named;
  for (const std::string& name : split(text, ',')) {
    if (!includes(known, name)) refuse_unknown(option, name, known);
    if (includes(named, name)) refuse(option, name, "is named more than once; leave one out");
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

std::string closest(std::string_view word, std::span<const std::string> known) {
  if (word.empty() || word.size() > longest) return "";
  const auto begun = [&](const std::string& name) { return name.starts_with(word); };
  if (std::ranges::count_if(known, begun) == 1) return *std::ranges::find_if(known, begun);
  std::string found;
  std::size_t fewest = word.size() / 3 + 1;
  for (const std::string& name : known) {
    const std::size_t changes = distance(word, name);
    if (changes >= fewest) continue;
    fewest = changes;
    found = name;
  }
  return found;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> known) {
  const std::string name = closest(word, known);
  return name.empty() ? "" : "did you mean '" + name + "'? ";
}

}  // namespace trilane
