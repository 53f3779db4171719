#include "common/measure/ask/parts/experiment.hpp"

namespace trilane::hardware_queues {

constexpr int counts[] = {8, 16, 32, 64}, most_streams = 64;
// Launching on 64 streams takes about a sixth of it.
constexpr double kernel_us = 2000;
constexpr const char *one = "one kernel", *queues = "CUDA_DEVICE_MAX_CONNECTIONS, or its default";

std::string on(int streams) { return fmt::format("two kernels on each of {} streams", streams); }

/// Returns the value that the driver read when the process opened the device.
double queues_wanted() {
  const char* const set = std::getenv("CUDA_DEVICE_MAX_CONNECTIONS");
  return set == nullptr ? 8 : std::atof(set);
}

class HardwareQueues : public Experiment {
 public:
  HardwareQueues() {
    for (int i = 0; i < most_streams; ++i) streams_.push_back(make_stream());
  }

  std::vector<Condition> conditions() override {
    std::vector<Condition> all{{one, [this] { return kernel_.wall_us(streams_[0].get()); }},
                               {queues, queues_wanted, {}, Quantity::count}};
    for (const int count : counts) {
      all.push_back({on(count),
                     [this, count] { return run_us(2 * count, count); },
                     {[this] { return run_us(2, 1); }, [this] { return run_us(8, 1); }}});
    }
    return all;
  }

  static Conclusion conclude(const Readings& r) {
    Conclusion conclusion(counts, [&](int count) -> CaseAnswer {
      const double times = r.median(on(count)) / r.median(one);
      // Concurrent ones take as long as two kernels; delayed ones at least as long as three.
      return {fmt::format("{} streams", count), decided(times > 2.7, times < 2.4),
              fmt::format("{} take {:.1f} times as long as one kernel", on(count), times)};
    });
    return conclusion.note(fmt::format("the driver was asked for {} queues", r.median(queues)));
  }

 private:
  /// Runs that many kernels, both of a stream before those of the next, which may be in its queue.
  double run_us(int kernels, int streams) const {
    return timed_us([&] {
      for (int i = 0; i < kernels; ++i) kernel_.enqueue(streams_[i / 2 % streams].get());
      check(cudaDeviceSynchronize());
    });
  }

  BusyKernel kernel_{kernel_us};
  std::vector<Stream> streams_;
};

const Enrolled<HardwareQueues> enrolled(
    {.name = "hardware_queues",
     .subject = Subject::copies,
     .text = "Do streams hold each other up when there are more of them than hardware queues?",
     .claim = "Any number of streams run side by side.",
     .meaning = "If so, an operation waits behind one of another stream that shares its queue. Use "
                "fewer streams, issue breadth-first, or raise CUDA_DEVICE_MAX_CONNECTIONS before "
                "the program starts.",
     .documentation = "The programming guide gives CUDA_DEVICE_MAX_CONNECTIONS a default of 8 and "
                      "a maximum of 32, and says that more streams than connections share them.",
     .not_modelled = "hardware queues"});

}  // namespace trilane::hardware_queues
