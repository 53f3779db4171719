#include "common/measure/context/nvml.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <memory>
#include <set>

#include "common/measure/context/nvml_session.hpp"
#include "common/model/results/clock_limiter.hpp"

namespace trilane {
namespace {

using nvml::Session, nvml::success, nvml::insufficient_size;

// The NVML getters, and the formats of their values. Numbers and names are from NVML's API
// reference, because the CUDA toolkit may come without nvml.h.

std::string plain(unsigned value) { return fmt::to_string(value); }
std::string watts(unsigned milliwatts) { return fmt::format("{:.1f}", milliwatts / 1000.0); }
std::string on_off(unsigned value) { return value == 0 ? "off" : "on"; }

std::string compute_mode(unsigned value) {
  constexpr std::array words = {"default", "exclusive thread", "prohibited", "exclusive process"};
  return value < words.size() ? words[value] : plain(value);
}

std::string limiters(unsigned long long mask) {
  std::string set;
  for (int bit = 0; bit < 64; ++bit) {
    if ((mask >> bit & 1) == 0) continue;
    const std::string known = name_of(static_cast<ClockLimiter>(bit));
    if (!set.empty()) set += ", ";
    set += known.empty() ? fmt::format("bit {}", bit) : known;
  }
  return set.empty() ? "none" : set;
}

/// A getter's parameters besides device and result: none, a selector before the result, or a second
/// result (the mode after the next reboot).
enum class Shape { simple, selected, paired };

struct Getter {
  const char *name, *function;
  std::string (*words)(unsigned) = plain;
  Shape shape = Shape::simple;
  int selector = 0;
};

constexpr int clock_sm = 1, clock_memory = 2, sensor_gpu = 0;

constexpr Getter identity_getters[] = {
    {"sm_clock_max_mhz", "nvmlDeviceGetMaxClockInfo", plain, Shape::selected, clock_sm},
    {"memory_clock_max_mhz", "nvmlDeviceGetMaxClockInfo", plain, Shape::selected, clock_memory},
    {"power_limit_w", "nvmlDeviceGetEnforcedPowerLimit", watts},
    {"pcie_generation_max", "nvmlDeviceGetMaxPcieLinkGeneration"},
    {"pcie_width_max", "nvmlDeviceGetMaxPcieLinkWidth"},
    {"persistence_mode", "nvmlDeviceGetPersistenceMode", on_off},
    {"compute_mode", "nvmlDeviceGetComputeMode", compute_mode},
    {"ecc_mode", "nvmlDeviceGetEccMode", on_off, Shape::paired},
    {"mig_mode", "nvmlDeviceGetMigMode", on_off, Shape::paired},
};
constexpr Getter state_getters[] = {
    {"sm_clock_mhz", "nvmlDeviceGetClockInfo", plain, Shape::selected, clock_sm},
    {"memory_clock_mhz", "nvmlDeviceGetClockInfo", plain, Shape::selected, clock_memory},
    {"temperature_c", "nvmlDeviceGetTemperature", plain, Shape::selected, sensor_gpu},
    {"power_w", "nvmlDeviceGetPowerUsage", watts},
    {"pcie_generation", "nvmlDeviceGetCurrPcieLinkGeneration"},
    {"pcie_width", "nvmlDeviceGetCurrPcieLinkWidth"},
};

// From NVML's API reference, as in nvml_session.hpp.
struct ProcessInfo {
  unsigned pid;
  unsigned long long memory;
  unsigned gpu_instance, compute_instance;
};

void add(Session& session, std::vector<Property>& list, const char* name, int code,
         const std::string& value) {
  // A missing device is already noted.
  list.emplace_back(name, session.found() && session.good(name, code) ? value : "");
}

void get(Session& session, std::vector<Property>& list, const Getter& getter) {
  unsigned value = 0, pending = 0;
  int code = success;
  switch (getter.shape) {
    case Shape::simple: code = session.about_device(getter.function, &value); break;
    case Shape::selected:
      code = session.about_device(getter.function, getter.selector, &value);
      break;
    case Shape::paired: code = session.about_device(getter.function, &value, &pending); break;
  }
  add(session, list, getter.name, code, getter.words(value));
}

void read(Session& session, NvmlReading& reading) {
  std::array<char, 96> text = {};  // NVML never needs more than 96
  const auto size = static_cast<unsigned>(text.size());
  int code = session.about_device("nvmlDeviceGetUUID", text.data(), size);
  add(session, reading.identity, "uuid", code, text.data());
  text = {};
  code = session.about_system("nvmlSystemGetDriverVersion", text.data(), size);
  add(session, reading.identity, "driver_version", code, text.data());
  for (const Getter& getter : identity_getters) get(session, reading.identity, getter);
  for (const Getter& getter : state_getters) get(session, reading.state, getter);
  unsigned long long mask = 0;
  code = session.about_device("nvmlDeviceGetCurrentClocksEventReasons", &mask);
  add(session, reading.state, "clocks_limited_by", code, limiters(mask));
}

std::set<unsigned> processes(Session& session) {
  std::set<unsigned> pids;
  for (const char* kind : {"Compute", "Graphics", "MPSCompute"}) {
    const std::string function = fmt::format("nvmlDeviceGet{}RunningProcesses_v3", kind);
    std::vector<ProcessInfo> infos(64);
    int code = insufficient_size;
    auto count = static_cast<unsigned>(infos.size());
    // Processes may start between two calls, so the size may be too small again.
    for (int attempt = 0; attempt < 4 && code == insufficient_size; ++attempt) {
      if (count > infos.size()) infos.resize(count + 16);
      count = static_cast<unsigned>(infos.size());
      code = session.about_device(function.c_str(), &count, infos.data());
    }
    if (code == success) {
      for (unsigned i = 0; i < count; ++i) pids.insert(infos[i].pid);
    } else if (code != nvml::not_supported && session.found()) {
      session.good(function, code);
    }
  }
  return pids;
}

}  // namespace

NvmlReading read_nvml(const std::string& pci_bus_id, const NvmlLookup& lookup) {
  NvmlReading reading;
  Session session(lookup, reading.notes, pci_bus_id);
  read(session, reading);
  reading.other_processes = describe_others(processes(session), reading.notes);
  return reading;
}

NvmlReading read_nvml(const std::string& pci_bus_id, const char* library) {
  const std::unique_ptr<void, int (*)(void*)> handle(dlopen(library, RTLD_NOW), dlclose);
  if (handle) {
    return read_nvml(pci_bus_id, [&](const char* name) { return dlsym(handle.get(), name); });
  }
  const std::string reason = dlerror();
  NvmlReading reading = read_nvml(pci_bus_id, [](const char*) -> void* { return nullptr; });
  reading.notes = {"NVML: " + reason};
  return reading;
}

}  // namespace trilane
