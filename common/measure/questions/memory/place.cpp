#include "common/measure/ask/parts/experiment.hpp"
#include "kernels/move.hpp"

namespace trilane::place {

constexpr int kernels = 256, blocks = 16, tries = 5;
constexpr std::uint64_t bytes = 4 << 20;  // of a block
constexpr const char *fastest = "kernels on the fastest block", *slowest = "on the slowest block";

class Place : public StreamExperiment {
 public:
  /// Finds the two blocks. They are measured again, so that no luck of this choice counts.
  Place() {
    for (int i = 0; i < blocks; ++i) {
      memory_.push_back(make_device_buffer(bytes));
      Recording graph([this](cudaStream_t stream) {
        Operation kernel(clear_launch(memory_.back().get(), sizeof(unsigned)));
        for (int k = 0; k < kernels; ++k) kernel.enqueue(stream);
      });
      double us = launch_us(graph);
      for (int k = 1; k < tries; ++k) us = std::min(us, launch_us(graph));
      by_time_.emplace(us, std::move(graph));
    }
  }

  std::vector<Condition> conditions() override {
    const auto fast = [this] { return launch_us(by_time_.begin()->second); };
    return {{fastest, fast},
            {slowest, [this] { return launch_us(by_time_.rbegin()->second); }, {fast, [fast] {
                                                                                  return 2 * fast();
                                                                                }}}};
  }

  static Conclusion conclude(const Readings& r) {
    return Conclusion().add(
        r.costs_more(slowest, fastest, 1.05, 1.02),
        fmt::format("a graph of {} kernels that write a word each takes {} or {}, by which of {} "
                    "blocks of {} they write to",
                    kernels, r.time(fastest), r.time(slowest), blocks, format_bytes(bytes)));
  }

 private:
  double launch_us(const Recording& graph) const {
    return done_us([&] { graph.launch(stream()); });
  }

  std::vector<DeviceBuffer> memory_;
  std::multimap<double, Recording> by_time_;
};

const Enrolled<Place> enrolled(
    {.name = "memory_place",
     .subject = Subject::memory,
     .text = "Do short kernels take longer in one part of the device's memory than in another?",
     .claim = "All of the device's memory is equally fast.",
     .meaning = "If so, two processes or two allocations differ by that alone. Compare over "
                "several processes, and do not explain such a difference by the code.",
     .documentation = "NVIDIA's descriptions of the A100 and H100 show an L2 cache of two "
                      "partitions, each near to half of the SMs. The programming guide does not "
                      "mention it.",
     .not_modelled = "where memory is"});

}  // namespace trilane::place
