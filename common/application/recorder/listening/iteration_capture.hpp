// Captures one whole iteration for a replay: its calls as the recorder's core would, and what only
// the calls themselves show.
#pragma once

#include <map>
#include <set>
#include <span>
#include <vector>

#include "common/application/finding/call_fingerprint.hpp"
#include "common/application/recorder/driver/executable_graphs.hpp"
#include "common/application/recorder/driver/listened_call.hpp"
#include "common/application/replay/replayed_iteration.hpp"

namespace trilane {

class IterationCapture {
 public:
  /// `latest`: the iteration that `recording` describes. `graphs` must outlive this object.
  IterationCapture(ApplicationRecording recording, const ObservedIteration& latest,
                   ExecutableGraphs& graphs);

  /// Must be called when the application is about to make a call: copies what its copies will read
  /// from the host.
  void enters(const ListenedCall& what, const void* parameters);

  enum class State {
    going,
    complete,
    differs,  ///< this iteration is not the recorded one
  };
  /// Takes a call that has returned.
  State returns(const ListenedCall& what, const void* parameters, const ObservedCall& call);

  /// Returns the iteration, once it is complete.
  TakenIteration iteration() { return std::move(taken_); }

 private:
  const RecordedCall* expected() const;
  bool reads_host(std::span<const UsedRange> uses) const;
  bool fits(const RecordedCall& recorded, const ObservedCall& call) const;
  bool lies_as_recorded(std::span<const UsedRange> uses, const ObservedCall& copy) const;
  std::vector<std::byte> source(std::span<const UsedRange> uses, const ObservedCall& copy);
  void keep_sources(const RecordedCall& copy, const ObservedCall& call);
  void keep_sources(const RecordedCall& launch, const ObservedGraph& graph);
  void keep_graph(const ObservedCall& call);
  void keep_launch(ObservedLaunch& launch);
  void keep_places(const ObservedLaunch& launch);

  ExecutableGraphs& graphs_;
  SameCalls same_;
  bool elsewhere_ = false;  ///< a copy is between other sides than in the recording
  TakenIteration taken_;
  std::set<std::uint64_t> executables_;                          ///< named by the calls so far
  std::map<std::uint64_t, std::shared_ptr<TakenGraph>>
      taken_graphs_;  ///< by number of their content
};

}  // namespace trilane
