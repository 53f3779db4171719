#include "common/base/text/words.hpp"

#include <boost/algorithm/string/replace.hpp>
#include <boost/algorithm/string/split.hpp>
#include <boost/nowide/utf/utf.hpp>

#include "common/base/text/exit_code.hpp"
#include "common/base/text/size.hpp"

namespace trilane {
namespace {

std::string shell_word(std::string_view word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%_+=:,./-";
  if (!word.empty() && word.find_first_not_of(plain) == word.npos) return std::string(word);
  return "'" + boost::replace_all_copy(std::string(word), "'", R"('\'')") + "'";
}

[[noreturn]] void refuse_unknown(const std::string& option, const std::string& name,
                                 const std::vector<std::string>& known) {
  refuse(option, name, "is unknown; {}choose from {}", did_you_mean(name, known),
         fmt::join(known, ", "));
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

std::string listed(const std::vector<std::string>& names) {
  if (names.size() < 2) return fmt::format("{}", fmt::join(names, ""));
  return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

std::string capitalised(std::string text) {
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

std::string counted(std::uint64_t count, const std::string& noun) {
  const bool hisses = noun.ends_with('s') || noun.ends_with("ch");
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : hisses ? "es" : "s");
}

std::string percent(double share) { return fmt::format("{:g}%", 100 * share); }

std::string percent(double share, int decimals) {
  return fmt::format("{:.{}f}%", 100 * share, decimals);
}

Unit unit_up_to(double longest_us) {
  if (longest_us < 1e6) return {"us", 1};
  return longest_us < 1e9 ? Unit{"ms", 1e3} : Unit{"s", 1e6};
}

std::string short_time(double value) {
  if (value > 0 && value < 0.0005) return "<0.001";
  return value > 0 && value < 0.01 ? fmt::format("{:.3f}", value) : format_us(value);
}

std::string short_speed(double times) {
  if (!(times < 9999.5)) return ">9999";
  if (times < 0.0005) return "<.001";
  return fmt::format("{:.{}f}", times, times < 9.9995 ? 3 : times < 999.95 ? 1 : 0);
}

std::string said_speed(double times) {
  if (!(times < 9999.5)) return ">9999";
  if (times < 0.005) return short_speed(times);
  return fmt::format("{:.{}f}", times, times < 1.995 ? 2 : times < 9.95 ? 1 : 0);
}

std::string longer(double ratio) {
  if (ratio >= 0.99 && ratio <= 1.01) return "the same";
  return ratio < 2 ? fmt::format("{:+.0f}%", 100 * (ratio - 1)) : said_speed(ratio) + "x as long";
}

std::string shortened(const std::vector<std::string>& names, std::size_t most) {
  if (names.size() <= most + 1) return listed(names);
  return fmt::format("{} and {} more", fmt::join(std::span(names).first(most), ", "),
                     names.size() - most);
}

std::size_t printable_character(std::string_view text) {
  using Utf8 = boost::nowide::utf::utf_traits<char>;
  const char* next = text.data();
  const char32_t c = Utf8::decode(next, text.data() + text.size());
  if (c == boost::nowide::utf::illegal || c == boost::nowide::utf::incomplete) return 0;
  const auto in = [&](char32_t first, char32_t last) { return c >= first && c <= last; };
  if (in(0, 0x1f) || in(0x7f, 0x9f) || in(0x2028, 0x202e) || in(0x2066, 0x2069)) return 0;
  return static_cast<std::size_t>(next - text.data());
}

std::size_t printable_bytes(std::string_view text) {
  std::size_t bytes = 0;
  while (const std::size_t length = printable_character(text.substr(bytes))) bytes += length;
  return bytes;
}

std::string printable(std::string_view text, std::size_t most) {
  constexpr std::string_view ellipsis = "...";
  std::string result;
  std::size_t cut = 0;  // the end of the result if it becomes too long
  while (!text.empty()) {
    const std::size_t length = printable_character(text);
    if (length > 0) {
      result += text.substr(0, length);
    } else {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    }
    if (result.size() > most) return result.substr(0, cut) + std::string(ellipsis);
    if (result.size() + ellipsis.size() <= most) cut = result.size();
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

std::string in_quotes(std::string_view text) { return "'" + printable(text) + "'"; }

std::string command_line(std::string_view program, std::span<const char* const> arguments) {
  std::string line = shell_word(program);
  for (const char* argument : arguments) line += " " + shell_word(argument);
  return line;
}

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
