// The recorder's core: takes an application's calls one by one, finds its iteration and makes the
// recording. It knows no CUDA.
#pragma once

#include "common/application/iteration/application_recording.hpp"
#include "common/application/iteration/observed_call.hpp"
#include "common/application/iteration/surroundings.hpp"

namespace trilane {

struct RecorderSettings {
  std::string application = {};   ///< its command line
  std::string range = {};         ///< NVTX range that is the iteration; empty: the repeating calls
                                  ///< are
  std::uint32_t repetitions = 5;  ///< equal iterations before one counts as found
  std::uint32_t confirmed = 5;    ///< further ones before only its end is watched
  /// Iterations with device times; the first of them only starts the tracer.
  std::uint32_t traced = 6;
  /// Limit of what is kept of calls, in bytes; copies of graphs have the same on the device.
  std::uint64_t most_bytes = std::uint64_t{512} << 20;
  bool with_data = false;  ///< the recording gets ApplicationRecording::data
  /// The only thread whose calls are recorded, from 1 in the order of first calls; 0: each is, or
  /// the one whose own calls repeat.
  std::uint32_t thread = 0;
};

/// The listener's task from now on.
enum class ListeningStage : std::uint8_t {
  search,   ///< hands over every call until an iteration is found
  confirm,  ///< the same, and measures the runtime's time: TimeBefore::outside_us
  trace,    ///< hands over every call, and takes device times
  watch,    ///< hands over only calls that may end an iteration, see ending_function()
};

struct CallGlance;

/// The time of an operation on the device, on the host's clock.
struct DeviceTime {
  std::uint32_t correlation = 0;
  double start_us = 0, end_us = 0;
};

/// One iteration's calls with handles, addresses and argument bytes, as a replay needs them.
struct ObservedIteration {
  std::vector<ObservedCall> calls;                        ///< spans lie in `arguments`
  std::vector<std::unique_ptr<std::byte[]>> arguments{};  ///< owns the bytes
};

/// Returns the numbers of the calls that free memory which the iteration has not allocated.
std::vector<std::size_t> inherited_frees(const ObservedIteration& iteration);

class ApplicationRecorder {
 public:
  ApplicationRecorder(Surroundings& surroundings, RecorderSettings settings);
  ~ApplicationRecorder();

  /// Takes a call that has returned, from any thread, in the order in which calls end, and returns
  /// what to do next. Costs some 100 to 250 ns; while watching, 20 ns.
  /// - If an unconfirmed iteration does not go on, it is dropped and the search starts again.
  /// - While watching it is no longer checked. Allocations and frees may still be passed, to keep
  ///   live_memory() correct.
  ListeningStage observe(const ObservedCall& call);
  /// Returns true if a glance at the next calls is enough, because nothing repeats; those that
  /// allocate, free or change graphs must be observed all the same.
  bool glances() const;
  /// Takes a call that has returned at a glance. Costs some 20 ns.
  void glance(const CallGlance& call);
  /// Must be called when the application has destroyed a stream, unloaded kernels, or reset a
  /// context, which does both: their handles may be reused.
  void stream_destroyed(std::uint64_t stream);
  void kernels_unloaded();
  void context_reset();
  /// Takes a capture that has ended, and calls with other effects on captures than to break one.
  void capture_ended(const ObservedCapture& capture);
  void capture_noted(const ObservedCaptureCall& call);
  /// Returns true if only the calls that may end an iteration are handed over.
  bool watches() const;
  /// Takes the start and end of an NVTX range of the calling thread.
  ListeningStage range_begins(const char* name, double now_us);
  ListeningStage range_ends(double now_us);
  /// While watching, where an iteration begins: requests device times of some iterations. Works
  /// once; later calls change nothing. If the iteration does not go on meanwhile, what is known of
  /// it stays.
  ListeningStage trace_devices(double now_us);
  /// Returns true while one iteration passes whose calls should have stacks: the first of those
  /// that confirm what was found.
  bool wants_stacks() const;
  /// Sets the cost of listening. Until then, times include it.
  void listening_costs(const ListeningCosts& costs);
  /// While watching: adds a repetition of the iteration whose calls were captured elsewhere. A
  /// value varies if it differs from that in latest().
  void also_seen(const ObservedIteration& iteration);
  /// Releases what is kept for device times, because none are wanted any more. Does nothing except
  /// while watching.
  void trace_nothing();
  /// Returns true if the number of iterations given by the settings has been traced.
  bool traced_all() const;
  /// Takes device times of traced calls, in any order.
  void device_times(std::span<const DeviceTime> times);

  /// Takes the lengths of operations that a replay timed, in us by call. They count unless device
  /// times were taken.
  void device_lengths(std::vector<std::optional<double>> us);

  /// While watching: returns the number of the function whose calls end an iteration. Each call
  /// counts, because an iteration may have several. Returns 0 if a range is the iteration: its end
  /// is enough.
  std::uint32_t ending_function() const;
  /// Returns true if the call or range end that this thread has just handed over ended an
  /// iteration, while tracing or watching.
  bool at_iteration_end() const;
  /// Returns true if the range start that this thread has just handed over begins the iteration.
  bool at_iteration_begin() const;

  /// While watching: excludes this many iterations from timing, starting with the one under way,
  /// because the listener lengthens them.
  void skip_times(std::uint64_t iterations);

  /// Returns the only thread whose calls are the iteration; 0: those of any thread are.
  std::uint64_t only_thread() const;
  /// While watching: searches again, for the calls of all threads, because the only thread needs
  /// others. Returns false, and does nothing, if their calls have not repeated together.
  bool join_threads();
  /// Returns true if a call of the thread may be one of the iteration.
  bool may_take(std::uint64_t thread) const;
  /// While watching: says that `others` other threads stand still from now on, except for those
  /// that make no calls. Times until now are those beside them.
  void is_alone(std::uint32_t others);
  /// While watching: lets iterations end one call of ending_function() earlier. Must be called if
  /// one began elsewhere, because others, or breaks between them, had more or fewer such calls.
  void move_end();

  /// Sets how much longer CUPTI's presence in the process makes an iteration.
  void cupti_added(double us);

  /// Returns the last iteration whose calls were all handed over; valid until the next one ends.
  /// Null until there is one, while watching.
  const ObservedIteration* latest() const;
  /// Returns what is known so far, even without an iteration.
  ApplicationRecording recording() const;
  /// While watching: returns the functions that only calls of the iteration use, as far as is
  /// known: none beside other threads, or if other calls may lie between iterations.
  std::set<std::uint32_t> own_functions() const;
  /// Returns memory that the application has allocated and not freed, by address.
  std::vector<MemoryFacts> live_memory() const;
  /// Returns streams that calls have named and that the application has not destroyed. While
  /// watching no more are noted.
  std::vector<std::uint64_t> live_streams() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace trilane
