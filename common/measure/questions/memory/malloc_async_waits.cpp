#include "common/measure/ask/parts/experiment.hpp"

namespace trilane::malloc_async_waits {

constexpr const char *allocation = "cudaMallocAsync of 1 MiB", *release = "cudaFreeAsync of 1 MiB";

class MallocAsyncWaits : public StreamExperiment {
 public:
  std::vector<Condition> conditions() override {
    const auto allocate = [this] { check(cudaMallocAsync(&memory_, 1 << 20, stream())); };
    const auto free = [this] { check(cudaFreeAsync(memory_, stream())); };
    const auto and_wait = [this](const std::function<void()>& call) {
      return [this, call] {
        call();
        synchronise();
      };
    };
    return beside_.conditions(
        {{.name = allocation, .call = allocate, .after = and_wait(free)},
         {.name = release, .call = free, .before = and_wait(allocate), .after = and_wait([] {})}});
  }

  static Conclusion conclude(const Readings& readings) {
    return whether_they_wait(readings, {allocation, release});
  }

 private:
  BesideKernel beside_;
  void* memory_ = nullptr;
};

const Enrolled<MallocAsyncWaits> enrolled(
    {.name = "malloc_async_waits",
     .subject = Subject::memory,
     .text = "Do cudaMallocAsync and cudaFreeAsync wait for running kernels?",
     .claim = "An allocation waits for the device, whichever function makes it.",
     .meaning = "If not, allocations and releases in a loop leave the overlap of streams as it is.",
     .documentation = "The programming guide describes both as operations in stream order, which "
                      "return to the host at once."});

}  // namespace trilane::malloc_async_waits
