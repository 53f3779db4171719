#include "common/measure/ask/parts/experiment.hpp"

namespace trilane::threshold_zero {

constexpr std::uint64_t bytes = 64 << 20;
constexpr const char *kept = "64 MiB allocated, freed and waited for, threshold at most",
                     *returned = "the same, threshold 0", *cuda_malloc = "cudaMalloc and cudaFree";

class ThresholdZero : public StreamExperiment {
 public:
  std::vector<Condition> conditions() override {
    const auto kept_us = [this] { return run_us(kept_.get()); };
    return {{kept, kept_us},
            {returned, [this] { return run_us(returned_.get()); }, {kept_us}},
            {cuda_malloc, [] { return timed_us([] { make_device_buffer(bytes); }); }}};
  }

  static Conclusion conclude(const Readings& r) {
    return Conclusion().add(
        r.costs_more(returned, kept, 2, 1.1),
        fmt::format("64 MiB allocated, freed and waited for take {} with it and {} with the "
                    "highest; cudaMalloc and cudaFree take {}",
                    r.time(returned), r.time(kept), r.time(cuda_malloc)));
  }

 private:
  double run_us(cudaMemPool_t pool) {
    return done_us([&] {
      void* memory = nullptr;
      check(cudaMallocFromPoolAsync(&memory, bytes, pool, stream()));
      check(cudaFreeAsync(memory, stream()));
    });
  }

  MemoryPool kept_ = make_pool(UINT64_MAX), returned_ = make_pool(0);
};

const Enrolled<ThresholdZero> enrolled(
    {.name = "threshold_zero",
     .subject = Subject::memory,
     .text = "Does a release threshold of 0, which is the default, cost much?",
     .claim = "A pool keeps its memory, so its default settings suit a loop.",
     .meaning = "Raise cudaMemPoolAttrReleaseThreshold before the loop, or every wait of the host "
                "gives the memory back and the next allocation maps it again.",
     .documentation = "The programming guide explains the threshold and recommends raising it if "
                      "memory is used again."});

}  // namespace trilane::threshold_zero
