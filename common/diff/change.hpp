// Two runs side by side: plain records of what changed for each variant.
#pragma once

#include <boost/describe/class.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/results/results.hpp"

namespace trilane {

/// What changed from the old run to the new one.
enum class Verdict {
  same,      ///< the whole interval is so close to 1 that the difference does not matter
  faster,    ///< the whole interval is on that side of 1
  slower,    ///< on the other
  unsure,    ///< neither: a difference may be there or not
  lost,      ///< it had times in the old run and has none in the new one
  no_times,  ///< it had none in the old run
};

/// One variant on one workload.
struct Change {
  std::string variant;
  Verdict verdict = Verdict::no_times;
  std::string message{};                     ///< why a run has no times; empty otherwise
  std::optional<double> old_us{}, new_us{};  ///< medians of wall times
  std::optional<Ratio> measured{};           ///< wall time now over before, from the samples alone
  std::optional<Ratio> ratio{};              ///< the same, wider by what processes may differ
};
BOOST_DESCRIBE_STRUCT(Change, (), (variant, verdict, message, old_us, new_us, measured, ratio))

/// One workload that both runs have.
struct WorkloadChange {
  const Comparison* before = nullptr;
  const Comparison* now = nullptr;
  std::vector<std::string> only_before{}, only_now{};  ///< variants
  std::vector<Change> changes{};
};

/// What the surroundings of the runs were, where they were not the same.
struct Difference {
  std::string what, before, now;
};

/// A results file.
struct RunFile {
  std::string path;
  Results results;
};

/// Two runs. All of it points into these two, which therefore have to outlive it.
struct RunChange {
  const RunFile* before = nullptr;
  const RunFile* now = nullptr;
  double same_within = 0, process_spread = 0;
  std::optional<double> fail_beyond{};  ///< of --fail-on-slower, where it was given
  /// Intervals between several processes and several: as many share the 5% of cases in which not
  /// all of them hold.
  std::size_t shared_by = 0;
  std::vector<Difference> differences{};
  std::vector<std::string> only_before{}, only_now{};  ///< workloads
  std::vector<WorkloadChange> workloads{};
};

}  // namespace trilane
