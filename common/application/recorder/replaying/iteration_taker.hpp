// Takes one whole iteration for a replay: its calls as the recorder's core would, and what only the
// calls themselves show.
#pragma once

#include <vector>

#include "common/application/recorder/calls/listened_call.hpp"
#include "common/application/replay/calls/replayed_iteration.hpp"

namespace trilane {

class IterationTaker {
 public:
  explicit IterationTaker(ApplicationRecording recording);

  /// The application is about to make a call: takes what its copy will read from the host.
  void enters(const ListenedCall& what, const void* parameters);

  enum class State {
    going,
    complete,
    differs,  ///< this iteration is not the one that was recorded
  };
  /// Takes a call that has returned.
  State returns(const ListenedCall& what, const void* parameters, const ObservedCall& call);

  /// The iteration, once it is complete.
  TakenIteration take() { return std::move(taken_); }

 private:
  const RecordedCall* expected() const;
  bool reads_host(const RecordedCall& call) const;

  TakenIteration taken_;
};

}  // namespace trilane
