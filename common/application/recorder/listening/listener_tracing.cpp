// Starts and stops the tracer.
#include <algorithm>
#include <limits>
#include <vector>

#include "common/application/finding/call_fingerprint.hpp"
#include "common/application/iteration/clock.hpp"
#include "common/application/recorder/driver/driver_functions.hpp"
#include "common/application/recorder/listening/ends_of_work.hpp"
#include "common/application/recorder/listening/listener.hpp"
#include "common/base/text/exit_code.hpp"

namespace trilane {
namespace {

/// Limit for the device to become idle.
constexpr double longest_rest_us = 1e6;

}  // namespace

/// A recording without device times says when calls were made, but not when the device worked.
void Listener::start_tracer() {
  trace_ = Trace::under_way;
  try {
    device_times_.start();
  } catch (const NotPossible&) {
    device_times_.stop();
  }
}

/// Returns true if the tracer may stop within this call, or has to. CUPTI crashes later if it stops
/// within a call that it has yet to record.
bool Listener::may_stop_tracer(const ObservedCall& call, ListeningStage next) {
  return next == looking_ || ends_work(call) || ++late_calls_ > most_late_calls;
}

/// CUPTI does not know yet of pending operations.
void Listener::stop_tracer() {
  const bool clean = recorder_.traced_all() && late_calls_ <= most_late_calls && device_is_done();
  trace_ = end_trace() && clean ? Trace::clean : Trace::broken;
}

/// Asks nothing of the device: at the application's end its streams may be gone. Returns true if
/// the records could be read.
bool Listener::end_trace() {
  device_times_.stop();
  // Each launch takes longer from now on.
  recorder_.skip_times(std::numeric_limits<std::uint64_t>::max());
  try {
    recorder_.device_times(device_times_.take());
  } catch (const NotPossible&) {
    return false;
  }
  return true;
}

/// Asks without waiting for the device. Waiting may need a thread that waits for this one, would
/// end a capture, and would never end if a kernel runs permanently beside the loop.
bool Listener::device_is_done() const {
  const auto ask = driver_functions().stream_query;
  if (ask == nullptr || recorder_.latest() == nullptr) return true;
  if (!captured_.empty()) return false;
  const std::vector<std::uint64_t> streams = recorder_.live_streams();
  const double end_us = recorder_now_us() + longest_rest_us;
  return std::ranges::all_of(streams, [&](std::uint64_t stream) {
    CUresult answer = CUDA_ERROR_NOT_READY;
    do answer = ask(reinterpret_cast<CUstream>(stream));
    while (answer == CUDA_ERROR_NOT_READY && recorder_now_us() < end_us);
    return answer == CUDA_SUCCESS;
  });
}

}  // namespace trilane
