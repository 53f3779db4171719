#include "common/measure/ask/parts/experiment.hpp"

namespace trilane::free_on_other_stream {

constexpr std::uint64_t bytes = 64 << 10;
constexpr const char *overwritten = "bytes of the next allocation overwritten, no event",
                     *with_event = "the same with an event before the free",
                     *same_stream = "free on the stream of the allocation",
                     *other_stream = "event, and free on another stream";

class FreeOnOtherStream : public Experiment {
 public:
  std::vector<Condition> conditions() override {
    const auto unordered = [this] { return most_overwritten(Between::nothing); };
    const auto ordered = [this] { return most_overwritten(Between::event); };
    return {{overwritten, unordered, {ordered}, Quantity::count},
            {with_event, ordered, {unordered}, Quantity::count},
            {same_stream, [this] { return free_us(using_.get()); }},
            {other_stream, [this] { return free_us(freeing_.get()); }}};
  }

  static Conclusion conclude(const Readings& r) {
    const double early = r.at(overwritten, 1), ordered = r.at(with_event, 1);
    return Conclusion().add(
        decided(ordered == 0 && early == 0, ordered == 0 && early > 0),
        fmt::format("without an event before the free, up to {} of {} bytes of the next allocation "
                    "were overwritten, with one {}; event and free take the host {}, a free on "
                    "the stream of the allocation {}",
                    early, bytes, ordered, r.time(other_stream), r.time(same_stream)));
  }

 private:
  enum class Between { nothing, event };

  static void* allocate(cudaStream_t stream) {
    void* memory = nullptr;
    check(cudaMallocAsync(&memory, bytes, stream));
    return memory;
  }

  /// Returns the maximum of several tries, because the effect is random on a simulated device.
  double most_overwritten(Between between) {
    double most = 0;
    for (int i = 0; i < 4; ++i) most = std::max(most, overwritten_bytes(between));
    return most;
  }

  /// Fills memory late on one stream and frees it on another stream, which allocates again and
  /// fills that. Returns the bytes of it that were overwritten.
  double overwritten_bytes(Between between) {
    void* const first = allocate(using_.get());
    check(cudaStreamSynchronize(using_.get()));
    kernel_.enqueue(using_.get());
    check(cudaMemsetAsync(first, 1, bytes, using_.get()));
    if (between == Between::event) order(using_.get(), freeing_.get(), used_);
    check(cudaFreeAsync(first, freeing_.get()));
    void* const next = allocate(freeing_.get());
    if (next != first) throw std::runtime_error("the freed memory was not reused");
    check(cudaMemsetAsync(next, 2, bytes, freeing_.get()));
    check(cudaDeviceSynchronize());
    check(cudaMemcpy(host_.get(), next, bytes, cudaMemcpyDeviceToHost));
    check(cudaFreeAsync(next, freeing_.get()));
    check(cudaDeviceSynchronize());
    return count_of(host_.get(), bytes, 1);
  }

  double free_us(cudaStream_t stream) {
    void* const memory = allocate(using_.get());
    const double us = timed_us([&] {
      if (stream != using_.get()) order(using_.get(), stream, used_);
      check(cudaFreeAsync(memory, stream));
    });
    check(cudaDeviceSynchronize());
    return us;
  }

  Stream using_ = make_stream(), freeing_ = make_stream();
  OrderingEvent used_;
  PinnedBuffer host_ = make_pinned_buffer(bytes);
  BusyKernel kernel_{500};
};

const Enrolled<FreeOnOtherStream> enrolled(
    {.name = "free_on_other_stream",
     .subject = Subject::memory,
     .text = "Does cudaFreeAsync on another stream wait for the work that uses the memory?",
     .claim = "cudaFreeAsync waits for every use of the memory, whichever stream it is given.",
     .meaning = "Memory may be freed on any stream, but the program must order the free after the "
                "last use, by an event. Otherwise the memory is reused while it is in use, and "
                "data is wrong without an error.",
     .documentation = "The programming guide permits it, and requires that the free comes after "
                      "the allocation and after every use."});

}  // namespace trilane::free_on_other_stream
