// How much does a release threshold of 0 cost?
#include <fmt/format.h>

#include "common/base/text/size.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/measure/ask/question.hpp"
#include "common/measure/gpu/runtime/handles.hpp"

namespace trilane {
namespace {

constexpr std::uint64_t bytes = 64 << 20;
constexpr const char *kept = "64 MiB allocated, freed and waited for, threshold at most",
                     *returned = "the same, threshold 0", *cuda_malloc = "cudaMalloc and cudaFree";

MemoryPool pool_with(std::uint64_t threshold) {
  int device = 0;
  check(cudaGetDevice(&device));
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, device};
  cudaMemPool_t pool = nullptr;
  check(cudaMemPoolCreate(&pool, &properties));
  MemoryPool owner(pool);
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  return owner;
}

class ThresholdZero : public Experiment {
 public:
  std::vector<Condition> conditions() override {
    return {{kept, [this] { return run_us(kept_.get()); }},
            {returned, [this] { return run_us(returned_.get()); }, Quantity::us, {[this] {
               return run_us(kept_.get());
             }}},
            {cuda_malloc, [] { return timed_us([] { make_device_buffer(bytes); }); }}};
  }

  static Conclusion conclude(const Readings& r) {
    const bool costs = r.above(returned, kept, 2), same = r.median(returned) < 1.1 * r.median(kept);
    return Conclusion().add(
        decided(costs, same),
        fmt::format("64 MiB allocated, freed and waited for take {} with it and {} with the "
                    "highest; cudaMalloc and cudaFree take {}",
                    time_in_words(r.median(returned)), time_in_words(r.median(kept)),
                    time_in_words(r.median(cuda_malloc))));
  }

 private:
  double run_us(cudaMemPool_t pool) {
    return timed_us([&] {
      void* memory = nullptr;
      check(cudaMallocFromPoolAsync(&memory, bytes, pool, stream_.get()));
      check(cudaFreeAsync(memory, stream_.get()));
      check(cudaStreamSynchronize(stream_.get()));
    });
  }

  MemoryPool kept_ = pool_with(UINT64_MAX), returned_ = pool_with(0);
  Stream stream_ = make_stream();
};

const Enrolled<ThresholdZero> enrolled(
    {.name = "threshold_zero",
     .subject = Subject::memory,
     .text = "Does a release threshold of 0, which is the default, cost much?",
     .claim = "A pool keeps its memory, so its default settings suit a loop.",
     .meaning = "Raise cudaMemPoolAttrReleaseThreshold before the loop, or every wait of the host "
                "gives the memory back and the next allocation maps it again.",
     .documentation = "The programming guide explains the threshold and recommends to raise it "
                      "where memory is used again."});

}  // namespace
}  // namespace trilane
