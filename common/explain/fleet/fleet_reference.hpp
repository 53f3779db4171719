// How the times of machines of one kind are distributed, and whether those of another are normal.
#pragma once

#include "common/explain/fleet/fleet.hpp"

namespace trilane {

/// The time of a variant, or a cost, over machines; its logarithms are taken as normal values.
struct ReferenceFigure {
  std::string name;
  std::uint32_t machines = 2;  ///< without those that differ from the others
  double mean_us = 1;          ///< geometric
  double spread = 0;           ///< standard deviation over machines, relative
  double error = 0;            ///< standard error within a typical file, relative
};
BOOST_DESCRIBE_STRUCT(ReferenceFigure, (), (name, machines, mean_us, spread, error))
constexpr bool in_columns(const ReferenceFigure&) { return true; }
TRILANE_RANGES(ReferenceFigure, Within<&R::machines>{{2, 1e6}}, Within<&R::mean_us>{{1e-9, day_us}},
               Within<&R::spread, &R::error>{{0, 100}})

struct ReferenceWork {
  std::string workload, work;  ///< its label, and all that defines it: see FleetWork
  std::vector<ReferenceFigure> figures;
};
BOOST_DESCRIBE_STRUCT(ReferenceWork, (), (workload, work, figures))
TRILANE_RANGES(ReferenceWork, Within<&R::work>{text_range})

struct FleetReference {
  std::string gpu;  ///< the name of its kind
  std::uint32_t machines = 0;
  std::vector<ReferenceWork> works;
};
BOOST_DESCRIBE_STRUCT(FleetReference, (), (gpu, machines, works))
inline constexpr Schema reference_schema{"trilane-reference", 1, 1};

/// Returns the distribution over the runs' machines. Throws UsageError below two machines, and for
/// GPUs of several kinds.
FleetReference reference_of(const std::vector<FleetRun>& runs);

std::string to_json(const FleetReference& reference);

/// Built-in references, as files.
extern const char reference_h100_json[], reference_h200_json[];

/// A run beside the machines of a reference.
struct Judged {
  std::size_t figures = 0;       ///< that the reference has, too
  std::size_t outside = 0;       ///< beyond the range of 95% of machines, and 1% from the mean
  std::vector<std::string> odd;  ///< so far outside that in 99% of machines no figure is
  double slower_by = 0;          ///< the most of an odd one, relative to the range of 95%
  Page page;                     ///< a table per workload and the verdict
};
Judged judged_by(const FleetReference& reference, const FleetRun& run);

}  // namespace trilane
