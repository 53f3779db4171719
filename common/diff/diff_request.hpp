// What --compare asks for.
#pragma once

#include <optional>
#include <string>

namespace trilane {

/// Two results files, and how their differences are judged. Shares, not percent.
struct DiffRequest {
  std::string before{}, now{};  ///< paths, the older run first
  double same_within = 0.02;
  /// How far two processes of the same build may differ. The default comes from one H200: two runs
  /// there, one after the other, were 23% apart in streams on launch, by log means over rounds.
  double process_spread = 0.25;
  std::optional<double> fail_beyond{};  ///< --fail-on-slower: exit with 1 beyond this slow-down
};

}  // namespace trilane
