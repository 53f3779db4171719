// Runs turns of a loop with one notification and one resubmission, and checks every item.
#pragma once

#include "common/measure/gpu/crew.hpp"
#include "common/measure/gpu/recording.hpp"
#include "common/measure/loop/bench/device_clock.hpp"
#include "common/measure/loop/bench/items.hpp"
#include "common/measure/loop/bench/notification.hpp"

namespace trilane {

class LaneCircuit {
 public:
  /// `job` has one chunk per lane, and its host buffers are the lanes'. Instantiates any graph.
  LaneCircuit(const Job& job, std::uint32_t lane, const Scratch& scratch,
              Resubmission resubmission);

  /// Enqueues an item. It reads the parameters that are in the lane's block when it runs.
  void start();

  cudaStream_t stream() const { return stream_.get(); }

 private:
  void issue(cudaStream_t stream);

  Stream stream_ = make_stream();
  std::vector<Operation> operations_;
  std::optional<Recording> recording_;  // absent with streams
};

/// Timing events around an item, and the time when the host was notified of its end.
struct ItemStamp {
  Event start = make_timing_event(), end = make_timing_event();
  double told_us = 0;
};

/// The items of a lane in a turn. Their times are read when the turn is over.
struct LaneItems {
  std::uint64_t item = 0;         ///< in progress, or the next one
  std::vector<ItemStamp> stamps;  ///< of this turn's items
  std::size_t done = 0;           ///< number of them that are done
};

/// The moments of an item that get an event.
enum class Stamps {
  ends,
  starts_and_ends,
};

/// The settings of a turn.
struct TurnSettings {
  std::optional<std::uint32_t> items = {};  ///< of each lane; by default see items_for()
  double patience_us = 10e6;                ///< limit on the time without a notification
  bool simulated = false;                   ///< processor time is not modelled
  std::function<bool()> interrupted = [] { return false; };
};

/// Returns the number of items of each lane for a turn of about 20 ms. It is at least 10, because
/// lanes idle when a turn begins and ends, and at most 100.
std::uint32_t items_for(const Loop& loop);

class LoopBench : boost::noncopyable {
 public:
  /// `items` must outlive it. Throws CudaError.
  LoopBench(const Loop& loop, const Items& items, const NotificationEntry& notification,
            Resubmission resubmission);
  ~LoopBench();

  /// Runs items on all lanes until each has had its share, and waits for them. It does so twice,
  /// the second time also with events at the starts, which would slow the first down. Throws
  /// WrongResult for a wrong result, CudaError, NeverTold, and Interrupted.
  LoopTurn turn(const TurnSettings& settings);

 private:
  void run(const TurnSettings& settings, Stamps stamps);
  void serve(std::vector<std::uint32_t> lanes, const TurnSettings& settings);
  void serve_all(const TurnSettings& settings);
  void start(std::uint32_t lane);
  void look(std::uint32_t lane);

  Loop loop_;
  const Items& items_;
  PinnedBuffer parameters_, results_;
  Job job_;
  LaneScratch scratch_;
  std::vector<std::unique_ptr<LaneCircuit>> circuits_;
  std::vector<cudaStream_t> streams_;
  Wait wait_;
  std::unique_ptr<Notification> notification_;
  std::unique_ptr<Crew> crew_;  // with a thread per lane
  std::vector<LaneItems> lanes_;
  Stamps stamps_ = Stamps::ends;
  std::atomic<bool> ended_ = false;
};

}  // namespace trilane
