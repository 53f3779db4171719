#include "common/measure/ask/parts/experiment.hpp"

namespace trilane::opportunistic {

constexpr std::uint64_t bytes = 1 << 20;
constexpr int pairs = 64;
constexpr const char *shared_on = "4 streams, opportunistic reuse",
                     *shared_off = "4 streams, no opportunistic reuse",
                     *single_on = "1 stream, opportunistic reuse",
                     *single_off = "1 stream, no opportunistic reuse";

MemoryPool pool_with(int opportunistic) {
  MemoryPool pool = make_pool(UINT64_MAX);
  check(cudaMemPoolSetAttribute(pool.get(), cudaMemPoolReuseAllowOpportunistic, &opportunistic));
  return pool;
}

class Opportunistic : public Experiment {
 public:
  std::vector<Condition> conditions() override {
    const auto on_us = [this] { return pair_us(on_, 4); };
    const auto off_us = [this] { return pair_us(off_, 4); };
    return {{shared_on, on_us, {off_us}},
            {shared_off, off_us, {on_us}},
            {single_on, [this] { return pair_us(single_on_, 1); }},
            {single_off, [this] { return pair_us(single_off_, 1); }}};
  }

  static Conclusion conclude(const Readings& r) {
    return Conclusion().add(
        r.costs_more(shared_on, shared_off, 1.5, 1.1),
        fmt::format("an allocation of 1 MiB and its free, in turn on 4 streams, take the host {} "
                    "with it and {} without; on one stream {} and {}",
                    r.time(shared_on), r.time(shared_off), r.time(single_on), r.time(single_off)));
  }

 private:
  /// Returns the host's time for an allocation and its free, the mean over many made in turn.
  double pair_us(const MemoryPool& pool, int streams) const {
    const double us = timed_us([&] {
      for (int pair = 0; pair < pairs; ++pair) {
        const cudaStream_t stream = streams_[pair % streams].get();
        void* memory = nullptr;
        check(cudaMallocFromPoolAsync(&memory, bytes, pool.get(), stream));
        check(cudaFreeAsync(memory, stream));
      }
    });
    check(cudaDeviceSynchronize());
    return us / pairs;
  }

  std::array<Stream, 4> streams_{make_stream(), make_stream(), make_stream(), make_stream()};
  // A pool used by several streams stays slower, so the single stream has its own pools.
  MemoryPool on_ = pool_with(1), off_ = pool_with(0);
  MemoryPool single_on_ = pool_with(1), single_off_ = pool_with(0);
};

const Enrolled<Opportunistic> enrolled(
    {.name = "opportunistic",
     .subject = Subject::memory,
     .text = "Does opportunistic reuse cost time if several streams share a pool?",
     .claim = "A pool's reuse flags only save memory, so all of them should stay on.",
     .meaning = "If so, turn cudaMemPoolReuseAllowOpportunistic off for a pool that several "
                "streams share, or give each stream a pool. The pool may then hold more memory.",
     .documentation = "The programming guide explains that the allocator then looks for frees "
                      "that the device has already passed; it names no cost."});

}  // namespace trilane::opportunistic
