#include "common/measure/ask/parts/experiment.hpp"

namespace trilane::free_waits {

constexpr const char *small = "cudaFree of 1 MiB", *large = "cudaFree of 64 MiB";

class FreeWaits : public Experiment {
 public:
  std::vector<Condition> conditions() override {
    const auto release = [this](const char* name, std::uint64_t bytes) {
      return TriedCall{.name = name,
                       .call = [this] { memory_.reset(); },
                       .before = [this, bytes] { memory_ = make_device_buffer(bytes); }};
    };
    return beside_.conditions({release(small, 1 << 20), release(large, 64 << 20)});
  }

  static Conclusion conclude(const Readings& readings) {
    return whether_they_wait(readings, {small, large});
  }

 private:
  BesideKernel beside_;
  DeviceBuffer memory_;
};

const Enrolled<FreeWaits> enrolled(
    {.name = "free_waits",
     .subject = Subject::memory,
     .text = "Does cudaFree wait for running kernels?",
     .claim = "cudaFree only gives memory back, so it can be called at any time.",
     .meaning =
         "If it waits, a cudaFree in a loop ends all overlap, even with streams that never used "
         "the memory, and however little it frees. Free after the loop, or with cudaFreeAsync.",
     .documentation =
         "The runtime's reference says that the function may wait for the device; code "
         "should not rely on it."});

}  // namespace trilane::free_waits
