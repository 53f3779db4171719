// Handmade recordings of chunked pipelines.
#pragma once

#include "tests/application/diagnosis/recorded.hpp"
#include "tests/framework.hpp"

/// Calls of an application that works on chunks. Each chunk has floats that are copied in, a result
/// that is set to zero and copied out, and kernels "mix" that take both, their count and a factor.

struct RecordedChunks : Recorded {
  std::uint32_t chunks = 8, lanes = 2, depth = 1;
  std::uint64_t items = 4096, last_items = 4096;
  bool clears = true, own_memory = false;

  static constexpr std::uint32_t in_memory = 5, out_memory = 6;

  RecordedChunks() {
    for (int i = 0; i < 2; ++i) {
      recording.memory.push_back(
          {.kind = trilane::MemoryKind::device, .bytes = 1 << 20, .within = false});
    }
    recording.kernels = {{.name = "void ns::mix<float>(float const*, float*, unsigned long, float)",
                          .parameters = {{8, true}, {8, true}, {8, false}, {4, false}},
                          .registers = 0,
                          .static_shared_bytes = 0}};
    recording.recorded = 10;
    for (int i = 0; i < 4; ++i) recording.streams.push_back({});
  }

  std::uint64_t bytes_of(std::uint32_t chunk) const {
    return 4 * (chunk + 1 == chunks ? last_items : items);
  }
  std::uint64_t place_of(std::uint32_t chunk) const {
    return 4 * items * (own_memory ? chunk : chunk % lanes);
  }
  static std::uint32_t stream_of(std::uint32_t lane) { return 1 + lane; }

  void copy_in(std::uint32_t chunk) {
    copy_of(chunk, pinned, in_memory, place_of(chunk) + 0, 65536 * chunk);
  }
  void clear(std::uint32_t chunk) {
    memset(stream_of(chunk % lanes), out_memory, place_of(chunk), bytes_of(chunk));
  }
  trilane::RecordedCall& mix(std::uint32_t chunk) {
    using trilane::Variation;
    auto& call = add(trilane::CallKind::kernel, "cuLaunchKernel", stream_of(chunk % lanes));
    const std::uint64_t place = place_of(chunk);
    call.uses = {{in_memory, place, (1 << 20) - place, trilane::Use::may_use},
                 {out_memory, place, (1 << 20) - place, trilane::Use::may_use}};
    call.grid = {static_cast<std::uint32_t>((bytes_of(chunk) / 4 + 255) / 256), 1, 1};
    call.block = {256, 1, 1};
    call.arguments.assign(4, Variation::constant);
    call.device_us = 2.5;
    return call;
  }
  void copy_out(std::uint32_t chunk) {
    copy_of(chunk, out_memory, pinned, 65536 * chunk, place_of(chunk));
  }

  void chunk(std::uint32_t number) {
    copy_in(number);
    if (clears) clear(number);
    for (std::uint32_t i = 0; i < depth; ++i) mix(number);
    copy_out(number);
  }
  RecordedChunks& depth_first() {
    record(0, 0);
    for (std::uint32_t lane = 0; lane < lanes; ++lane) wait(0, stream_of(lane));
    for (std::uint32_t i = 0; i < chunks; ++i) chunk(i);
    synchronize();
    return *this;
  }

  /// Adds the values of each kernel's count and factor.
  void add_values() {
    recording.data.emplace();
    std::uint32_t kernels = 0;
    for (std::uint32_t i = 0; i < recording.calls.size(); ++i) {
      if (recording.calls[i].kind != trilane::CallKind::kernel) continue;
      recording.data->values.push_back({i, 2, bytes_of(kernels++ / depth) / 4});
      recording.data->values.push_back({i, 3, 0x3dcccccd});  // 0.1f
    }
  }

 private:
  void copy_of(std::uint32_t chunk, std::uint32_t from, std::uint32_t to, std::uint64_t to_offset,
               std::uint64_t from_offset) {
    auto& call = copy(stream_of(chunk % lanes), from, to, 0, bytes_of(chunk));
    call.uses[0].offset = from_offset;
    call.uses[1].offset = to_offset;
  }
};
