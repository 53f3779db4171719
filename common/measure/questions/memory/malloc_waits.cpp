// Does cudaMalloc wait for running kernels?
#include "common/measure/ask/parts/beside_work.hpp"

namespace trilane::malloc_waits {

constexpr std::uint64_t sizes[] = {1 << 20, 64 << 20};

std::string allocation_of(std::uint64_t bytes) {
  return fmt::format("cudaMalloc of {}", format_bytes(bytes));
}

class MallocWaits : public Experiment {
 public:
  std::vector<Condition> conditions() override {
    std::vector<TriedCall> calls;
    for (const std::uint64_t bytes : sizes) {
      calls.push_back({.name = allocation_of(bytes),
                       .call = [this, bytes] { memory_ = make_device_buffer(bytes); },
                       .after = [this] { memory_.reset(); }});
    }
    return beside_.conditions(calls);
  }

  static Conclusion conclude(const Readings& readings) {
    return whether_they_wait(readings, {allocation_of(sizes[0]), allocation_of(sizes[1])});
  }

 private:
  BesideKernel beside_;
  DeviceBuffer memory_;
};

const Enrolled<MallocWaits> enrolled(
    {.name = "malloc_waits",
     .subject = Subject::memory,
     .text = "Does cudaMalloc wait for running kernels?",
     .claim = "cudaMalloc waits until the device is idle.",
     .meaning = "The driver serves a small allocation from memory that it holds, and maps memory "
                "for a large one. A call that waits ends all overlap with what was queued before. "
                "Allocate before the loop, or with cudaMallocAsync.",
     .documentation = "The programming guide lists device memory allocation among the operations "
                      "that may synchronise implicitly."});

}  // namespace trilane::malloc_waits
