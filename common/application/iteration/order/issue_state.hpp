// The state of streams and events as calls are issued one after the other.
#pragma once

#include <map>
#include <vector>

#include "common/application/iteration/order/happens_before.hpp"
#include "common/application/iteration/order/vector_clock.hpp"
#include "common/application/iteration/records/application_recording.hpp"

namespace trilane {

class IssueState {
 public:
  explicit IssueState(const ApplicationRecording& recording);

  /// Takes the next call.
  IssuedCall issue(const RecordedCall& call, std::size_t place);
  bool host_waited_for_all() const;

 private:
  /// A point in a stream: what is done when it is reached, and the operations just before it.
  struct Point {
    VectorClock done;
    std::vector<Predecessor> frontier;
  };

  /// Orders later actions of the stream behind the host's waits and by the legacy stream's rule.
  void begin_action(std::uint32_t stream, IssuedCall& order);
  void end_action(std::uint32_t stream);
  void add_operation(const RecordedCall& call, std::size_t place, IssuedCall& order);
  void follow_launch(const RecordedCall& call);
  void wait_in_stream(const RecordedCall& call);
  void wait_on_host(const Point& point, IssuedCall& order);
  Point point_of(std::uint32_t stream) const;
  Point everything() const;
  void host_waits(const RecordedCall& call, const Point& before, IssuedCall& order);

  const ApplicationRecording& recording_;
  std::vector<Point> streams_;
  std::vector<std::uint32_t> counts_;
  std::map<std::uint32_t, Point> events_;
  std::map<std::uint32_t, Point> launches_;  ///< the latest of each executable graph
  VectorClock host_;
  Point legacy_;    ///< of the last action in the legacy stream
  Point blocking_;  ///< of all streams that are ordered with it; without a frontier
};

}  // namespace trilane
