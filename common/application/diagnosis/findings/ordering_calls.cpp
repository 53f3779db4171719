#include "common/application/diagnosis/findings/ordering_calls.hpp"

#include <algorithm>
#include <set>

#include "common/application/diagnosis/order/issue_state.hpp"
#include "common/application/diagnosis/races/races.hpp"
#include "common/application/recording/records/call_kinds.hpp"

namespace trilane {
namespace {

bool may_record(const ApplicationRecording& recording, const RecordedCall& call) {
  if (call.kind == CallKind::other) return true;
  if (call.kind != CallKind::graph_launch) return false;
  return !call.graph ||
         std::ranges::any_of(recording.graphs[*call.graph].nodes,
                             [](const RecordedNode& node) { return node.kind == CallKind::other; });
}

/// The legacy stream comes last, so that no wait for another one covers its work.
void issue_unknown_work(const ApplicationRecording& recording, IssueState& state) {
  for (const bool legacy : {false, true}) {
    for (std::uint32_t stream = 0; stream < recording.streams.size(); ++stream) {
      if ((recording.streams[stream].kind == StreamKind::legacy) != legacy) continue;
      RecordedCall work;
      work.kind = CallKind::kernel;
      work.stream = stream;
      state.issue(work, stream);
    }
  }
}

std::vector<bool> adds_order(const ApplicationRecording& recording, const HappensBefore& order) {
  std::vector<bool> adds;
  const std::size_t calls = recording.calls.size();
  if (repeats_at_once(recording)) {
    for (std::size_t i = 0; i < calls; ++i) adds.push_back(order.at(calls + i).adds_order);
    return adds;
  }
  IssueState state(recording);
  issue_unknown_work(recording, state);
  for (const RecordedCall& call : recording.calls) {
    adds.push_back(state.issue(call, recording.streams.size() + adds.size()).adds_order);
  }
  return adds;
}

}  // namespace

std::vector<bool> may_order(const ApplicationRecording& recording, const HappensBefore& order) {
  std::vector<bool> may = adds_order(recording, order);
  const bool all_known =
      repeats_at_once(recording) && std::ranges::none_of(recording.calls, [&](const auto& c) {
        return may_record(recording, c);
      });
  if (all_known) return may;
  std::set<std::uint32_t> recorded;  // since when nothing unknown could record them
  for (std::size_t i = 0; i < may.size(); ++i) {
    const RecordedCall& call = recording.calls[i];
    if (may_record(recording, call)) recorded.clear();
    if (call.kind == CallKind::record_event) recorded.insert(call.event);
    if (names_event(call.kind) && !recorded.contains(call.event)) may[i] = true;
  }
  return may;
}

}  // namespace trilane
