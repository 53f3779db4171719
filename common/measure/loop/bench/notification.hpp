// A notification: one way in which the host learns that a lane is done; also watchdog and flags.
#pragma once

#include <driver_types.h>

#include "common/base/text/exit_code.hpp"
#include "common/measure/gpu/runtime/handles.hpp"
#include "common/model/workload/workload.hpp"

namespace trilane {

/// The host has had no notification for longer than its patience.
struct NeverTold : WrongResult {
  using WrongResult::WrongResult;
};

/// The loop ends because another of its threads has failed.
struct LoopEnded : WrongResult {
  LoopEnded() : WrongResult("another lane's thread failed") {}
};

/// Each thread of a loop has one.
class Watchdog {
 public:
  /// `ended` is set when any thread of the loop has failed; `patience_us` is on the scale of
  /// now_us(). Both `streams` and `ended` must outlive it.
  Watchdog(const std::vector<cudaStream_t>& streams, const std::atomic<bool>& ended,
           const std::function<bool()>& interrupted, double patience_us);

  /// Must be called repeatedly while waiting for `lanes`. It queries their streams now and then.
  /// Throws CudaError of one, NeverTold after the patience, LoopEnded, and Interrupted.
  void look(std::span<const std::uint32_t> lanes);

  /// Restarts the patience after a notification.
  void told();

 private:
  const std::vector<cudaStream_t>& streams_;
  const std::atomic<bool>& ended_;
  const std::function<bool()>& interrupted_;
  double patience_us_, told_us_, asked_us_;
};

class LaneFlags {
 public:
  /// Throws CudaError if the memory is not mapped.
  explicit LaneFlags(std::size_t lanes);

  /// Raises the lane's flag, which no pending device work may write. Returns the address of the
  /// word that the device sets to 0.
  std::uint32_t* raise(std::uint32_t lane);

  /// Polls until the flag of one of `lanes` is down; returns it. Only `watchdog` calls the runtime.
  std::uint32_t poll(std::span<const std::uint32_t> lanes, Watchdog& watchdog) const;

 private:
  static constexpr std::size_t words_apart = 32;  // two cache lines, which are fetched in pairs

  PinnedBuffer memory_;
  std::uint32_t *host_, *device_;
};

/// The host threads that a notification needs.
enum class Staff {
  one_thread,       ///< waits for all lanes at once
  thread_per_lane,  ///< each waits for its own lane
};

/// The constructor gets the lanes' streams and sets up the notification. One thread marks and
/// awaits a given lane; different lanes may have different threads.
class Notification : boost::noncopyable {
 public:
  explicit Notification(const std::vector<cudaStream_t>& streams) : streams_(streams) {}
  virtual ~Notification() = default;

  /// Enqueues the notification behind the lane's work.
  virtual void mark(std::uint32_t lane) = 0;

  /// Waits until one of `lanes`, which must be marked, is done, and returns it. The host may then
  /// read its result and write its parameters. Throws CudaError and, from `watchdog`, NeverTold.
  virtual std::uint32_t next(std::span<const std::uint32_t> lanes, Watchdog& watchdog) = 0;

 protected:
  const std::vector<cudaStream_t> streams_;
};

/// Waits for the lanes' flags.
class FlagNotification : public Notification {
 public:
  explicit FlagNotification(const std::vector<cudaStream_t>& streams)
      : Notification(streams), flags_(streams.size()) {}

  std::uint32_t next(std::span<const std::uint32_t> lanes, Watchdog& watchdog) override {
    return flags_.poll(lanes, watchdog);
  }

 protected:
  LaneFlags flags_;
};

/// A registry entry.
struct NotificationEntry {
  std::string name;  ///< "event_polled"
  Staff staff = Staff::one_thread;
  Wait wait = Wait::spin;         ///< how synchronising calls wait meanwhile
  std::string not_modelled = {};  ///< what the simulated device lacks for it; empty if nothing
  std::function<std::unique_ptr<Notification>(const std::vector<cudaStream_t>&)> make = {};
};

/// Returns all notifications of this program, in the order of CMakeLists.txt.
std::vector<NotificationEntry>& notifications();

/// Enrols the class `T`. Put one at the end of a notification's file.
template <typename T>
struct EnrolledNotification {
  explicit EnrolledNotification(NotificationEntry entry) {
    entry.make = [](const std::vector<cudaStream_t>& streams) {
      return std::make_unique<T>(streams);
    };
    notifications().push_back(std::move(entry));
  }
};

}  // namespace trilane
