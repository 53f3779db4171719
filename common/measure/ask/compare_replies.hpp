// Compares the replies of two runs: which answers changed, and which figures moved.
#pragma once

#include "common/measure/ask/reply.hpp"

namespace trilane {

/// How far figures may differ without having moved. Shares, not percent.
struct FigureTolerance {
  double same_within = 0.02;
  /// How far two processes may differ. In one run on an H200, 22% of the times differed by more
  /// than 25% between two processes, 3% by more than 100%.
  double process_spread = 1;
};

struct RepliesChange {
  Page page;  ///< without what was compared; empty if no question is in both runs
  std::vector<std::string> changed{};  ///< questions that contradict, or failed in `now` alone
};

/// Compares the answers that both runs have, and figures unless only one run is simulated. A figure
/// has moved if the quartiles of each process on one side are above those of each on the other.
/// Medians of times must also differ by more than `same_within`. If a side has one process,
/// measured ones must differ by another `process_spread`.
RepliesChange compare_replies(const Replies& before, const Replies& now, FigureTolerance tolerance);

}  // namespace trilane
