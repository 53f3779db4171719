// A machine with two devices, for the rules across devices.
#pragma once

#include "tests/base/refusal.hpp"
#include "tests/device/simulator/runtime/rules.hpp"

namespace trilane::simulator::rules {

/// Returns usual() with two devices.
inline Settings two_devices() {
  Settings settings = usual();
  settings.copy_rates = {1, 1};
  return settings;
}

struct TwoDevices {
  TwoDevices() { start(two_devices()); }
};

inline void use_device(int device) { check(cudaSetDevice(device)); }

/// Returns a stream of that device; the current device stays.
inline Stream stream_on(int device) {
  int current = 0;
  check(cudaGetDevice(&current));
  use_device(device);
  Stream stream = make_stream();
  use_device(current);
  return stream;
}

/// Orders the stream `to` after `from`, of that device; device 0 is then current.
inline void order(int device, cudaStream_t from, cudaStream_t to) {
  use_device(device);
  order(from, to);
  use_device(0);
}

inline Graph end_capture(const Stream& origin) {
  cudaGraph_t graph = nullptr;
  check(cudaStreamEndCapture(origin.get(), &graph));
  return Graph(graph);
}

/// Returns the first report of the hazard check; empty if none exists.
inline std::string first_report() {
  const std::vector<Report>& reports = machine().hazards.reports();
  return reports.empty() ? "" : reports.front().text;
}

/// Waits for both devices and returns the trace; device 0 is then current.
inline std::string trace_at_ends() {
  for (const int device : {1, 0}) {
    use_device(device);
    check(cudaDeviceSynchronize());
  }
  return trace();
}

}  // namespace trilane::simulator::rules
