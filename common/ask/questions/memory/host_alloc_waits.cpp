// Do cudaHostAlloc and cudaFreeHost wait for running kernels?
#include "common/ask/parts/beside_work.hpp"

namespace trilane {
namespace {

constexpr const char *allocation = "cudaHostAlloc of 1 MiB", *release = "cudaFreeHost of 1 MiB";

class HostAllocWaits : public Experiment {
 public:
  std::vector<Condition> conditions() override {
    return beside_.conditions({{.name = allocation,
                                .call = [this] { memory_ = make_pinned_buffer(1 << 20); },
                                .after = [this] { memory_.reset(); }},
                               {.name = release,
                                .call = [this] { memory_.reset(); },
                                .before = [this] { memory_ = make_pinned_buffer(1 << 20); }}});
  }

  static Conclusion conclude(const Readings& readings) {
    return whether_they_wait(readings, {allocation, release});
  }

 private:
  BesideKernel beside_;
  PinnedBuffer memory_;
};

const Enrolled<HostAllocWaits> enrolled(
    {.name = "host_alloc_waits",
     .subject = Subject::memory,
     .text = "Do cudaHostAlloc and cudaFreeHost wait for running kernels?",
     .meaning =
         "Pin memory before the loop: even a call that does not wait takes the host hundreds "
         "of microseconds.",
     .documentation = "The programming guide lists page-locked host memory allocation among the "
                      "operations that may synchronise implicitly."});

}  // namespace
}  // namespace trilane
