#include "common/text/quoting.hpp"

#include <fmt/format.h>

#include <boost/algorithm/string/replace.hpp>

namespace trilane {
namespace {

std::string shell_word(std::string_view word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%_+=:,./-";
  if (!word.empty() && word.find_first_not_of(plain) == word.npos) return std::string(word);
  return "'" + boost::replace_all_copy(std::string(word), "'", R"('\'')") + "'";
}

}  // namespace

std::string in_quotes(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += c;
    }
  }
  return result + "'";
}

std::string command_line(std::string_view program, std::span<const char* const> arguments) {
  std::string line = shell_word(program);
  for (const char* argument : arguments) line += " " + shell_word(argument);
  return line;
}

}  // namespace trilane
