// The reasons for a GPU's lowered clocks, as NVML reports them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trilane {

/// In the order of NVML's bits, nvmlClocksEventReasons.
enum class ClockLimiter {
  idle,
  application_clocks,
  software_power_cap,
  hardware_slowdown,
  sync_boost,
  software_thermal_slowdown,
  hardware_thermal_slowdown,
  hardware_power_brake,
  display_clocks,
};

/// Returns "idle", "application clocks": the words of context.gpu_before and gpu_after.
constexpr const char* name_of(ClockLimiter limiter) {
  switch (limiter) {
    case ClockLimiter::idle: return "idle";
    case ClockLimiter::application_clocks: return "application clocks";
    case ClockLimiter::software_power_cap: return "software power cap";
    case ClockLimiter::hardware_slowdown: return "hardware slowdown";
    case ClockLimiter::sync_boost: return "sync boost";
    case ClockLimiter::software_thermal_slowdown: return "software thermal slowdown";
    case ClockLimiter::hardware_thermal_slowdown: return "hardware thermal slowdown";
    case ClockLimiter::hardware_power_brake: return "hardware power brake";
    case ClockLimiter::display_clocks: return "display clocks";
  }
  return "";
}

/// Returns true if the GPU runs slower than its settings, so that times depend on the moment of
/// measuring.
constexpr bool throttles(ClockLimiter limiter) {
  switch (limiter) {
    case ClockLimiter::software_power_cap:
    case ClockLimiter::hardware_slowdown:
    case ClockLimiter::software_thermal_slowdown:
    case ClockLimiter::hardware_thermal_slowdown:
    case ClockLimiter::hardware_power_brake: return true;
    case ClockLimiter::idle:
    case ClockLimiter::application_clocks:
    case ClockLimiter::sync_boost:
    case ClockLimiter::display_clocks: return false;
  }
  return false;
}

/// Returns the limiters in "idle, software power cap". Ignores "none" and bits that NVML does not
/// document.
inline std::vector<ClockLimiter> clock_limiters(std::string_view list) {
  std::vector<ClockLimiter> found;
  while (!list.empty()) {
    const std::string_view word = list.substr(0, list.find(", "));
    for (int i = 0; *name_of(static_cast<ClockLimiter>(i)) != '\0'; ++i) {
      if (word == name_of(static_cast<ClockLimiter>(i))) {
        found.push_back(static_cast<ClockLimiter>(i));
      }
    }
    list.remove_prefix(word.size() == list.size() ? list.size() : word.size() + 2);
  }
  return found;
}

}  // namespace trilane
