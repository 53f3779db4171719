// Does cudaFree wait for running kernels?
#include "common/measure/ask/parts/beside_work.hpp"

namespace trilane::free_waits {

constexpr std::uint64_t sizes[] = {1 << 20, 64 << 20};

std::string release_of(std::uint64_t bytes) {
  return fmt::format("cudaFree of {}", format_bytes(bytes));
}

class FreeWaits : public Experiment {
 public:
  std::vector<Condition> conditions() override {
    std::vector<TriedCall> calls;
    for (const std::uint64_t bytes : sizes) {
      calls.push_back({.name = release_of(bytes),
                       .call = [this] { memory_.reset(); },
                       .before = [this, bytes] { memory_ = make_device_buffer(bytes); }});
    }
    return beside_.conditions(calls);
  }

  static Conclusion conclude(const Readings& readings) {
    return whether_they_wait(readings, {release_of(sizes[0]), release_of(sizes[1])});
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
