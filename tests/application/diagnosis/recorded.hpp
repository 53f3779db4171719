// Handmade recordings.
#pragma once

#include "common/application/diagnosis/call_findings.hpp"
#include "common/application/diagnosis/iteration_schedule.hpp"

/// Streams 0: legacy, 1 and 2: blocking, 3 and 4: non-blocking. Memory 0: pageable, 1: pinned, 2
/// and 3: device, 4: module; 1 MiB each. Calls start every 10 us and take 2 us, unless placed.
struct Recorded {
  static constexpr std::uint32_t pageable = 0, pinned = 1, device = 2, other_device = 3, module = 4;
  static constexpr std::uint32_t legacy = 0, blocking = 1, blocking_too = 2, free_one = 3,
                                 free_two = 4;
  static constexpr std::uint64_t size = 4096;

  trilane::ApplicationRecording recording;

  Recorded() {
    using enum trilane::StreamKind;
    recording.application = "./app --fast";
    recording.found = trilane::Found::repeats;
    recording.iterations = 412;
    recording.contexts = 1;
    for (const auto kind : {trilane::StreamKind::legacy, trilane::StreamKind::blocking,
                            trilane::StreamKind::blocking, non_blocking, non_blocking}) {
      recording.streams.push_back({.kind = kind, .priority = 0});
    }
    for (const auto kind :
         {trilane::MemoryKind::pageable, trilane::MemoryKind::pinned, trilane::MemoryKind::device,
          trilane::MemoryKind::device, trilane::MemoryKind::module}) {
      recording.memory.push_back({.kind = kind, .bytes = 1 << 20, .within = false});
    }
    recording.kernels.push_back(
        {.name = "scale", .parameters = {}, .registers = 0, .static_shared_bytes = 0});
  }

  trilane::RecordedCall& add(trilane::CallKind kind, const std::string& name,
                             std::uint32_t stream = 0) {
    trilane::RecordedCall call;
    call.kind = kind;
    call.name = name;
    call.stream = stream;
    call.start_us = 10.0 * static_cast<double>(recording.calls.size());
    call.host_us = 2;
    recording.calls.push_back(call);
    return recording.calls.back();
  }
  trilane::RecordedCall& copy(std::uint32_t stream, std::uint32_t from, std::uint32_t to,
                              std::uint64_t offset = 0, std::uint64_t bytes = size) {
    auto& call = add(trilane::CallKind::copy, "cuMemcpyAsync", stream);
    call.bytes = bytes;
    call.uses = {{from, offset, bytes, trilane::Use::reads},
                 {to, offset, bytes, trilane::Use::writes}};
    return call;
  }
  trilane::RecordedCall& memset(std::uint32_t stream, std::uint32_t memory,
                                std::uint64_t offset = 0, std::uint64_t bytes = size) {
    auto& call = add(trilane::CallKind::memset, "cuMemsetD8Async", stream);
    call.bytes = bytes;
    call.uses = {{memory, offset, bytes, trilane::Use::writes}};
    return call;
  }
  trilane::RecordedCall& kernel(std::uint32_t stream, std::vector<std::uint32_t> memory) {
    auto& call = add(trilane::CallKind::kernel, "cuLaunchKernel", stream);
    for (const std::uint32_t one : memory) {
      call.uses.push_back({one, 0, 1 << 20, trilane::Use::may_use});
    }
    return call;
  }
  void record(std::uint32_t event, std::uint32_t stream) {
    add(trilane::CallKind::record_event, "cuEventRecord", stream).event = event;
  }
  void wait(std::uint32_t event, std::uint32_t stream) {
    add(trilane::CallKind::wait_event, "cuStreamWaitEvent", stream).event = event;
  }
  void wait_on_host(std::uint32_t event) {
    add(trilane::CallKind::synchronize_event, "cuEventSynchronize").event = event;
  }
  void synchronize(std::uint32_t stream) {
    add(trilane::CallKind::synchronize_stream, "cuStreamSynchronize", stream);
  }
  void synchronize() { add(trilane::CallKind::synchronize_context, "cuCtxSynchronize"); }

  /// Places the last call, and its operation if it has one.
  Recorded& at(double start, double host) {
    recording.calls.back().start_us = start;
    recording.calls.back().host_us = host;
    return *this;
  }
  Recorded& at(double start, double host, double begins, double runs) {
    recording.calls.back().device_start_us = begins;
    recording.calls.back().device_us = runs;
    return at(start, host);
  }

  /// Sets the last call's times without a tracer.
  void untraced(double own, double call) {
    recording.calls.back().own_us = own;
    recording.calls.back().call_us = call;
  }
};

/// Returns the time with that use; 0: none.
inline double us_of(const std::vector<trilane::TimeShare>& shares, trilane::TimeUse use) {
  const auto found = std::ranges::find(shares, use, &trilane::TimeShare::use);
  return found == shares.end() ? 0 : found->us;
}

inline double us_of(const std::vector<trilane::PathPart>& parts, trilane::PathKind kind) {
  double us = 0;
  for (const auto& part : parts) us += part.kind == kind ? part.us : 0;
  return us;
}

/// Returns the sum of the parts' times.
double sum(const auto& parts) {
  double us = 0;
  for (const auto& part : parts) us += part.us;
  return us;
}

/// Valid as long as the recording.
struct Scheduled {
  trilane::HappensBefore order;
  trilane::IterationSchedule schedule;

  explicit Scheduled(const Recorded& of) : order(of.recording, 2), schedule(of.recording, order) {}
};

/// Returns the findings; the times count as traced.
inline std::vector<trilane::CallFinding> findings_of(const Recorded& a) {
  const Scheduled scheduled(a);
  return findings_in(scheduled.schedule, scheduled.schedule);
}
