// Sizes, counts and times as people write them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace trilane {

/// "4K", "8MiB", "1e6", "64 kB", "4096": bytes. K, M, G, T and KiB... are powers of 1024, kB, MB,
/// GB, TB powers of 1000. Must be a whole number of bytes, 4 at least, a multiple of 4, and at
/// most 2^60. Throws UsageError that names `option`, the value and the way out.
std::uint64_t parse_size(std::string_view option, std::string_view text);

/// The largest size that is read: far beyond any memory, far below where sums overflow.
inline constexpr std::uint64_t max_size = std::uint64_t{1} << 60;

/// A whole number from `low` to `high`, "64" or "1e3"; `high` is below 2^64-1. Throws
/// UsageError.
std::uint64_t parse_count(std::string_view option, std::string_view text, std::uint64_t low,
                          std::uint64_t high);

/// A time with its unit, "250us", "1.5ms", "2s", "1min", in microseconds; more than `low_us`, at
/// most `high_us`. A bare number is refused: its unit would be a guess. Throws UsageError.
double parse_time_us(std::string_view option, std::string_view text, double low_us, double high_us);

/// A share in percent, "1%" or "0.5%", as a fraction from `low` to `high`. The sign is required:
/// 0.01 could mean either. Throws UsageError.
double parse_percent(std::string_view option, std::string_view text, double low, double high);

/// 4096: "4 KiB"; 1000000: "976.6 KiB"; 12: "12 B".
std::string format_bytes(std::uint64_t bytes);

/// 0.4567: "0.457"; 12.34: "12.3"; 1234.5: "1234"; three significant digits, never an exponent.
std::string format_us(double us);

}  // namespace trilane
