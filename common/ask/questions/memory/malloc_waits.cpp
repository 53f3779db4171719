// Does cudaMalloc wait for running kernels?
#include "common/ask/parts/beside_work.hpp"

namespace trilane {
namespace {

class MallocWaits : public Experiment {
 public:
  std::vector<Condition> conditions() override {
    return beside_.conditions({{.name = "cudaMalloc of 1 MiB",
                                .call = [this] { memory_ = make_device_buffer(1 << 20); },
                                .after = [this] { memory_.reset(); }}});
  }

  static Conclusion conclude(const Readings& readings) {
    return whether_they_wait(readings, {"cudaMalloc of 1 MiB"});
  }

 private:
  BesideKernel beside_;
  DeviceBuffer memory_;
};

const Enrolled<MallocWaits> enrolled(
    {.name = "malloc_waits",
     .subject = Subject::memory,
     .text = "Does cudaMalloc wait for running kernels?",
     .meaning = "A call that waits ends all overlap with what was queued before; one that does not "
                "still costs the host its own time. Allocate before the loop, or with "
                "cudaMallocAsync.",
     .documentation = "The programming guide lists device memory allocation among the operations "
                      "that may synchronise implicitly."});

}  // namespace
}  // namespace trilane
