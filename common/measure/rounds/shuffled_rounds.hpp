// Measures alternatives in turn.
#pragma once

#include "common/model/workload/random.hpp"

namespace trilane {

/// The number and the order of rounds.
struct RoundSettings {
  double seconds = 0;        ///< measuring time
  std::uint32_t fewest = 1;  ///< rounds, regardless of the time
  std::uint32_t most = UINT32_MAX;
  std::uint64_t seed = 1;  ///< of the order

  /// Divides the rounds among processes that measure the same. Each keeps at least `least`.
  void share(std::uint32_t processes, std::uint32_t least);
};

/// Calls `take(i, counts)` for each of `count` alternatives once a round, in an order shuffled
/// again each round. The first round is a warm-up, which does not count. Later rounds run until the
/// time is up or `ended` returns true.
void in_rounds(
    std::size_t count, const RoundSettings& settings,
    const std::function<void(std::size_t, bool counts)>& take,
    const std::function<bool()>& ended = [] { return false; });

/// Runs the rounds of in_rounds() without a warm-up, by a clock in microseconds. Asks `ended`
/// before every turn, too. Returns the number of rounds.
std::uint32_t timed_rounds(std::size_t count, const RoundSettings& settings, Random& random,
                           const std::function<double()>& now,
                           const std::function<void(std::size_t)>& take,
                           const std::function<bool()>& ended);

}  // namespace trilane
