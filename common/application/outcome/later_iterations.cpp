#include "common/application/outcome/later_iterations.hpp"

#include "common/analysis/statistics/statistics.hpp"
#include "common/application/stretches/stretches.hpp"

namespace trilane {

namespace {

/// Whether its operations have the arguments and pointers that they were last set to.
bool keeps_values(const Model& model) {
  switch (model.issuer) {
    case Issuer::host_waiting:
    case Issuer::host:
    case Issuer::host_threads: return false;
    case Issuer::graph:
    case Issuer::graph_updated:
    case Issuer::graph_set: return true;
  }
  return true;
}

}  // namespace

void add_later_iterations(const ApplicationRecording& last, ReplayRecord& record) {
  // By then more iterations were watched, on a warm machine.
  if (!last.watched_us.empty()) record.application_us = median(last.watched_us);
  const std::uint64_t values = values_to_set(last);
  if (!record.comparison || values <= record.values_to_set) return;
  for (Measurement& m : record.comparison->measurements) {
    if (m.status == Status::ok && keeps_values(m.plan.model)) {
      m.not_set = values - record.values_to_set;
    }
  }
}

}  // namespace trilane
