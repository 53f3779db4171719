#include "common/context/nvml.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <memory>
#include <set>

#include "common/context/nvml_getters.hpp"

namespace trilane {
namespace {

// From NVML's API reference: the CUDA toolkit may come without nvml.h.
constexpr int success = 0, not_supported = 3, insufficient_size = 7, function_not_found = 13;
struct ProcessInfo {
  unsigned pid;
  unsigned long long memory;
  unsigned gpu_instance, compute_instance;
};

/// Fills a reading with what NVML and the device report.
class Session {
 public:
  Session(const NvmlLookup& lookup, NvmlReading& reading) : lookup_(lookup), reading_(reading) {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() {
    if (initialised_) call("nvmlShutdown");
  }

  void open(const std::string& pci_bus_id) {
    initialised_ = good("nvmlInit_v2", call("nvmlInit_v2"));
    if (!initialised_) return;
    const int code = call("nvmlDeviceGetHandleByPciBusId_v2", pci_bus_id.c_str(), &device_);
    found_ = good("device " + pci_bus_id, code);
  }

  void read() {
    std::array<char, 96> text = {};  // NVML asks for 96 at most
    const auto size = static_cast<unsigned>(text.size());
    int code = query("nvmlDeviceGetUUID", device_, text.data(), size);
    add(reading_.identity, "uuid", code, text.data());
    text = {};
    code = query("nvmlSystemGetDriverVersion", text.data(), size);
    add(reading_.identity, "driver_version", code, text.data());
    for (const nvml::Getter& getter : nvml::identity_getters) get(reading_.identity, getter);
    for (const nvml::Getter& getter : nvml::state_getters) get(reading_.state, getter);
    unsigned long long mask = 0;
    code = query("nvmlDeviceGetCurrentClocksEventReasons", device_, &mask);
    add(reading_.state, "clocks_limited_by", code, nvml::limiters(mask));
  }

  std::set<unsigned> processes() {
    std::set<unsigned> pids;
    for (const char* kind : {"Compute", "Graphics", "MPSCompute"}) {
      const std::string function = fmt::format("nvmlDeviceGet{}RunningProcesses_v3", kind);
      std::vector<ProcessInfo> infos(64);
      int code = insufficient_size;
      auto count = static_cast<unsigned>(infos.size());
      // Processes may start between two calls, so that the size is too small again.
      for (int attempt = 0; attempt < 4 && code == insufficient_size; ++attempt) {
        if (count > infos.size()) infos.resize(count + 16);
        count = static_cast<unsigned>(infos.size());
        code = query(function.c_str(), device_, &count, infos.data());
      }
      if (code == success) {
        for (unsigned i = 0; i < count; ++i) pids.insert(infos[i].pid);
      } else if (code != not_supported && found_) {
        good(function, code);
      }
    }
    return pids;
  }

 private:
  /// The arguments must have the exact types of the function's C declaration, int for enumerations.
  template <typename... Arguments>
  int call(const char* function, Arguments... arguments) {
    using Function = int (*)(Arguments...);
    const auto address = reinterpret_cast<Function>(lookup_(function));
    return address ? address(arguments...) : function_not_found;
  }

  template <typename... Arguments>
  int query(const char* function, Arguments... arguments) {
    return found_ ? call(function, arguments...) : not_supported;
  }

  bool good(const std::string& what, int code) {
    if (code == success) return true;
    using ErrorString = const char* (*)(int);
    const auto words = reinterpret_cast<ErrorString>(lookup_("nvmlErrorString"));
    reading_.notes.push_back(
        fmt::format("NVML: {}: {}", what, words ? words(code) : fmt::format("error {}", code)));
    return false;
  }

  void get(std::vector<Property>& list, const nvml::Getter& getter) {
    unsigned value = 0, pending = 0;
    int code = success;
    switch (getter.shape) {
      case nvml::Shape::simple: code = query(getter.function, device_, &value); break;
      case nvml::Shape::selected:
        code = query(getter.function, device_, getter.selector, &value);
        break;
      case nvml::Shape::paired: code = query(getter.function, device_, &value, &pending); break;
    }
    add(list, getter.name, code, getter.words(value));
  }

  void add(std::vector<Property>& list, const char* name, int code, const std::string& value) {
    // Without a device there is already a note that says so.
    list.emplace_back(name, found_ && good(name, code) ? value : "");
  }

  const NvmlLookup& lookup_;
  NvmlReading& reading_;
  void* device_ = nullptr;
  bool initialised_ = false, found_ = false;
};

}  // namespace

NvmlReading read_nvml(const std::string& pci_bus_id, const NvmlLookup& lookup) {
  NvmlReading reading;
  Session session(lookup, reading);
  session.open(pci_bus_id);
  session.read();
  reading.other_processes = describe_others(session.processes(), reading.notes);
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
