// The NVML getters used by nvml.cpp, and the formats of their values. Numbers and names are from
// NVML's API reference, because the CUDA toolkit may come without nvml.h.
#pragma once

#include <fmt/format.h>

#include <array>
#include <string>

#include "common/model/results/clock_limiter.hpp"

namespace trilane::nvml {

inline std::string plain(unsigned value) { return fmt::to_string(value); }
inline std::string watts(unsigned milliwatts) { return fmt::format("{:.1f}", milliwatts / 1000.0); }
inline std::string on_off(unsigned value) { return value == 0 ? "off" : "on"; }

inline std::string compute_mode(unsigned value) {
  constexpr std::array words = {"default", "exclusive thread", "prohibited", "exclusive process"};
  return value < words.size() ? words[value] : plain(value);
}

inline std::string limiters(unsigned long long mask) {
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

inline constexpr int clock_sm = 1, clock_memory = 2, sensor_gpu = 0;

inline constexpr Getter identity_getters[] = {
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
inline constexpr Getter state_getters[] = {
    {"sm_clock_mhz", "nvmlDeviceGetClockInfo", plain, Shape::selected, clock_sm},
    {"memory_clock_mhz", "nvmlDeviceGetClockInfo", plain, Shape::selected, clock_memory},
    {"temperature_c", "nvmlDeviceGetTemperature", plain, Shape::selected, sensor_gpu},
    {"power_w", "nvmlDeviceGetPowerUsage", watts},
    {"pcie_generation", "nvmlDeviceGetCurrPcieLinkGeneration"},
    {"pcie_width", "nvmlDeviceGetCurrPcieLinkWidth"},
};

}  // namespace trilane::nvml
