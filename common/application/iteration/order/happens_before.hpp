// The order of operations by CUDA's rules: streams, events, the legacy stream, and the host's waits
// between issues.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/application/iteration/order/vector_clock.hpp"
#include "common/application/iteration/records/application_recording.hpp"

namespace trilane {

/// The rule that orders an operation behind another one.
enum class OrderedBy : std::uint8_t { stream, event, legacy, graph };

/// An operation that another one follows directly.
struct Predecessor {
  std::size_t place = 0;  ///< see HappensBefore
  OrderedBy by = OrderedBy::stream;
  bool operator==(const Predecessor&) const = default;
};

/// The order of one call, as known when it is issued.
struct IssuedCall {
  std::uint32_t stream = 0, number = 0;  ///< operations are numbered by stream, from 1
  VectorClock before;                    ///< for an operation: what is done when it starts
  std::vector<Predecessor> after;        ///< for an operation; for a wait: what it waits for
  bool legacy_order = false;  ///< only the legacy stream's rule orders it behind another stream
};

/// The order of the calls of a recording, repeated: the call at place p is number p % calls of
/// repetition p / calls. Takes time and memory in proportion to calls times streams.
class HappensBefore {
 public:
  HappensBefore(const ApplicationRecording& recording, std::size_t repetitions);

  /// Returns true if the operation issued at `earlier` is done before the one at `later` starts.
  /// Both must be operations, issued in this order.
  bool ordered(std::size_t earlier, std::size_t later) const;

  /// Returns true if the host's waits cover every operation by the end of the last repetition.
  bool host_waited_for_all() const { return host_waited_for_all_; }

  const IssuedCall& at(std::size_t place) const { return calls_[place]; }
  std::size_t places() const { return calls_.size(); }

 private:
  std::vector<IssuedCall> calls_;
  bool host_waited_for_all_ = true;
};

}  // namespace trilane
