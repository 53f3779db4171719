#include "common/application/recorder/listening/listener.hpp"

#include "common/application/iteration/recording_file.hpp"

namespace trilane {
namespace {

/// Returns what follows `key` and a colon in the first line of a file that holds both.
std::string value_of(const char* file, std::string_view key) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t found = line.find(key), colon = line.find(':', found);
    if (found == std::string::npos || colon == std::string::npos) continue;
    const std::size_t start = line.find_first_not_of(" \t", colon + 1);
    return start == std::string::npos ? "" : line.substr(start);
  }
  return {};
}

/// Returns "580.95.05" for "NVIDIA UNIX x86_64 Kernel Module  580.95.05  Tue ...".
std::string driver_version() {
  std::istringstream words(value_of("/proc/driver/nvidia/version", "NVRM version"));
  for (std::string word; words >> word;) {
    if (word.front() >= '0' && word.front() <= '9') return word;
  }
  return {};
}

std::optional<Multiprocessors> multiprocessors_of(CUdevice device) {
  bool known = true;
  const auto asked = [&](CUdevice_attribute attribute) {
    int value = 0;
    known = known &&
            driver_functions().cuDeviceGetAttribute(&value, attribute, device) == CUDA_SUCCESS &&
            value >= 0;
    return static_cast<std::uint32_t>(value);
  };
  const Multiprocessors all{
      .count = asked(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
      .threads = asked(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR),
      .blocks = asked(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR),
      .registers = asked(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR),
      .shared_bytes = asked(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR),
      .reserved_bytes = asked(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK)};
  return known ? std::optional(all) : std::nullopt;
}

RecordedMachine own_machine() {
  const DriverFunctions& driver = driver_functions();
  RecordedMachine machine;
  char name[256] = {};
  CUdevice device = 0;
  int version = 0;
  if (driver.cuCtxGetDevice(&device) == CUDA_SUCCESS &&
      driver.cuDeviceGetName(name, sizeof name - 1, device) == CUDA_SUCCESS) {
    machine.gpu = name;
    machine.multiprocessors = multiprocessors_of(device);
  }
  if (driver.cuDriverGetVersion(&version) == CUDA_SUCCESS)
    machine.cuda = fmt::format("{}.{}", version / 1000, version % 1000 / 10);
  machine.driver = driver_version();
  machine.host = value_of("/proc/cpuinfo", "model name");
  return machine;
}

}  // namespace

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
    if (lock && context_ != nullptr) driver_functions().cuCtxSetCurrent(context_);
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
    recording.resources = resources_.recorded();
    // No call to the driver while CUPTI leaves.
    recording.machine = own_machine();
  }
  replace_file(page_, path_, [&] { return recording_to_json(recording); });
}

}  // namespace trilane
