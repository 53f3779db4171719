#include "common/measure/ask/parts/experiment.hpp"

namespace trilane::streams_enough {

constexpr int streams[] = {1, 2, 3, 4, 8}, most_streams = 8, chunks = 16;
constexpr std::uint64_t bytes = 4 << 20;  // a copy takes as long as the kernel, about 80 us
constexpr double kernel_us = 80;

std::string on(int count) {
  return fmt::format("{} chunks on {} stream{}", chunks, count, count == 1 ? "" : "s");
}

class StreamsEnough : public Experiment {
 public:
  std::vector<Condition> conditions() override {
    std::vector<Condition> all{{on(1), [this] { return run_us(1, chunks); }}};
    for (std::size_t i = 1; i < std::size(streams); ++i) {
      const int before = streams[i - 1], now = streams[i];
      all.push_back({on(now),
                     [this, now] { return run_us(now, chunks); },
                     {[this, before] { return run_us(before, chunks); },
                      [this, now] { return run_us(now, chunks / 2); }}});
    }
    return all;
  }

  static Conclusion conclude(const Readings& r) {
    Conclusion conclusion;
    for (std::size_t i = 1; i < std::size(streams); ++i) {
      const std::string before = on(streams[i - 1]), now = on(streams[i]);
      conclusion.add(fmt::format("{} instead of {}", streams[i], streams[i - 1]),
                     decided(r.above(before, now, 1.05), r.median(before) <= 1.05 * r.median(now)),
                     fmt::format("{} chunks take {} on {} and {} on {} streams", chunks,
                                 r.time(before), streams[i - 1], r.time(now), streams[i]));
    }
    return conclusion;
  }

 private:
  double run_us(int count, int of) {
    const TimedOnly no_data;  // 128 MiB a run
    return timed_us([&] {
      for (int chunk = 0; chunk < of; ++chunk) {
        const std::size_t lane = chunk % count;
        const cudaStream_t stream = lanes_[lane].stream.get();
        copy_to_device(lanes_[lane].device.get(), in_.get() + chunk * bytes, bytes, stream);
        lanes_[lane].kernel.enqueue(stream);
        copy_to_host(out_.get() + chunk * bytes, lanes_[lane].device.get(), bytes, stream);
      }
      check(cudaDeviceSynchronize());
    });
  }

  struct Lane {
    Stream stream = make_stream();
    DeviceBuffer device = make_device_buffer(bytes);
    BusyKernel kernel{kernel_us};
  };

  PinnedBuffer in_ = make_pinned_buffer(chunks * bytes), out_ = make_pinned_buffer(chunks * bytes);
  std::array<Lane, most_streams> lanes_;
};

const Enrolled<StreamsEnough> enrolled(
    {.name = "streams_enough",
     .subject = Subject::copies,
     .text = "Does every further stream gain something?",
     .claim = "The more streams, the better the overlap.",
     .meaning = "Copies in, kernels and copies out keep three parts of the device busy. Streams "
                "beyond those that gain cost memory and order, and save nothing.",
     .documentation = "The programming guide shows how several streams overlap copies and "
                      "kernels, and recommends no number."});

}  // namespace trilane::streams_enough
