// Entry point that the driver calls when the application first uses CUDA.
#include <pthread.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <utility>

#include "common/application/recorder/driver/own_process.hpp"
#include "common/application/recorder/listening/listener.hpp"
#include "common/application/recorder/nvtx_ranges.hpp"
#include "common/application/recorder/replaying/shared_page.hpp"

namespace trilane {
namespace {

// Never destroyed: threads of the application may call until the process is gone.
Listener* listener = nullptr;

std::string environment(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr ? "" : text;
}

double number_in(const char* name, double otherwise) {
  const std::string text = environment(name);
  return text.empty() ? otherwise : std::strtod(text.c_str(), nullptr);
}

/// Only one process is recorded: the application may start others, which inherit the environment.
bool is_the_one(RecorderStatus& page) {
  page.loaded.fetch_add(1);
  std::int32_t none = 0;
  if (page.recorded.compare_exchange_strong(none, getpid())) return true;
  page.ignored.fetch_add(1);
  return false;
}

void begin(RecorderStatus& page, const std::string& recording) {
  const std::string range = environment(range_variable);
  ReplaySettings replay;
  replay.seconds = number_in(replay_seconds_variable, replay.seconds);
  replay.repeats = static_cast<std::uint32_t>(number_in(replay_repeats_variable, 0));
  replay.most_snapshot_bytes = static_cast<std::uint64_t>(
      number_in(replay_bytes_variable, static_cast<double>(replay.most_snapshot_bytes)));
  RecorderSettings settings{.application = own_command_line(),
                            .range = range,
                            .with_data = !environment(data_variable).empty()};
  listener = new Listener(page, std::move(settings), recording,
                          ReplayStage(page, environment(replay_variable), replay));
  if (!listener->start()) return;
  if (!range.empty()) hand_ranges_to(*listener, range);
  pthread_atfork(nullptr, nullptr, [] { listener->fall_silent(); });
  // Registered after CUPTI's own handler, so that this runs before it.
  std::atexit([] { listener->finish(); });
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int InitializeInjection();

/// Returns 1 always: the application runs on, recorded or not.
int InitializeInjection() {
  RecorderStatus* const page = shared_page();
  const std::string recording = environment(recording_variable);
  if (page == nullptr || recording.empty() || listener != nullptr || !is_the_one(*page)) return 1;
  try {
    begin(*page, recording);
  } catch (const std::exception& error) {
    note_problem(*page, RecorderProblem::failed, error.what());
  }
  return 1;
}

}  // namespace trilane
