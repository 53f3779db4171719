#include "common/application/recorder/listening/recording_writer.hpp"

#include <signal.h>

#include <exception>
#include <utility>

#include "common/application/iteration/recording_file.hpp"
#include "common/application/recorder/driver/driver_functions.hpp"
#include "common/application/recorder/driver/own_process.hpp"

namespace trilane {
namespace {

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

RecordingWriter::RecordingWriter(RecorderStatus& page, std::string path,
                                 const ApplicationRecorder& recorder, ListenerGuard& guard)
    : page_(page), path_(std::move(path)), recorder_(recorder), guard_(guard) {}

void RecordingWriter::write_soon() {
  const std::lock_guard lock(waiting_);
  ++asked_;
  if (!ending_ && !thread_.joinable()) {
    thread_ = without_signals([this] { guard_.run([&] { write_when_asked(); }); });
  }
  changed_.notify_all();
}

void RecordingWriter::write_when_asked() {
  {
    const auto lock = guard_.lock_soon();
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

void RecordingWriter::end() {
  std::thread thread;
  {
    const std::lock_guard lock(waiting_);
    ending_ = true;
    thread.swap(thread_);
  }
  changed_.notify_all();
  if (thread.joinable()) thread.join();
}

void RecordingWriter::write() {
  ApplicationRecording recording;
  {
    const auto lock = guard_.lock_soon();
    if (!lock) return;  // the file keeps its content
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

}  // namespace trilane
