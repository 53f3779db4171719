// Follows the range that the user has named as the iteration.
#include <fmt/format.h>

#include <algorithm>

#include "common/application/finding/core/recorder_state.hpp"

namespace trilane {

void RecorderState::range_begins() { range_first_ = store_.size(); }

void RecorderState::range_ended(double start_us, double end_us) {
  ++ranges_;
  const std::uint64_t calls = store_.size() - range_first_;
  if (calls == 0 || range_first_ < store_.oldest()) {
    why_none_ = calls == 0 ? "the range holds no calls to the driver"
                           : "the range holds more calls than are kept";
    return;
  }
  compare_range(calls);
  if (repetitions_.all.empty()) {
    repetitions_.calls = calls;
    calls_before_ = range_first_;
    iterations_ = 0;
  }
  ++iterations_;
  const bool tracing = stage_ == Stage::tracing;
  repetitions_.all.push_back({range_first_, start_us, end_us, tracing, hears_runtime()});
  const std::uint64_t enough =
      tracing ? settings_.traced : settings_.repetitions + settings_.confirmed;
  const std::uint64_t so_far = tracing ? ++followed_ : repetitions_.all.size();
  if (so_far >= enough) enough_followed();
}

/// Starts over if the range that has ended differs from the one before.
void RecorderState::compare_range(std::uint64_t calls) {
  if (repetitions_.all.empty()) return;
  const std::uint64_t before = repetitions_.all.back().first;
  const std::uint64_t at = first_difference(before, calls);
  if (at == std::max(calls, repetitions_.calls)) return;
  // If this range has one call more, the other one came to its end.
  const std::uint64_t expected = at < repetitions_.calls ? before + at : store_.size();
  if (stage_ == Stage::tracing) return left(at, expected, range_first_ + at);
  broken_ = broken(repetitions_.calls, iterations_, at, expected, range_first_ + at);
  why_none_ = fmt::format("the ranges hold different calls, first at call {}", at);
  repetitions_.all.clear();
}

/// Returns the first call in which the range that has ended, of `calls` calls, differs from an
/// earlier one. If none differs, returns the shorter one's number of calls.
std::uint64_t RecorderState::first_difference(std::uint64_t before, std::uint64_t calls) const {
  if (before < store_.oldest()) return 0;
  const std::uint64_t both = std::min(calls, repetitions_.calls);
  for (std::uint64_t i = 0; i < both; ++i) {
    if (finder_.at(before + i) != finder_.at(range_first_ + i)) return i;
  }
  return both;
}

}  // namespace trilane
