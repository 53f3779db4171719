#include "common/application/diagnosis/findings/finding_groups.hpp"

#include <algorithm>
#include <functional>

#include "common/application/iteration/order/call_traits.hpp"

namespace trilane {
namespace {

constexpr std::size_t most_calls = 5;

/// Upper bounds of what each kind of change can gain in this iteration.
class GainLimits {
 public:
  GainLimits(const ApplicationRecording& recording, const IterationSchedule& schedule)
      : period_us_(schedule.period_us()) {
    std::map<std::uint32_t, double> streams_us;
    std::map<RecordedEngine, double> engines_us;
    double all_us = 0;
    for (const OperationRun& run : schedule.runs()) {
      const RecordedCall& call = recording.calls[run.call];
      const double us = run.end_us - run.start_us;
      streams_us[call.stream] += us;
      engines_us[engine_of(call, recording)] += us;
      all_us += us;
    }
    host_us_ = std::max(0.0, period_us_ - longest(streams_us));
    overlap_us_ = all_us - longest(engines_us);
  }

  double of(FindingKind kind) const {
    switch (kind) {
      case FindingKind::copy_could_overlap:
      case FindingKind::copy_needs_buffer: return std::min(period_us_, overlap_us_);
      case FindingKind::synchronization:
      case FindingKind::allocation:
      case FindingKind::implicit_wait:
      case FindingKind::useless_stream_wait:
      case FindingKind::useless_synchronize: return host_us_;
      case FindingKind::pageable_copy:
      case FindingKind::legacy_wait:
      case FindingKind::nothing_copied:
      case FindingKind::memset_overwritten: break;
    }
    return period_us_;
  }

  double least_us() const { return least_gain_share * period_us_; }

 private:
  template <typename Key>
  static double longest(const std::map<Key, double>& sums_us) {
    double us = 0;
    for (const auto& [key, sum_us] : sums_us) us = std::max(us, sum_us);
    return us;
  }

  double period_us_, host_us_ = 0, overlap_us_ = 0;
};

}  // namespace

CallFinding& FindingGroups::add(FindingKind kind, std::size_t call, double us, double gain_us,
                                Obstacle obstacle) {
  const RecordedCall& recorded = recording_.calls[call];
  const std::string name = function_of(recorded);
  CallFinding& finding = groups_[{kind, obstacle, name}];
  finding.kind = kind;
  finding.name = name;
  finding.obstacle = obstacle;
  ++finding.count;
  finding.bytes += recorded.bytes;
  finding.us += us;
  finding.gain_us += gain_us;
  if (finding.calls.size() < most_calls) finding.calls.push_back(call);
  return finding;
}

CallFinding& FindingGroups::add(FindingKind kind, std::size_t call, Obstacle obstacle) {
  const double us = recording_.calls[call].host_us;
  return add(kind, call, us, us, obstacle);
}

std::vector<CallFinding> FindingGroups::ranked(const IterationSchedule& schedule) const {
  const GainLimits limits(recording_, schedule);
  std::vector<CallFinding> findings;
  for (const auto& [key, group] : groups_) {
    CallFinding finding = group;
    finding.gain_us = std::min(finding.gain_us, limits.of(finding.kind));
    if (finding.gain_us > 0 && finding.gain_us >= limits.least_us()) findings.push_back(finding);
  }
  std::ranges::stable_sort(findings, std::greater{}, &CallFinding::gain_us);
  return findings;
}

}  // namespace trilane
