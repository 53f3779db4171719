// Do cudaHostAlloc and cudaFreeHost wait for running kernels?
#include "common/measure/ask/parts/beside_work.hpp"

namespace trilane::host_alloc_waits {

constexpr std::uint64_t sizes[] = {1 << 20, 64 << 20};
// Longer than pinning 64 MiB takes, about 20 ms: a kernel that ended meanwhile would show nothing.
constexpr double kernel_us = 50'000;

std::string allocation_of(std::uint64_t bytes) {
  return fmt::format("cudaHostAlloc of {}", format_bytes(bytes));
}

std::string release_of(std::uint64_t bytes) {
  return fmt::format("cudaFreeHost of {}", format_bytes(bytes));
}

class HostAllocWaits : public Experiment {
 public:
  std::vector<Condition> conditions() override {
    std::vector<TriedCall> calls;
    for (const std::uint64_t bytes : sizes) {
      calls.push_back({.name = allocation_of(bytes),
                       .call = [this, bytes] { memory_ = make_pinned_buffer(bytes); },
                       .after = [this] { memory_.reset(); }});
      calls.push_back({.name = release_of(bytes),
                       .call = [this] { memory_.reset(); },
                       .before = [this, bytes] { memory_ = make_pinned_buffer(bytes); }});
    }
    return beside_.conditions(calls);
  }

  static Conclusion conclude(const Readings& readings) {
    std::vector<std::string> calls;
    for (const std::uint64_t bytes : sizes) {
      calls.push_back(allocation_of(bytes));
      calls.push_back(release_of(bytes));
    }
    return whether_they_wait(readings, calls);
  }

 private:
  BesideKernel beside_{kernel_us};
  PinnedBuffer memory_;
};

const Enrolled<HostAllocWaits> enrolled(
    {.name = "host_alloc_waits",
     .subject = Subject::memory,
     .text = "Do cudaHostAlloc and cudaFreeHost wait for running kernels?",
     .claim = "Pinned memory belongs to the host, so allocating and freeing it leaves the device "
              "alone.",
     .meaning = "Pin memory before the loop, and free it after. The driver serves a small "
                "allocation from memory that it holds; a large one takes the host long even if it "
                "does not wait. A release that waits ends all overlap, whatever its size.",
     .documentation = "The programming guide lists page-locked host memory allocation among the "
                      "operations that may synchronise implicitly."});

}  // namespace trilane::host_alloc_waits
