#include "common/measure/ask/parts/experiment.hpp"

namespace trilane::malloc_waits {

constexpr const char *small = "cudaMalloc of 1 MiB", *large = "cudaMalloc of 64 MiB";

class MallocWaits : public Experiment {
 public:
  std::vector<Condition> conditions() override {
    const auto allocation = [this](const char* name, std::uint64_t bytes) {
      return TriedCall{.name = name,
                       .call = [this, bytes] { memory_ = make_device_buffer(bytes); },
                       .after = [this] { memory_.reset(); }};
    };
    return beside_.conditions({allocation(small, 1 << 20), allocation(large, 64 << 20)});
  }

  static Conclusion conclude(const Readings& readings) {
    return whether_they_wait(readings, {small, large});
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
