// The seam between flavours: what a program that is linked with the simulated device answers
// differently. Defined in common/device/cuda/cuda_flavour.cpp; and in
// common/device/simulator/simulated_flavour.cpp and turns.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace trilane {

/// Microseconds on a clock that never goes back; only differences mean anything. The simulated
/// device's clock is virtual.
double now_us();

/// Keeps the host busy for that many microseconds of now_us().
void spend_us(double us);

/// The name and date of the profile that times come from, "NVIDIA H200 (profile of 2026-11-21)";
/// empty on a GPU, where they are measured.
std::string simulated_profile();

/// How the simulated device is to run; on a GPU nothing of it may be given.
struct SimulationSettings {
  std::string profile;  ///< path of a profile; empty: the one that is built in
  std::string fault;    ///< "NUMBER=CODE"; empty: none
  std::uint64_t seed = 1;
};

/// Starts the simulated device over with these settings. Throws UsageError for a profile or fault
/// that cannot be read. Does nothing on a GPU.
void start_simulation(const SimulationSettings& settings);

/// While one lives, passes are only timed: the simulated device moves no data.
class TimedOnly {
 public:
  TimedOnly();
  ~TimedOnly();
  TimedOnly(const TimedOnly&) = delete;
  TimedOnly& operator=(const TimedOnly&) = delete;
};

/// While one lives, threads that each make a HostThread may call the runtime at the same time. The
/// simulated device lets them take turns, call by call, so that the same seed gives the same run:
/// each must make its calls, or end its HostThread, without waiting for another. One lives at a
/// time.
class HostThreads {
 public:
  explicit HostThreads(std::uint32_t members);
  ~HostThreads();
  HostThreads(const HostThreads&) = delete;
  HostThreads& operator=(const HostThreads&) = delete;
};

/// The thread that makes it is member `number` of those announced, from 0; every one must make it.
class HostThread {
 public:
  explicit HostThread(std::uint32_t number);
  ~HostThread();
  HostThread(const HostThread&) = delete;
  HostThread& operator=(const HostThread&) = delete;
};

/// Mistakes of order that the hazard check has found since it was last asked, one line each. A GPU
/// finds none.
std::vector<std::string> take_hazards();

}  // namespace trilane
