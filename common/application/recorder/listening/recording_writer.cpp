// The listener's own thread, and the end of the application: both write the recording.
#include <signal.h>

#include <chrono>
#include <exception>

#include "common/application/recorder/driver/driver_functions.hpp"
#include "common/application/recorder/driver/own_process.hpp"
#include "common/application/recorder/listening/listener_guard.hpp"
#include "common/application/recorder/status/replaced_file.hpp"
#include "common/application/recording/file/recording_file.hpp"

namespace trilane {
namespace {

/// Until operations that were issued have ended on the device, and CUPTI knows of it.
constexpr auto until_done = std::chrono::milliseconds(200);
constexpr auto longest_wait = std::chrono::seconds(2);

/// A thread that takes no signal of the application's.
template <typename Action>
std::thread without_signals(Action action) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread(std::move(action));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

}  // namespace

void Listener::write_later() {
  if (writer_.joinable()) return;  // once: what comes later is written at the end
  writer_ = without_signals([this] {
    guarded([&] {
      if (context_ != nullptr && driver_functions().ctx_set_current != nullptr)
        driver_functions().ctx_set_current(context_);
      write();  // in case the application crashes
      {
        std::unique_lock lock(waiting_);
        changed_.wait(lock, [&] { return ending_ || traced_; });
        changed_.wait_for(lock, until_done, [&] { return ending_; });
      }
      take_device_times();
      write();
      leave();
    });
  });
}

/// The recording is complete. CUPTI goes, for what it has traced goes on to cost time; where it
/// cannot, only the subscription ends, see Subscription::detach().
void Listener::leave() {
  const std::lock_guard lock(mutex_);
  era_.fetch_add(1, std::memory_order_relaxed);
  if (recorder_.ending_function() == 0) subscription_.enable_all();  // no call ends a range
  ordered_ = Order::leave;
}

void Listener::take_device_times() {
  {
    const std::lock_guard lock(mutex_);
    if (!to_be_taken_) return;
    to_be_taken_ = false;
  }
  const std::vector<DeviceTime> times = device_times_.take();
  const std::lock_guard lock(mutex_);
  recorder_.device_times(times);
}

void Listener::write() {
  ApplicationRecording recording;
  {
    const std::lock_guard lock(mutex_);
    recording = recorder_.recording();
  }
  recording.machine = own_machine();
  try {
    replace_file(path_, recording_to_json(recording));
  } catch (const std::exception& error) {
    note_problem(page_, RecorderProblem::not_written, error.what());
  }
}

void Listener::finish() {
  if (left_) page_.finished = 1;
  if (silent_) return;
  // Held for good if a thread was ended within a callback: then the file keeps what it has.
  if (!mutex_.try_lock_for(longest_wait)) return;
  silent_ = true;
  guarded([&] { replay_.application_ends(recorder_); });
  if (device_times_.running()) {
    device_times_.stop();
    to_be_taken_ = true;
  }
  mutex_.unlock();
  guarded([&] {
    {
      const std::lock_guard lock(waiting_);
      ending_ = true;
    }
    changed_.notify_all();
    if (writer_.joinable()) writer_.join();
    take_device_times();
    subscription_.end();
    // A process that only asked for the device leaves its place to one that uses it.
    if (page_.calls == 0) {
      page_.recorded = 0;
    } else {
      write();
    }
  });
  page_.finished = 1;
}

}  // namespace trilane
