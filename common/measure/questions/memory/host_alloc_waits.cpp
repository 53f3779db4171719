#include "common/measure/ask/parts/experiment.hpp"

namespace trilane::host_alloc_waits {

constexpr const char *small = "cudaHostAlloc of 1 MiB", *small_release = "cudaFreeHost of 1 MiB",
                     *large = "cudaHostAlloc of 16 MiB", *large_release = "cudaFreeHost of 16 MiB";
// Longer than pinning 16 MiB takes, about 5 ms: a kernel that ended meanwhile would show nothing.
constexpr double kernel_us = 15'000;

class HostAllocWaits : public Experiment {
 public:
  std::vector<Condition> conditions() override {
    const auto allocate = [this](std::uint64_t bytes) {
      return [this, bytes] { memory_ = make_pinned_buffer(bytes); };
    };
    const auto release = [this] { memory_.reset(); };
    return beside_.conditions(
        {{.name = small, .call = allocate(1 << 20), .after = release},
         {.name = small_release, .call = release, .before = allocate(1 << 20)},
         {.name = large, .call = allocate(16 << 20), .after = release},
         {.name = large_release, .call = release, .before = allocate(16 << 20)}});
  }

  static Conclusion conclude(const Readings& readings) {
    return whether_they_wait(readings, {small, small_release, large, large_release});
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
