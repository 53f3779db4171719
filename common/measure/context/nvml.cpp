#include "common/measure/context/nvml.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <memory>
#include <set>

#include "common/measure/context/nvml_getters.hpp"
#include "common/measure/context/nvml_session.hpp"

namespace trilane {
namespace {

using nvml::Session, nvml::success, nvml::insufficient_size;

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

void get(Session& session, std::vector<Property>& list, const nvml::Getter& getter) {
  unsigned value = 0, pending = 0;
  int code = success;
  switch (getter.shape) {
    case nvml::Shape::simple: code = session.about_device(getter.function, &value); break;
    case nvml::Shape::selected:
      code = session.about_device(getter.function, getter.selector, &value);
      break;
    case nvml::Shape::paired: code = session.about_device(getter.function, &value, &pending); break;
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
  for (const nvml::Getter& getter : nvml::identity_getters) get(session, reading.identity, getter);
  for (const nvml::Getter& getter : nvml::state_getters) get(session, reading.state, getter);
  unsigned long long mask = 0;
  code = session.about_device("nvmlDeviceGetCurrentClocksEventReasons", &mask);
  add(session, reading.state, "clocks_limited_by", code, nvml::limiters(mask));
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
