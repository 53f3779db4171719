// Writes the recording, from the listener's own thread and at the end of the application.
#include <signal.h>

#include <chrono>
#include <exception>

#include "common/application/iteration/recording_file.hpp"
#include "common/application/recorder/driver/driver_functions.hpp"
#include "common/application/recorder/driver/own_process.hpp"
#include "common/application/recorder/listening/listener_guard.hpp"
#include "common/application/recorder/replaying/replaced_file.hpp"

namespace trilane {
namespace {

constexpr auto longest_wait = std::chrono::seconds(2);

/// Returns a thread that takes no signals of the application.
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

/// Called whenever more is known, in case the application crashes.
void Listener::write_soon() {
  const std::lock_guard lock(waiting_);
  ++asked_;
  if (!ending_ && !writer_.joinable()) {
    writer_ = without_signals([this] { guarded([&] { write_when_asked(); }); });
  }
  changed_.notify_all();
}

void Listener::write_when_asked() {
  {
    const std::unique_lock lock(mutex_, longest_wait);
    const auto set_current = driver_functions().ctx_set_current;
    if (lock && context_ != nullptr && set_current != nullptr) set_current(context_);
  }
  for (std::uint32_t written = 0;;) {
    std::unique_lock lock(waiting_);
    changed_.wait(lock, [&] { return ending_ || asked_ != written; });
    if (ending_) return;
    written = asked_;
    lock.unlock();
    write();
  }
}

void Listener::end_writer() {
  std::thread writer;
  {
    const std::lock_guard lock(waiting_);
    ending_ = true;
    writer.swap(writer_);
  }
  changed_.notify_all();
  if (writer.joinable()) writer.join();
}

void Listener::write() {
  ApplicationRecording recording;
  {
    // The lock is held for ever if a thread was ended within a callback, and for long during a
    // replay. The file then keeps its content.
    const std::unique_lock lock(mutex_, longest_wait);
    if (!lock) return;
    recording = recorder_.recording();
    // No call to the driver while CUPTI leaves.
    recording.machine = own_machine();
  }
  try {
    replace_file(path_, recording_to_json(recording));
  } catch (const std::exception& error) {
    note_problem(page_, RecorderProblem::not_written, error.what());
  }
}

void Listener::finish() {
  if (silent_ && !left_) return;
  guarded([&] {
    end_writer();
    if (!left_ && !end_listening()) return;
    // A process that only asked for the device leaves its place to one that uses it.
    if (page_.calls == 0) {
      page_.recorded = 0;
    } else {
      write();
    }
    page_.finished = 1;
  });
}

/// Returns true if it could be ended.
bool Listener::end_listening() {
  const std::unique_lock lock(mutex_, longest_wait);
  if (!lock) return false;
  silent_ = true;
  replay_.application_ends(recorder_);
  if (device_times_.running()) end_trace();
  subscription_.end();
  return true;
}

}  // namespace trilane
