// The recorder's core: takes an application's calls one by one, finds its iteration, and makes the
// recording. It knows no CUDA.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/application/iteration/observed_call.hpp"
#include "common/application/iteration/records/application_recording.hpp"
#include "common/application/iteration/surroundings.hpp"

namespace trilane {

struct RecorderSettings {
  std::string application = {};   ///< its command line
  std::string range;              ///< NVTX range that is the iteration; empty: what repeats
  std::uint32_t repetitions = 5;  ///< equal ones before an iteration counts as found
  std::uint32_t confirmed = 5;    ///< further ones before only its end is watched
  /// Those whose device times are taken, of which the first only starts the tracer.
  std::uint32_t traced = 6;
  bool with_data = false;  ///< the recording gets ApplicationRecording::data
};

/// What the listener shall do from now on.
enum class Looking : std::uint8_t {
  for_iteration,  ///< hand over every call
  at_host,        ///< the same, and keep the runtime's time apart: TimeBefore::outside_us
  at_devices,     ///< hand over every call, and take device times
  at_ends,        ///< hand over only the calls that may end an iteration, see ending_function()
};

/// When an operation ran on the device, on the host's clock.
struct DeviceTime {
  std::uint32_t correlation = 0;
  double start_us = 0, end_us = 0;
};

/// One iteration's calls with handles, addresses and argument bytes, as a replay needs them.
struct ObservedIteration {
  std::vector<ObservedCall> calls;                      ///< spans lie in `arguments`
  std::vector<std::unique_ptr<std::byte[]>> arguments;  ///< owns the bytes
};

class ApplicationRecorder {
 public:
  ApplicationRecorder(Surroundings& surroundings, RecorderSettings settings);
  ~ApplicationRecorder();

  /// Takes a call that has returned, from any thread, in the order in which calls end. Costs some
  /// 100 to 250 ns, at_ends 20. Returns what to do next: an iteration that does not go on before
  /// it is confirmed is left, and the look starts again. At_ends it is not checked any more.
  /// At_ends allocations and frees may still come, so that live_memory() stays right.
  Looking observe(const ObservedCall& call);
  /// The application has destroyed a stream, unloaded kernels, or reset a context, which does both:
  /// their handles may come again.
  void stream_destroyed(std::uint64_t stream);
  void kernels_unloaded();
  void context_reset();
  /// A capture has ended while every call was handed over: well, or not because of that call.
  void capture_ended(const std::optional<BrokenCapture>& broken);
  /// Takes the start and end of an NVTX range of the calling thread.
  Looking range_begins(const char* name, double now_us);
  Looking range_ends(double now_us);
  /// At_ends, where an iteration begins: device times of some iterations shall be taken. Once; then
  /// nothing changes. An iteration that does not go on meanwhile stays what is known.
  Looking trace_devices(double now_us);
  /// Takes what listening costs. Before that, nothing is left out for it.
  void listening_costs(const ListeningCosts& costs);
  /// At_ends: one more repetition of the iteration, of which every call was taken elsewhere. What
  /// has another value in it than in latest() varies.
  void also_seen(const ObservedIteration& iteration);
  /// No device times are wanted, or no more: gives back what is kept for them. Nothing at other
  /// times than at_ends.
  void trace_nothing();
  /// Whether as many iterations were traced as the settings say.
  bool traced_all() const;
  /// Takes device times of the calls at_devices, in any order.
  void device_times(std::span<const DeviceTime> times);

  /// With Looking::at_ends: the number of the function whose calls end an iteration. Each call
  /// counts, because an iteration may have several. 0 where a range is the iteration: its end is
  /// enough.
  std::uint32_t ending_function() const;
  /// Whether the call or the range's end that this thread has just handed over ended an iteration,
  /// at_devices or at_ends.
  bool at_iteration_end() const;
  /// Whether the range whose beginning this thread has just handed over is the iteration.
  bool at_iteration_begin() const;

  /// At_ends: so many iterations are not timed, from the one under way on, because the listener
  /// lengthens them.
  void skip_times(std::uint64_t iterations);

  /// CUPTI, by being in the process, makes an iteration so much longer.
  void cupti_added(double us);

  /// The last iteration whose calls were all handed over; valid until the next one ends. Null until
  /// there is one, at_ends.
  const ObservedIteration* latest() const;
  /// What is known so far; also without an iteration.
  ApplicationRecording recording() const;
  /// Memory that the application has allocated and not freed, by address.
  std::vector<MemoryFacts> live_memory() const;
  /// Streams that calls have named and that the application has not destroyed. At_ends no more are
  /// noted.
  std::vector<std::uint64_t> live_streams() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace trilane
