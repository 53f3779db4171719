#include "common/base/text/number.hpp"

#include <charconv>
#include <cmath>
#include <limits>

namespace trilane {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

}  // namespace

std::optional<Number> read_number(std::string_view text) {
  text = trimmed(text);
  if (text.find_first_of("0123456789.-") != 0) return std::nullopt;
  long double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !std::isfinite(value)) return std::nullopt;
  return Number{value, trimmed(text.substr(static_cast<std::size_t>(end - text.data())))};
}

std::optional<std::uint64_t> whole(long double value) {
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  value = std::abs(value);
  const long double rounded = std::round(value);
  const long double error = rounded * std::numeric_limits<long double>::epsilon();
  if (std::abs(value - rounded) > error) return std::nullopt;
  return rounded >= static_cast<long double>(most) ? most : static_cast<std::uint64_t>(rounded);
}

}  // namespace trilane
