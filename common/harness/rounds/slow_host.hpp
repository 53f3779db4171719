// Watches how fast the host's core is, and sets rounds aside in which it was slow: other work on it
// lengthens the calls of a pass, and a graph makes fewer calls than streams.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/results/results.hpp"

namespace trilane {

class SlowHost {
 public:
  /// Nothing is set aside unless this many rounds are left, and a third of all. In three runs of
  /// launch on busy H200 hosts fewer were left, and most of their intervals were wider than those
  /// of all rounds, slow ones included.
  explicit SlowHost(std::uint32_t fewest_left) : fewest_left_(fewest_left) {}

  /// How long the host took for a fixed piece of work before a turn of this round.
  void note(double host_us) { turns_us_.push_back(host_us); }

  /// Ends the round, and looks if that is due: when the rounds have grown by a hundredth. Returns
  /// whether any sample was moved.
  bool end_round(Comparison& comparison);

  /// Moves the samples of all slow rounds so far to Measurement::set_aside, and those of the others
  /// back, because what is slow shows only in comparison. Returns whether any was moved.
  bool look(Comparison& comparison);

 private:
  std::uint32_t fewest_left_;
  std::vector<double> turns_us_;   // of this round
  std::vector<double> rounds_us_;  // means of the turns
  std::vector<bool> aside_;        // by round, up to the last look
  std::size_t next_look_ = 0;      // rounds
};

}  // namespace trilane
