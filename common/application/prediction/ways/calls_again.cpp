#include "common/application/prediction/ways/calls_again.hpp"

#include "common/application/stretches/stretches.hpp"
#include "common/device/flavour.hpp"

namespace trilane {

CallsAgain::CallsAgain(const ApplicationRecording& recording, MemoryRules rules)
    : recording_(recording),
      streams_(recording),
      memory_(recording, rules),
      gaps_us_(own_gaps(recording)) {}

void CallsAgain::run() {
  for (std::size_t i = 0; i < recording_.calls.size(); ++i) {
    spend_us(gaps_us_[i]);
    make(i);
  }
}

void CallsAgain::make(std::size_t i) {
  const RecordedCall& call = recording_.calls[i];
  switch (call.kind) {
    case CallKind::kernel:
    case CallKind::copy:
    case CallKind::memset:
      return make_again(recording_, call, memory_.operands_of(i), streams_.stream(call.stream));
    case CallKind::allocate:
    case CallKind::allocate_async:
    case CallKind::allocate_host: return memory_.allocate(call, streams_.stream(call.stream));
    case CallKind::free:
    case CallKind::free_async:
    case CallKind::free_host: return memory_.free(call, streams_.stream(call.stream));
    case CallKind::record_event:
    case CallKind::wait_event:
    case CallKind::synchronize_stream:
    case CallKind::synchronize_event:
    case CallKind::synchronize_context:
    case CallKind::query:
    case CallKind::graph_launch:
    case CallKind::change_graph:
    case CallKind::host_function:
    case CallKind::other: return streams_.order(call);
  }
}

}  // namespace trilane
