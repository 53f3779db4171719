#include "common/measure/ask/parts/experiment.hpp"

namespace trilane::within_stream {

constexpr std::uint64_t bytes = 64 << 10;
constexpr const char* same = "bytes copied before they were set, on one stream";

class WithinStream : public StreamExperiment {
 public:
  std::vector<Condition> conditions() override {
    return {{same,
             [this] { return copied_early(stream()); },
             {[this] { return copied_early(other_.get()); }},
             Quantity::count}};
  }

  static Conclusion conclude(const Readings& r) {
    const double most = r.at(same, 1);
    return Conclusion().add(
        most > 0, fmt::format("a copy queued behind a memset, and that behind a kernel "
                              "of 1 ms, had at most {} of {} bytes from before the memset",
                              most, bytes));
  }

 private:
  /// Runs a memset behind a long kernel, and a copy of the set memory on the stream `copying`.
  double copied_early(cudaStream_t copying) {
    check(cudaMemset(device_.get(), 0, bytes));
    check(cudaDeviceSynchronize());
    std::fill_n(host_.get(), bytes, std::byte{0xaa});
    kernel_.enqueue(stream());
    check(cudaMemsetAsync(device_.get(), 1, bytes, stream()));
    copy_to_host(host_.get(), device_.get(), bytes, copying);
    check(cudaDeviceSynchronize());
    return static_cast<double>(bytes) - count_of(host_.get(), bytes, 1);
  }

  Stream other_ = make_stream();
  PinnedBuffer host_ = make_pinned_buffer(bytes);
  DeviceBuffer device_ = make_device_buffer(bytes);
  BusyKernel kernel_{1000};
};

const Enrolled<WithinStream> enrolled(
    {.name = "within_stream",
     .subject = Subject::order,
     .text = "Can operations within a stream run out of order?",
     .claim = "The runtime may reorder a stream if an engine of the device is free.",
     .meaning = "Operations on one stream need no event between them: each begins after the one "
                "before has ended, even if an engine is free.",
     .documentation = "The programming guide defines a stream as a sequence of operations that "
                      "execute in order."});

}  // namespace trilane::within_stream
