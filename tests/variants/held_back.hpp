// Passes behind a gate: what submit does while none of their work can run.
#pragma once

#include "common/measure/gpu/runtime/gated_timer.hpp"
#include "common/model/variant/variant.hpp"
#include "common/model/workload/data/contents.hpp"
#include "common/model/workload/reference.hpp"
#include "tests/framework.hpp"

namespace trilane {

struct HeldBack {
  bool returned_before_opening;   ///< both returned while the gate was shut
  bool untouched_before_opening;  ///< the output still was its poison when the gate opened
  bool right_after;               ///< the output is as expected once the origin is idle
};

/// Patience for a submit that must return, however busy the machine is; and for one that waits.
constexpr double long_s = 120, short_s = 0.2;

/// Querying the origin's progress drives the simulated device, which does nothing otherwise.
inline bool stays_poisoned(const std::byte* out, const std::vector<std::byte>& poisoned,
                           int watch_ms, cudaStream_t origin) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(watch_ms);
  do {
    cudaStreamQuery(origin);
    if (std::memcmp(out, poisoned.data(), poisoned.size()) != 0) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  } while (std::chrono::steady_clock::now() < end);
  return true;
}

/// Constructs the variant, shuts a gate on a fresh origin stream and submits two passes to it. The
/// gate opens by itself after `patience_s`, so that a waiting submit returns. After submit the
/// output is watched for `watch_ms`, or until it changes, before the gate opens.
inline HeldBack submit_behind_gate(const VariantEntry& entry, const Workload& workload,
                                   double patience_s, int watch_ms) {
  const Layout layout = layout_of(workload);
  const PinnedBuffer in = make_pinned_buffer(layout.in_bytes);
  const PinnedBuffer out = make_pinned_buffer(layout.out_bytes);
  std::vector<std::byte> expected(layout.out_bytes);
  Reference(workload, 7).draw(in.get(), expected.data());
  poison(out.get(), expected.size(), expected.data());
  const std::vector<std::byte> poisoned(out.get(), out.get() + expected.size());

  const Job job(workload, in.get(), out.get());
  const auto variant = entry.make(job);
  const Stream origin = make_stream();
  Gate gate(patience_s);
  gate.close(origin.get());
  variant->submit(origin.get());
  variant->submit(origin.get());  // a pass that waits for the previous one shows only here
  HeldBack seen{};
  seen.untouched_before_opening = stays_poisoned(out.get(), poisoned, watch_ms, origin.get());
  seen.returned_before_opening = gate.open();
  check(cudaStreamSynchronize(origin.get()));
  const bool kept_gaps = take_gaps(workload, out.get(), expected.data()) == 0;
  seen.right_after = kept_gaps && !compare(out.get(), expected.data(), expected.size());
  check(cudaDeviceSynchronize());
  return seen;
}

}  // namespace trilane
