// A simulated device with round times, and recordings to be predicted on it.
#pragma once

#include "common/application/prediction/simulated_prediction.hpp"
#include "common/device/simulator/machine/machine.hpp"
#include "tests/application/diagnosis/recorded.hpp"
#include "tests/framework.hpp"

namespace plain {

constexpr double in_us = 10, out_us = 20;
constexpr const char* gpu = "Plain GPU";
const auto near = boost::test_tools::tolerance(1e-6);

/// Each copy in takes 10 us and each copy out 20 us, alone or not; nothing else takes any time.
inline trilane::Profile profile() {
  using namespace trilane;
  Profile plain;
  plain.name = gpu;
  plain.calibrated = "2026-01-01T00:00:00Z";
  plain.multiprocessors = 100;
  plain.memory_bytes = std::uint64_t{1} << 30;
  plain.engine.duration[index_of(Kind::copy_in)] = {{1, in_us}};
  plain.engine.duration[index_of(Kind::copy_out)] = {{1, out_us}};
  plain.engine.in_gbps = plain.engine.duplex_in_gbps = 1;
  plain.engine.out_gbps = plain.engine.duplex_out_gbps = 1;
  plain.engine.pageable_in_gbps = plain.engine.pageable_out_gbps = plain.engine.within_gbps = 1;
  return plain;
}

inline void start(trilane::Profile with = profile()) {
  trilane::simulator::Settings settings;
  settings.profile = std::move(with);
  trilane::simulator::restart(std::move(settings));
}

/// Recorded on the GPU of that profile; the application's own code takes no time.
struct Iteration : Recorded {
  Iteration() { recording.machine.gpu = gpu; }

  trilane::RecordedCall& kernel_of(double us, std::uint32_t stream,
                                   std::vector<trilane::UsedRange> uses) {
    auto& call = add(trilane::CallKind::kernel, "cuLaunchKernel", stream);
    call.uses = std::move(uses);
    call.grid = call.block = {1, 1, 1};
    call.device_us = us;
    return call;
  }

  /// Adds a copy in to bytes at `offset`, a kernel on them, and a copy out of them.
  void chunk(double us, std::uint32_t stream, std::uint64_t offset) {
    copy(stream, pinned, device, offset);
    kernel_of(us, stream, {{device, offset, size, trilane::Use::may_use}});
    copy(stream, device, pinned, offset + (1 << 19));
    recording.calls.back().uses[0].offset = offset;
  }

  /// Places the calls at intervals of `gap_us`; they take no time.
  trilane::ApplicationRecording& close(double gap_us = 0) {
    double at_us = 0;
    for (trilane::RecordedCall& call : recording.calls) {
      call.start_us = at_us += gap_us;
      call.host_us = 0;
    }
    return recording;
  }
};

/// A chunk, 10 + 30 + 20 us, and a wait.
inline Iteration one_chunk() {
  Iteration a;
  a.chunk(30, Recorded::free_one, 0);
  a.synchronize(Recorded::free_one);
  return a;
}

/// The same with two chunks, whose bytes begin at these places.
inline Iteration two_chunks(std::uint64_t second) {
  Iteration a;
  a.chunk(30, Recorded::free_one, 0);
  a.chunk(30, Recorded::free_one, second);
  a.synchronize(Recorded::free_one);
  return a;
}

inline trilane::SimulatedTimes predict(Iteration a, double gap_us = 0) {
  return trilane::simulated_times(a.close(gap_us));
}

inline trilane::SimulatedTime time_of(const trilane::SimulatedTimes& all,
                                      trilane::SimulatedWay way) {
  const auto found = std::ranges::find(all.times, way, &trilane::SimulatedTime::way);
  return found == all.times.end() ? trilane::SimulatedTime{} : *found;
}
inline double us(const trilane::SimulatedTimes& all, trilane::SimulatedWay way) {
  return time_of(all, way).us.value_or(-1);
}
inline std::string why_not(const trilane::SimulatedTimes& all, trilane::SimulatedWay way) {
  return time_of(all, way).why_not;
}

/// Adds an allocation or a free of 1 MiB of device memory.
inline void add_allocation(Iteration& a, trilane::CallKind kind,
                           std::optional<double> call_us = std::nullopt) {
  auto& call = a.add(kind, trilane::frees(kind) ? "cuMemFree" : "cuMemAlloc");
  call.bytes = 1 << 20;
  call.uses = {{Recorded::device, 0, 1 << 20, trilane::Use::may_use}};
  call.call_us = call_us;
}

}  // namespace plain
