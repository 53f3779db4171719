#include "common/measure/ask/parts/experiment.hpp"

namespace trilane::several_passes {

constexpr int all_passes = 16, kernels = 4;
constexpr int sizes[] = {1, 2, 4, 8, 16};
constexpr std::uint64_t bytes = 4 << 10;

std::string in_graphs_of(int passes) {
  return fmt::format("{} passes in graphs of {}", all_passes, passes);
}

class SeveralPasses : public StreamExperiment {
 public:
  std::vector<Condition> conditions() override {
    std::vector<Condition> all;
    for (const int passes : sizes) {
      const auto graph = std::make_shared<Recording>([=, this](cudaStream_t stream) {
        for (int i = 0; i < passes; ++i) issue(stream);
      });
      const auto run = [=, this] { return run_us(*graph, all_passes / passes); };
      const auto twice = [=, this] { return run_us(*graph, 2 * all_passes / passes); };
      const auto half = [run] { return run() / 2; };
      all.push_back({in_graphs_of(passes), run});
      if (passes > 1) all.back().turned_round = {twice, half};
    }
    return all;
  }

  static Conclusion conclude(const Readings& r) {
    Conclusion conclusion;
    std::vector<std::string> times;
    for (const int passes : sizes) {
      times.push_back(fmt::format("{} in graphs of {}", r.time(in_graphs_of(passes)), passes));
      if (passes == 1) continue;
      const auto gains = r.costs_more(in_graphs_of(passes / 2), in_graphs_of(passes), 1.04, 1.02);
      conclusion.add(fmt::format("from {} to {}", passes / 2, passes), gains, "");
    }
    return conclusion.note(
        fmt::format("{} passes of a copy in, {} short kernels and a copy out "
                    "take {}",
                    all_passes, kernels, fmt::join(times, ", ")));
  }

 private:
  void issue(cudaStream_t stream) const {
    copy_to_device(device_.get(), host_.get(), bytes, stream);
    kernel_.enqueue(stream, kernels);
    copy_to_host(host_.get(), device_.get(), bytes, stream);
  }

  double run_us(const Recording& graph, int launches) const {
    return done_us([&] {
      for (int i = 0; i < launches; ++i) graph.launch(stream());
    });
  }

  PinnedBuffer host_ = make_pinned_buffer(bytes);
  DeviceBuffer device_ = make_device_buffer(bytes);
  BusyKernel kernel_{0};
};

const Enrolled<SeveralPasses> enrolled(
    {.name = "passes_in_graph",
     .subject = Subject::graphs,
     .text = "Are several passes in one graph faster than launches of a graph of one?",
     .claim = "The more a graph holds, the faster it runs.",
     .meaning = "Put as many passes into a graph as still gain. The host sees their results only "
                "when the last is done, and memory and instantiation grow with the graph.",
     .documentation = "The programming guide says that a graph lets the driver see more work at "
                      "once, and names no size.",
     .not_modelled = "the gap between two launches of a graph"});

}  // namespace trilane::several_passes
