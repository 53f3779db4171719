// Parts of the table that stand in files of their own.
#pragma once

#include <string>

#include "common/results/results.hpp"

namespace trilane {

struct Unit {
  const char* name;
  double us;
};

/// The unit in which times up to that one have at most six digits, so that tables keep their width.
Unit unit_up_to(double longest_us);

/// At most six characters, which format_us() exceeds for times that no clock can tell from zero.
std::string short_time(double value);

/// "1.765", "69.2": how many times as fast, at most five characters whatever the variants are like.
std::string short_speed(double times);

/// "1 round", "21 rounds".
std::string counted(std::size_t count, const char* one, const char* many);

/// What stands below the table of times, as a list: messages, limit, regime and the like.
std::string notes(const Comparison& comparison, bool simulated);

/// The bound that applies to each variant and how close it comes, as a table under a paragraph that
/// explains it; the best number of chunks and what copies and calls cost below. Needs
/// find_bounds(); empty without a limit.
std::string bounds_section(const Comparison& comparison);

/// What the variants cost besides their passes: a table under a paragraph that explains it, and
/// phases, pools and proofs of break-even below; empty when nothing was priced.
std::string price_section(const Comparison& comparison);

/// "3.1 [2.9, never]", "first 12 [10, always]"; "at once" and "never", with their interval where
/// the figures do not all say so: "at once [0, 40]".
std::string pays_text(const BreakEven& break_even);

}  // namespace trilane
