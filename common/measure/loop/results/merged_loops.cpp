#include "common/measure/loop/results/merged_loops.hpp"

#include <algorithm>
#include <stdexcept>

#include "common/measure/loop/results/long_runs.hpp"

namespace trilane {
namespace {

void append(LoopMeasurement& all, const LoopMeasurement& more, std::uint32_t process) {
  if (all.teller != more.teller || all.resubmission != more.resubmission) {
    throw std::invalid_argument("the processes differ in their contenders");
  }
  if (all.status == LoopStatus::ok) {
    all.status = more.status;
    all.reason = more.reason;
  }
  all.checked += more.checked;
  add_process(all, more, process);
}

}  // namespace

LoopResults merged_loops(std::span<const LoopResults> all) {
  if (all.empty()) throw std::invalid_argument("no loops to merge");
  LoopResults merged = *std::ranges::max_element(
      all, {}, [](const LoopResults& results) { return results.loops.size(); });
  merged.context = all.front().context;
  merged.seed = all.front().seed;
  for (std::size_t i = 0; i < merged.loops.size(); ++i) {
    std::vector<LoopMeasurement>& measurements = merged.loops[i].measurements;
    for (LoopMeasurement& m : measurements) {
      m = {.teller = m.teller, .resubmission = m.resubmission, .reason = {}, .turns = {}};
    }
    for (std::uint32_t process = 0; process < all.size(); ++process) {
      if (i >= all[process].loops.size()) continue;
      const LoopComparison& more = all[process].loops[i];
      for (std::size_t m = 0; m < measurements.size(); ++m) {
        append(measurements[m], more.measurements.at(m), process);
      }
    }
  }
  return merged;
}

}  // namespace trilane
