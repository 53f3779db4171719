#include <dlfcn.h>
#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <optional>
#include <thread>

#include "common/base/text/size.hpp"
#include "common/measure/context/nvml.hpp"
#include "common/measure/context/nvml_session.hpp"

namespace trilane {
namespace {

using nvml::Session, nvml::success;

// From NVML's API reference, as in nvml_session.hpp.
struct MemoryInfo {
  unsigned version;
  unsigned long long total, reserved, free, used;
};
struct Utilization {
  unsigned gpu, memory;
};

/// Returns the memory in use, without what the driver reserves.
std::optional<std::uint64_t> memory_in_use(Session& session) {
  constexpr unsigned version = static_cast<unsigned>(sizeof(MemoryInfo)) | 2u << 24;
  MemoryInfo info{version, 0, 0, 0, 0};
  const int code = session.about_device("nvmlDeviceGetMemoryInfo_v2", &info);
  return code == success ? std::optional<std::uint64_t>(info.used) : std::nullopt;
}

/// Returns true if kernels ran in NVML's last period, which is at most a second.
bool busy(Session& session) {
  Utilization use{0, 0};
  return session.about_device("nvmlDeviceGetUtilizationRates", &use) == success && use.gpu > 0;
}

/// Returns true if kernels still run once NVML has forgotten those of a program that has just
/// ended.
bool stays_busy(Session& session) {
  constexpr std::chrono::milliseconds step(100), longest(1500);
  for (auto waited = step.zero(); waited < longest; waited += step) {
    if (!busy(session)) return false;
    std::this_thread::sleep_for(step);
  }
  return true;
}

}  // namespace

std::vector<std::string> signs_of_others(const std::string& pci_bus_id, const NvmlLookup& lookup) {
  constexpr std::uint64_t idle_bytes = 64 << 20;  // less than one context takes
  std::vector<std::string> notes;                 // read_nvml() later reports the same
  Session session(lookup, notes, pci_bus_id);
  std::vector<std::string> signs;
  const std::uint64_t bytes = memory_in_use(session).value_or(0);
  if (bytes > idle_bytes) signs.push_back(format_bytes(bytes) + " of its memory in use before");
  if (stays_busy(session)) signs.emplace_back("kernels ran before");
  return signs;
}

std::vector<std::string> signs_of_others(const std::string& pci_bus_id, const char* library) {
  const std::unique_ptr<void, int (*)(void*)> handle(dlopen(library, RTLD_NOW), dlclose);
  return signs_of_others(pci_bus_id, [&](const char* name) -> void* {
    return handle ? dlsym(handle.get(), name) : nullptr;
  });
}

}  // namespace trilane
