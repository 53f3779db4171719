#include "common/application/iteration/order/happens_before.hpp"

#include "common/application/iteration/order/issue_state.hpp"

namespace trilane {

HappensBefore::HappensBefore(const ApplicationRecording& recording, std::size_t repetitions) {
  IssueState state(recording);
  calls_.reserve(repetitions * recording.calls.size());
  for (std::size_t i = 0; i < repetitions; ++i) {
    for (const RecordedCall& call : recording.calls) {
      calls_.push_back(state.issue(call, calls_.size()));
    }
  }
  host_waited_for_all_ = state.host_waited_for_all();
}

bool HappensBefore::ordered(std::size_t earlier, std::size_t later) const {
  const IssuedCall& first = calls_[earlier];
  const IssuedCall& second = calls_[later];
  return first.stream == second.stream || second.before[first.stream] >= first.number;
}

}  // namespace trilane
