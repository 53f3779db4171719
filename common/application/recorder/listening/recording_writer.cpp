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
      std::unique_lock lock(waiting_);
      changed_.wait(lock, [&] { return ending_ || gone_; });
      if (!gone_) return;
      lock.unlock();
      write();
    });
  });
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
  if (!left_) {
    if (silent_) return;
    // Held for good if a thread was ended within a callback: then the file keeps what it has.
    if (!mutex_.try_lock_for(longest_wait)) return;
    silent_ = true;
    guarded([&] {
      replay_.application_ends(recorder_);
      if (device_times_.running()) stop_tracer();
    });
    mutex_.unlock();
  }
  guarded([&] {
    {
      const std::lock_guard lock(waiting_);
      ending_ = true;
    }
    changed_.notify_all();
    if (writer_.joinable()) writer_.join();
    if (left_) return;
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
