// Does cudaFree wait for running kernels?
#include "common/ask/parts/beside_work.hpp"

namespace trilane {
namespace {

class FreeWaits : public Experiment {
 public:
  std::vector<Condition> conditions() override {
    return beside_.conditions({{.name = "cudaFree of 1 MiB",
                                .call = [this] { memory_.reset(); },
                                .before = [this] { memory_ = make_device_buffer(1 << 20); }}});
  }

  static Conclusion conclude(const Readings& readings) {
    return whether_they_wait(readings, {"cudaFree of 1 MiB"});
  }

 private:
  BesideKernel beside_;
  DeviceBuffer memory_;
};

const Enrolled<FreeWaits> enrolled(
    {.name = "free_waits",
     .subject = Subject::memory,
     .text = "Does cudaFree wait for running kernels?",
     .meaning =
         "Where it waits, a cudaFree in a loop puts an end to all overlap, also with streams "
         "that never used the memory. Free after the loop, or with cudaFreeAsync.",
     .documentation =
         "The runtime's reference says that the function may wait for the device; code "
         "should not rely on it."});

}  // namespace
}  // namespace trilane
