#include "tests/gpu/held_back.hpp"

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include "common/gate.hpp"
#include "common/handles.hpp"
#include "common/reference.hpp"

namespace trilane {

namespace {

/// Opens a gate after a while, unless it is called off first.
class Watchdog {
 public:
  Watchdog(Gate& gate, double patience_s)
      : thread_([this, &gate, patience_s] {
          std::unique_lock lock(mutex_);
          const auto patience = std::chrono::duration<double>(patience_s);
          fired_ = !called_off_.wait_for(lock, patience, [this] { return done_; });
          if (fired_) gate.open();
        }) {}

  /// True when the gate was still shut.
  bool call_off() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    called_off_.notify_one();
    thread_.join();
    return !fired_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable called_off_;
  bool done_ = false, fired_ = false;
  std::thread thread_;
};

bool stays_poisoned(const std::byte* out, const std::vector<std::byte>& poisoned, int watch_ms) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(watch_ms);
  do {
    if (std::memcmp(out, poisoned.data(), poisoned.size()) != 0) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  } while (std::chrono::steady_clock::now() < end);
  return true;
}

}  // namespace

HeldBack submit_behind_gate(const VariantEntry& entry, const Workload& workload, double patience_s,
                            int watch_ms) {
  const PinnedBuffer in = make_pinned_buffer(workload.bytes);
  const PinnedBuffer out = make_pinned_buffer(workload.result_total());
  std::vector<std::byte> expected(workload.result_total());
  Reference(workload, 7).draw(in.get(), expected.data());
  poison(out.get(), expected.size(), expected.data());
  const std::vector<std::byte> poisoned(out.get(), out.get() + expected.size());

  const Job job(workload, in.get(), out.get());
  const auto variant = entry.make(job);
  const Stream origin = make_stream();
  Gate gate;
  gate.close(origin.get());
  Watchdog watchdog(gate, patience_s);
  variant->submit(origin.get());
  HeldBack seen{};
  seen.returned_before_opening = watchdog.call_off();
  if (seen.returned_before_opening) {
    seen.untouched_before_opening = stays_poisoned(out.get(), poisoned, watch_ms);
  }
  gate.open();
  check(cudaStreamSynchronize(origin.get()));
  seen.right_after = !compare(out.get(), expected.data(), expected.size());
  check(cudaDeviceSynchronize());
  return seen;
}

}  // namespace trilane
