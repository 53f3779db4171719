#include "common/base/text/size.hpp"

#include <boost/algorithm/string/case_conv.hpp>
#include <boost/algorithm/string/trim.hpp>
#include <charconv>

#include "common/base/text/exit_code.hpp"
#include "common/base/text/words.hpp"

namespace trilane {
namespace {

/// A finite number and its unit. A long double holds every 64-bit integer exactly.
struct Number {
  long double value = 0;
  std::string_view unit;  ///< without the spaces around it
};

std::string_view trimmed(std::string_view text) {
  return boost::trim_copy_if(text, [](char c) { return c == ' '; });
}

std::optional<Number> read_number(std::string_view text) {
  text = trimmed(text);
  if (text.find_first_of("0123456789.-") != 0) return std::nullopt;
  long double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !std::isfinite(value)) return std::nullopt;
  return Number{value, trimmed(text.substr(static_cast<std::size_t>(end - text.data())))};
}

/// Returns the absolute value, at most 2^64-1; absent unless it is whole up to rounding errors.
std::optional<std::uint64_t> whole(long double value) {
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  value = std::abs(value);
  const long double rounded = std::round(value);
  const long double error = rounded * std::numeric_limits<long double>::epsilon();
  if (std::abs(value - rounded) > error) return std::nullopt;
  return rounded >= static_cast<long double>(most) ? most : static_cast<std::uint64_t>(rounded);
}

/// Returns the factor: K and KiB are 1024, KB is 1000, M and MiB 1024^2, and so on, in any case.
std::optional<std::uint64_t> size_factor(std::string_view unit) {
  const std::string lower = boost::to_lower_copy(std::string(unit));
  if (lower.empty() || lower == "b") return 1;
  const std::size_t power = std::string_view("kmgt").find(lower.front());
  const std::string rest = lower.substr(1);
  const bool decimal = rest == "b", binary = rest.empty() || rest == "ib";
  if (power == std::string_view::npos || !(decimal || binary)) return std::nullopt;
  std::uint64_t factor = 1;
  for (std::size_t i = 0; i <= power; ++i) factor *= decimal ? 1000 : 1024;
  return factor;
}

std::optional<double> time_factor(std::string_view unit) {
  if (unit == "us" || unit == "µs") return 1;
  if (unit == "ms") return 1e3;
  if (unit == "s") return 1e6;
  if (unit == "min") return 60e6;
  return std::nullopt;
}

}  // namespace

std::uint64_t parse_size(std::string_view option, std::string_view text) {
  const auto number = read_number(text);
  if (!number) refuse(option, text, "is not a size; write it like 4096, 4K, 8MiB or 1e6");
  const auto factor = size_factor(number->unit);
  if (!factor) {
    refuse(option, text,
           "unit {} is unknown; use K, M, G, T (or KiB, MiB, ...) for "
           "powers of 1024, kB, MB, GB, TB for powers of 1000",
           in_quotes(number->unit));
  }
  const auto bytes = whole(number->value * static_cast<long double>(*factor));
  if (number->value < 0 || (bytes && *bytes < 4))
    refuse(option, text, "is too small; the minimum is 4 bytes");
  if (!bytes) refuse(option, text, "is not a whole number of bytes; write it in bytes");
  if (*bytes > max_size) refuse(option, text, "is too large; the maximum is 2^60 bytes, 1048576T");
  if (*bytes % 4 != 0) {
    refuse(option, text, "is not a multiple of 4 bytes; use {} or {}", *bytes / 4 * 4,
           *bytes / 4 * 4 + 4);
  }
  return *bytes;
}

std::uint64_t parse_count(std::string_view option, std::string_view text, std::uint64_t low,
                          std::uint64_t high) {
  const auto number = read_number(text);
  const auto value = number && number->unit.empty() ? whole(number->value) : std::nullopt;
  if (!value || (number->value < 0 && *value > 0) || *value < low || *value > high) {
    refuse(option, text, "must be a whole number from {} to {}", low, high);
  }
  return *value;
}

double parse_time_us(std::string_view option, std::string_view text, double low_us,
                     double high_us) {
  const auto number = read_number(text);
  const auto factor = number ? time_factor(number->unit) : std::nullopt;
  if (!factor)
    refuse(option, text, "is not a time with a unit; write it like 250us, 1.5ms, 2s or 1min");
  const auto us = static_cast<double>(number->value * *factor);
  if (!(us > low_us && us <= high_us)) {
    refuse(option, text, "must be more than {} us and at most {} s", low_us, high_us / 1e6);
  }
  return us;
}

double parse_percent(std::string_view option, std::string_view text, double low, double high) {
  const auto number = read_number(text);
  if (!number || number->unit != "%") refuse(option, text, "is not a percentage; write it like 1%");
  const auto fraction = static_cast<double>(number->value / 100);
  if (!(fraction >= low && fraction <= high)) {
    refuse(option, text, "must be from {}% to {}%", low * 100, high * 100);
  }
  return fraction;
}

std::string format_bytes(std::uint64_t bytes) {
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  std::uint64_t scale = 1;
  while (bytes / scale >= 1024) {
    scale *= 1024;
    ++unit;
  }
  if (bytes % scale == 0) return fmt::format("{} {}", bytes / scale, units[unit]);
  const double value = static_cast<double>(bytes) / static_cast<double>(scale);
  return fmt::format("{:.1f} {}", value, units[unit]);
}

std::string format_us(double us) {
  if (!std::isfinite(us) || us == 0) return fmt::format("{:.0f}", us);
  // The exponent is read after rounding, which may add a digit: 9.996 becomes 10.0.
  const std::string rounded = fmt::format("{:.2e}", us);
  const int exponent = std::stoi(rounded.substr(rounded.find('e') + 1));
  return fmt::format("{:.{}f}", us, std::max(0, 2 - exponent));
}

std::string time_in_words(double us) {
  const double size = std::abs(us);
  if (size >= 999.5e3) return format_us(us / 1e6) + " s";
  if (size >= 999.5) return format_us(us / 1e3) + " ms";
  return format_us(us) + " us";
}

}  // namespace trilane
