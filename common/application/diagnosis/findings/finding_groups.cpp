#include "common/application/diagnosis/findings/finding_groups.hpp"

#include <algorithm>
#include <functional>

#include "common/application/diagnosis/calls/call_traits.hpp"

namespace trilane {
namespace {

constexpr std::size_t most_calls = 5;

}  // namespace

CallFinding& FindingGroups::add(FindingKind kind, std::size_t call, double us, Obstacle obstacle) {
  const RecordedCall& recorded = recording_.calls[call];
  const std::string name = function_of(recorded);
  CallFinding& finding = groups_[{kind, obstacle, name}];
  finding.kind = kind;
  finding.name = name;
  finding.obstacle = obstacle;
  ++finding.count;
  finding.bytes += recorded.bytes;
  finding.us += us;
  if (finding.calls.size() < most_calls) finding.calls.push_back(call);
  return finding;
}

std::vector<CallFinding> FindingGroups::sorted() const {
  std::vector<CallFinding> findings;
  for (const auto& [key, finding] : groups_) findings.push_back(finding);
  std::ranges::stable_sort(findings, std::greater{}, &CallFinding::us);
  return findings;
}

}  // namespace trilane
