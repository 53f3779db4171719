// Records of what changed between two runs.
#pragma once

#include <boost/describe/class.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/model/results/results.hpp"

namespace trilane {

/// The change of a variant from the old run to the new one.
enum class Verdict {
  same,      ///< the whole interval is within the margin around 1
  faster,    ///< the whole interval shows new to be faster
  slower,    ///< the whole interval shows new to be slower
  unsure,    ///< none of these
  lost,      ///< has times in the old run and none in the new one
  no_times,  ///< has no times in the old run
};

/// Returns "SAME", "FASTER", "SLOWER", "UNSURE", "LOST" or "-".
constexpr const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::same: return "SAME";
    case Verdict::faster: return "FASTER";
    case Verdict::slower: return "SLOWER";
    case Verdict::unsure: return "UNSURE";
    case Verdict::lost: return "LOST";
    case Verdict::no_times: return "-";
  }
  return "";
}

/// One variant on one workload.
struct VariantChange {
  std::string variant;
  Verdict verdict = Verdict::no_times;
  std::string message{};                     ///< why one run has no times; otherwise empty
  std::optional<double> old_us{}, new_us{};  ///< means of wall times
  std::optional<Ratio> measured{};           ///< wall time now over before, from the samples alone
  std::optional<Ratio> ratio{};              ///< the same, widened by the allowance for processes
};
BOOST_DESCRIBE_STRUCT(VariantChange, (),
                      (variant, verdict, message, old_us, new_us, measured, ratio))
constexpr auto ranges(const VariantChange*) {
  return std::tuple{Within<&VariantChange::message>{text_range}};
}

/// One workload that both runs have.
struct WorkloadChange {
  const Comparison* before = nullptr;
  const Comparison* now = nullptr;
  std::vector<std::string> only_before{}, only_now{};  ///< variants
  std::vector<VariantChange> changes{};
};

/// A difference between the environments of the runs.
struct Difference {
  std::string what, before, now;
};

/// A results file and its path.
struct RunFile {
  std::string path;
  Results results;
};

/// The changes between two runs, which must outlive it.
struct RunChange {
  const RunFile* before = nullptr;
  const RunFile* now = nullptr;
  double same_within = 0, process_spread = 0;
  std::optional<double> fail_beyond{};  ///< from --fail-on-slower
  /// The number of intervals between runs of several processes. Together they miss in 5% of cases.
  std::size_t shared_by = 0;
  std::vector<Difference> differences{};
  std::vector<std::string> only_before{}, only_now{};  ///< workloads
  std::vector<WorkloadChange> workloads{};
};

}  // namespace trilane
