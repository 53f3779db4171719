#include "common/base/text/quoting.hpp"

#include <boost/algorithm/string/replace.hpp>
#include <boost/nowide/utf/utf.hpp>

namespace trilane {
namespace {

std::string shell_word(std::string_view word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%_+=:,./-";
  if (!word.empty() && word.find_first_not_of(plain) == word.npos) return std::string(word);
  return "'" + boost::replace_all_copy(std::string(word), "'", R"('\'')") + "'";
}

}  // namespace

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

}  // namespace trilane
