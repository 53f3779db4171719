// Names what the stages of listening need from CUPTI, the driver and the replay.
#pragma once

#include <string>

#include "common/application/finding/application_recorder.hpp"

namespace trilane {

/// The state of the application at the return of a call.
struct ApplicationNow {
  bool has_graphs = false;       ///< it has made executable graphs
  bool several_threads = false;  ///< several threads made calls
  bool captures = false;         ///< a stream is being captured
  bool ended_work = false;       ///< this thread's call is one of ends_work()
};

/// The driver's functions that call back.
enum class Heard : std::uint8_t {
  all,   ///< that the recorder knows
  ends,  ///< the one that ends an iteration, and those that change handles and memory unseen
  none,
};

/// Decides which functions call back, and takes device times.
class ListeningInstruments {
 public:
  virtual ~ListeningInstruments() = default;

  virtual ApplicationNow now() const = 0;
  /// Notes that this thread uses CUDA.
  virtual void note_thread() = 0;

  virtual void listen_to(Heard functions) = 0;
  /// Listens to the runtime's functions, too. Measures the cost of listening first.
  virtual void listen_to_runtime() = 0;
  /// Ends that as far as possible within this call, or within none. Returns true if none is left.
  virtual bool end_runtime(bool within_none) = 0;
  /// Must be called at each call: continues with what end_runtime() has left.
  virtual void called() = 0;
  /// Must be called after other functions call back: an earlier entry may have no heard return.
  virtual void begin_era() = 0;

  virtual void start_tracer() = 0;
  /// Hands device times to the recorder. Returns true if they could be read.
  virtual bool stop_tracer() = 0;
  /// Returns true if the device is idle, or becomes so within a second.
  virtual bool device_is_done() const = 0;
  /// Ends all callbacks, and takes CUPTI out of the process if `cupti_leaves`.
  virtual void release(bool cupti_leaves) = 0;
};

/// The replay, as the stages steer it.
class StagedReplay {
 public:
  virtual ~StagedReplay() = default;

  virtual bool is_wanted() const = 0;
  /// Returns true if nothing more will be replayed.
  virtual bool is_over() const = 0;
  virtual bool is_capturing() const = 0;
  /// Takes the beginning of an iteration while only ends are watched. Returns true if every call of
  /// it must be listened to, and memory was copied; false if a replay is not wanted, was made or is
  /// refused.
  virtual bool begins(const ApplicationRecorder& recorder) = 0;
  /// Must be called if the iteration ended before it was captured.
  virtual void differs() = 0;
  /// Cancels any further replay.
  virtual void gives_up(const std::string& reason) = 0;
};

}  // namespace trilane
