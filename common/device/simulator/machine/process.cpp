#include <fmt/format.h>

#include <atomic>
#include <cstdio>
#include <memory>
#include <utility>

#include "common/device/simulator/machine/machine.hpp"

namespace trilane::simulator {

/// The text of the profile that is built in; generated.
extern const char built_in_profile_json[];

namespace {

Settings standard() {
  Settings settings;
  settings.profile = built_in_profile();
  return settings;
}

/// The machine of this process; what it still holds at the end is told.
class Process {
 public:
  Process() : machine_(new Machine(standard())) {}

  ~Process() {
    // On a device that is lost nothing can be released.
    if (machine_->sticky != cudaSuccess) return;
    for (const std::string& leak : machine_->leaks()) {
      fmt::print(stderr, "trilane: simulated device: leaked: {}\n", leak);
    }
  }

  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  Machine& machine() { return *machine_; }
  void start_over(Settings settings) { machine_ = std::make_unique<Machine>(std::move(settings)); }

 private:
  std::unique_ptr<Machine> machine_;
};

Process& process() {
  static Process process;
  return process;
}

}  // namespace

std::uint64_t this_thread() {
  static std::atomic<std::uint64_t> threads = 0;
  thread_local const std::uint64_t number = ++threads;
  return number;
}

Machine& machine() { return process().machine(); }

void restart(Settings settings) { process().start_over(std::move(settings)); }

const Profile& built_in_profile() {
  static const Profile profile = read_profile(built_in_profile_json, "the built-in profile");
  return profile;
}

}  // namespace trilane::simulator
