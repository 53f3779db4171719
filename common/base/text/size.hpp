// Parses and formats sizes, counts and times.
#pragma once

#include "common/std.hpp"

namespace trilane {

/// Returns the bytes of "4K", "8MiB", "1e6", "64 kB" or "4096". K, M, G, T and KiB... are powers of
/// 1024, kB, MB, GB, TB powers of 1000. The size must be a multiple of 4 from 4 to 2^60. Throws
/// UsageError with the option, the value and the remedy.
std::uint64_t parse_size(std::string_view option, std::string_view text);

/// The largest accepted size: far beyond any memory, and sums of such sizes do not overflow.
inline constexpr std::uint64_t max_size = std::uint64_t{1} << 60;

/// Returns a whole number from `low` to `high` (below 2^64-1), "64" or "1e3". Throws UsageError.
std::uint64_t parse_count(std::string_view option, std::string_view text, std::uint64_t low,
                          std::uint64_t high);

/// Returns the microseconds of "250us", "1.5ms", "2s" or "1min"; more than `low_us`, at most
/// `high_us`. The unit is required, because it cannot be guessed. Throws UsageError.
double parse_time_us(std::string_view option, std::string_view text, double low_us, double high_us);

/// Returns "1%" or "0.5%" as a fraction from `low` to `high`. The percent sign is required, because
/// 0.01 could mean either. Throws UsageError.
double parse_percent(std::string_view option, std::string_view text, double low, double high);

/// Returns "4 KiB" for 4096, "976.6 KiB" for 1000000, "12 B" for 12.
std::string format_bytes(std::uint64_t bytes);

/// Returns three significant digits without an exponent: "0.457", "12.3", "1234" for 1234.5.
std::string format_us(double us);

/// Returns microseconds with three digits and a unit: "1.98 ms", "41.2 us".
std::string time_in_words(double us);

}  // namespace trilane
