// The reasons for a GPU's lowered clocks, as NVML reports them.
#pragma once

#include "common/base/text/enumerators.hpp"

namespace trilane {

/// In the order of NVML's bits, nvmlClocksEventReasons.
BOOST_DEFINE_ENUM_CLASS(ClockLimiter, idle, application_clocks, software_power_cap,
                        hardware_slowdown, sync_boost, software_thermal_slowdown,
                        hardware_thermal_slowdown, hardware_power_brake, display_clocks)

/// Returns true if the GPU runs slower than its settings, so that times depend on the moment.
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

/// Returns the limiters in "idle, software power cap". Ignores "none" and undocumented bits.
inline std::vector<ClockLimiter> clock_limiters(std::string_view list) {
  std::vector<ClockLimiter> found;
  while (!list.empty()) {
    const std::string_view word = list.substr(0, list.find(", "));
    std::ranges::copy_if(enumerators<ClockLimiter>, std::back_inserter(found),
                         [&](ClockLimiter limiter) { return word == name_of(limiter); });
    list.remove_prefix(word.size() == list.size() ? list.size() : word.size() + 2);
  }
  return found;
}

}  // namespace trilane
