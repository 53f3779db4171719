#include "common/measure/ask/parts/experiment.hpp"

namespace trilane::pool_grows {

constexpr std::uint64_t bytes = 32 << 20;
constexpr int passes = 8;
constexpr const char *same_stream = "the same stream", *other_stream = "another stream",
                     *event_back = "another stream with an event back";

std::string reserved(const char* how) { return fmt::format("reserved, freed on {}", how); }

enum class Free { same, other, event_behind };

class PoolGrows : public Experiment {
 public:
  std::vector<Condition> conditions() override {
    const auto after = [this](Free how) { return [=, this] { return reserved_by(how); }; };
    return {
        {reserved(same_stream), after(Free::same), {after(Free::other)}, Quantity::bytes},
        {reserved(other_stream), after(Free::other), {after(Free::same)}, Quantity::bytes},
        {reserved(event_back), after(Free::event_behind), {after(Free::other)}, Quantity::bytes}};
  }

  static Conclusion conclude(const Readings& r) {
    Conclusion conclusion;
    for (const char* const how : {same_stream, other_stream, event_back}) {
      const double most = r.median(reserved(how)), used = most / static_cast<double>(bytes);
      conclusion.add(fmt::format("a free on {}", how), decided(used > 1.9, used < 1.1),
                     fmt::format("{} are {}", in_words(Quantity::bytes, most), reserved(how)));
    }
    return conclusion.note(
        fmt::format("{} passes each allocated and freed {}", passes, format_bytes(bytes)));
  }

 private:
  /// Returns what a new pool reserves in passes that use one allocation each, while a kernel of an
  /// earlier pass may still run.
  double reserved_by(Free how) {
    const MemoryPool pool = make_pool(UINT64_MAX);
    for (int i = 0; i < passes; ++i) {
      void* memory = nullptr;
      check(cudaMallocFromPoolAsync(&memory, bytes, pool.get(), using_.get()));
      kernel_.enqueue(using_.get());
      if (how == Free::same) {
        check(cudaFreeAsync(memory, using_.get()));
        continue;
      }
      order(using_.get(), freeing_.get(), used_);
      check(cudaFreeAsync(memory, freeing_.get()));
      if (how == Free::other) continue;
      order(freeing_.get(), using_.get(), freed_);
    }
    check(cudaDeviceSynchronize());
    std::uint64_t most = 0;
    check(cudaMemPoolGetAttribute(pool.get(), cudaMemPoolAttrReservedMemHigh, &most));
    return static_cast<double>(most);
  }

  Stream using_ = make_stream(), freeing_ = make_stream();
  OrderingEvent used_, freed_;
  BusyKernel kernel_{500};
};

const Enrolled<PoolGrows> enrolled(
    {.name = "pool_grows",
     .subject = Subject::memory,
     .text = "Does a pool grow when memory is freed on a stream other than the allocating one?",
     .claim = "What is freed is free for every stream.",
     .meaning = "If so, let the allocating stream wait for an event recorded behind the free, or "
                "free on that stream: otherwise the pool takes new memory as long as the device "
                "is behind the host.",
     .documentation = "The programming guide says that memory is reused where events or the "
                      "stream's order show that the free came first, or if it has happened."});

}  // namespace trilane::pool_grows
