#include "common/application/prediction/ways/calls_again.hpp"

#include "common/application/iteration/host_gaps.hpp"
#include "common/application/iteration/order/stretches.hpp"
#include "common/device/flavour/flavour.hpp"

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
  switch (role_of(call.kind)) {
    case CallRole::work:
      return make_again(recording_, call, memory_.operands_of(i), streams_.stream(call.stream));
    case CallRole::allocation: return memory_.allocate(call, streams_.stream(call.stream));
    case CallRole::release: return memory_.free(call, streams_.stream(call.stream));
    case CallRole::event:
    case CallRole::synchronization:
    case CallRole::query: return streams_.order(call);
    case CallRole::graph_launch:
    case CallRole::graph_change:
    case CallRole::host_function:
    case CallRole::other: return;
  }
}

}  // namespace trilane
