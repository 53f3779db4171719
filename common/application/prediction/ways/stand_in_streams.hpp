// Streams and events in place of the application's.
#pragma once

#include <cstdint>
#include <vector>

#include "common/application/iteration/records/application_recording.hpp"
#include "common/measure/gpu/runtime/handles.hpp"

namespace trilane {

class StandInStreams {
 public:
  explicit StandInStreams(const ApplicationRecording& recording);

  /// Returns the stream by its index in the recording; of the same kind.
  cudaStream_t stream(std::uint32_t index) const { return handles_[index]; }

  /// Makes a call that orders streams and the host; ignores other calls. A query may report
  /// unfinished work.
  void order(const RecordedCall& call) const;

 private:
  std::vector<Stream> own_;
  std::vector<cudaStream_t> handles_;
  std::vector<Event> events_;  // by number
};

}  // namespace trilane
