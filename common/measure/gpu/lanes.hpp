// Streams that fork from an origin stream and join back into it: lanes, and one per engine.
#pragma once

#include "common/measure/gpu/runtime/handles.hpp"
#include "common/measure/gpu/runtime/homes.hpp"
#include "common/model/variant/plan.hpp"
#include "common/model/workload/steps.hpp"

namespace trilane {

class Lanes {
 public:
  explicit Lanes(std::uint32_t count, Homes homes = {});
  /// Makes those of the workload, on all of its GPUs.
  explicit Lanes(const Workload& workload) : Lanes(workload.used_lanes(), Homes(workload)) {}

  /// Returns the lane's stream, and makes its GPU current, until join() makes the first one so.
  cudaStream_t operator[](std::uint32_t lane) const {
    homes_.enter(lane);
    return stream(lane);
  }

  /// Orders later work on every lane after the work now on `origin`.
  void fork(cudaStream_t origin) const;

  /// Orders later work on `origin` after the work now on every lane.
  void join(cudaStream_t origin) const;

  /// Returns the number of distinct streams behind the lanes, from cudaStreamGetId, and of the GPUs
  /// of these streams if a pass is split.
  std::vector<Count> evidence() const;

 protected:
  cudaStream_t stream(std::uint32_t lane) const { return streams_[lane].get(); }
  const Homes& homes() const { return homes_; }

 private:
  Homes homes_;
  std::vector<Stream> streams_;
  OrderingEvent forked_;
  std::vector<OrderingEvent> done_;
};

/// Streams for copies in, for memsets and kernels, and for copies out, in place of lanes; those of
/// each GPU, if a pass is split.
class EngineStreams : public Lanes {
 public:
  explicit EngineStreams(const Job& job);

  /// Returns the stream of the step's engine, after making it wait for the step's dependencies on
  /// other streams.
  cudaStream_t before(const Step& step) const;

  /// Records that the step is enqueued, if a later step on another stream needs it.
  void after(const Step& step) const;

 private:
  const OrderingEvent& event(const Step& step, std::uint32_t place) const {
    return *events_[step.lane][place];
  }

  /// Returns the number of the stream, which has the lane's home.
  std::uint32_t engine_of_lane(const Step& step) const {
    return engine_of(step.stage) * homes().count() + step.lane % homes().count();
  }

  std::uint32_t lanes_;
  EngineOrder order_;
  std::vector<std::vector<std::optional<OrderingEvent>>> events_;  // of each lane and stage
};

}  // namespace trilane
