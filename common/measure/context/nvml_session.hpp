// A session with NVML about one device.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "common/measure/context/nvml.hpp"

namespace trilane::nvml {

// From NVML's API reference: the CUDA toolkit may come without nvml.h.
inline constexpr int success = 0, not_supported = 3, insufficient_size = 7, function_not_found = 13;

/// A session that lives as long as the object. What cannot be read becomes a note.
class Session {
 public:
  /// Both must outlive the session.
  Session(const NvmlLookup& lookup, std::vector<std::string>& notes, const std::string& pci_bus_id)
      : lookup_(lookup), notes_(notes) {
    initialised_ = good("nvmlInit_v2", call("nvmlInit_v2"));
    if (!initialised_) return;
    const int code = call("nvmlDeviceGetHandleByPciBusId_v2", pci_bus_id.c_str(), &device_);
    found_ = good("device " + pci_bus_id, code);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() {
    if (initialised_) call("nvmlShutdown");
  }

  /// Returns true if NVML knows the device. If not, a note says why.
  bool found() const { return found_; }

  /// Calls a system function. The arguments must have the exact types of the function's C
  /// declaration, int for enumerations.
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

}  // namespace trilane::nvml
