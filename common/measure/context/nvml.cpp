#include "common/measure/context/nvml.hpp"

#include <unistd.h>

#include "common/base/system/library.hpp"
#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/model/results/clock_limiter.hpp"

namespace trilane {
namespace {

// From NVML's API reference: the CUDA toolkit may come without nvml.h.
constexpr int success = 0, not_supported = 3, insufficient_size = 7, function_not_found = 13;

/// A session that lives as long as the object. What cannot be read becomes a note.
class Session : boost::noncopyable {
 public:
  /// Both must outlive the session.
  Session(const NvmlLookup& lookup, std::vector<std::string>& notes, const std::string& bus_id)
      : lookup_(lookup), notes_(notes) {
    initialised_ = good("nvmlInit_v2", call("nvmlInit_v2"));
    if (!initialised_) return;
    const int code = call("nvmlDeviceGetHandleByPciBusId_v2", bus_id.c_str(), &device_);
    found_ = good("device " + bus_id, code);
  }
  ~Session() {
    if (initialised_) call("nvmlShutdown");
  }

  /// Returns true if NVML knows the device. If not, a note says why.
  bool found() const { return found_; }

  /// Calls a system function. The arguments must have the exact types of its C declaration.
  template <typename... Arguments>
  int about_system(const char* function, Arguments... arguments) {
    return found_ ? call(function, arguments...) : not_supported;
  }

  /// Calls a device function; the device is its first argument.
  template <typename... Arguments>
  int about_device(const char* function, Arguments... arguments) {
    return about_system(function, device_, arguments...);
  }

  /// Returns true if the code is success; adds a note otherwise.
  bool good(const std::string& what, int code) {
    if (code == success) return true;
    using ErrorString = const char* (*)(int);
    const auto words = reinterpret_cast<ErrorString>(lookup_("nvmlErrorString"));
    notes_.push_back(
        fmt::format("NVML: {}: {}", what, words ? words(code) : fmt::format("error {}", code)));
    return false;
  }

 private:
  template <typename... Arguments>
  int call(const char* function, Arguments... arguments) {
    using Function = int (*)(Arguments...);
    const auto address = reinterpret_cast<Function>(lookup_(function));
    return address ? address(arguments...) : function_not_found;
  }

  const NvmlLookup& lookup_;
  std::vector<std::string>& notes_;
  void* device_ = nullptr;
  bool initialised_ = false, found_ = false;
};

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

/// A getter's parameters besides device and result: none, a selector, or a second result.
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
    } else if (code != not_supported && session.found()) {
      session.good(function, code);
    }
  }
  return pids;
}

struct MemoryInfo {
  unsigned version;
  unsigned long long total, reserved, free, used;
};
struct Utilization {
  unsigned gpu, memory;
};

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

/// Returns true if kernels still run once NVML has forgotten those of an ended program.
bool stays_busy(Session& session) {
  constexpr std::chrono::milliseconds step(100), longest(1500);
  for (auto waited = step.zero(); waited < longest; waited += step) {
    if (!busy(session)) return false;
    std::this_thread::sleep_for(step);
  }
  return true;
}

NvmlLookup lookup_in(const Library& nvml) {
  return [&nvml](const char* name) -> void* { return nvml.function(name).address; };
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
  const Library nvml({library}, Library::Unload::in_destructor);
  NvmlReading reading = read_nvml(pci_bus_id, lookup_in(nvml));
  if (!nvml) reading.notes = {"NVML: " + nvml.reason()};
  return reading;
}

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
  const Library nvml({library}, Library::Unload::in_destructor);
  return signs_of_others(pci_bus_id, lookup_in(nvml));
}

std::vector<std::string> describe_others(std::set<unsigned> pids, std::vector<std::string>& notes,
                                         const std::filesystem::path& root) {
  std::vector<std::string> others;
  if (pids.empty()) return others;
  const bool ours = pids.erase(static_cast<unsigned>(getpid())) > 0;
  if (!ours) {
    notes.push_back(
        "GPU processes are numbered in another pid namespace: one of them may be this program");
  }
  for (const unsigned pid : pids) {
    std::string name;
    if (ours) {
      std::ifstream file(root / "proc" / fmt::to_string(pid) / "comm");
      std::getline(file, name);
    }
    others.push_back(name.empty() ? fmt::to_string(pid)
                                  : fmt::format("{} {}", pid, printable(name)));
  }
  return others;
}

}  // namespace trilane
