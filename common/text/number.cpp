#include "common/text/number.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace trilane {
namespace {

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Beyond every limit in either direction, and cheap to compute with.
constexpr int huge_exponent = 100;

/// Removes an exponent from the front of `rest`. A lone e is left there, as an unknown unit.
int take_exponent(std::string_view& rest) {
  if (rest.empty() || (rest[0] != 'e' && rest[0] != 'E')) return 0;
  const std::size_t sign = rest.size() > 1 && (rest[1] == '+' || rest[1] == '-') ? 1 : 0;
  const std::size_t start = 1 + sign;
  const std::size_t end = std::min(rest.find_first_not_of("0123456789", start), rest.size());
  if (end <= start) return 0;
  int exponent = 0;
  const auto [_, error] = std::from_chars(rest.data() + start, rest.data() + end, exponent);
  if (error != std::errc{}) exponent = huge_exponent;
  exponent = std::min(exponent, huge_exponent);
  const bool negative = rest[1] == '-';
  rest.remove_prefix(end);
  return negative ? -exponent : exponent;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

}  // namespace

std::optional<Decimal> read_decimal(std::string_view text) {
  text = trimmed(text);
  Decimal number;
  number.negative = text.starts_with('-');
  if (number.negative) text.remove_prefix(1);
  bool any = false, fraction = false, overflow = false;
  for (; !text.empty(); text.remove_prefix(1)) {
    const char c = text[0];
    if (c == '.' && !fraction) {
      fraction = true;
    } else if (is_digit(c)) {
      const auto digit = static_cast<std::uint64_t>(c - '0');
      overflow = overflow || number.significand > (most - digit) / 10;
      number.significand = overflow ? most : number.significand * 10 + digit;
      if (fraction) --number.exponent;
      any = true;
    } else {
      break;
    }
  }
  if (!any) return std::nullopt;
  number.exponent += take_exponent(text);
  if (overflow) number.exponent = huge_exponent;
  number.unit = trimmed(text);
  return number;
}

std::optional<std::uint64_t> whole(const Decimal& number, std::uint64_t factor) {
  __extension__ using Wide = unsigned __int128;
  Wide value = Wide{number.significand} * factor;
  if (value == 0) return 0;
  for (int power = number.exponent; power > 0 && value < most; --power) value *= 10;
  for (int power = number.exponent; power < 0; ++power) {
    if (value % 10 != 0) return std::nullopt;
    value /= 10;
  }
  return static_cast<std::uint64_t>(std::min<Wide>(value, most));
}

std::optional<Real> read_real(std::string_view text) {
  text = trimmed(text);
  if (text.empty() || !(is_digit(text[0]) || text[0] == '.' || text[0] == '-')) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !std::isfinite(value)) return std::nullopt;
  return Real{value, trimmed(text.substr(static_cast<std::size_t>(end - text.data())))};
}

}  // namespace trilane
