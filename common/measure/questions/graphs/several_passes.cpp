#include "common/measure/ask/parts/experiment.hpp"

namespace trilane::several_passes {

constexpr int all_passes = 16;
constexpr int numbers[] = {16, 8, 4, 2, 1};  // of graphs
constexpr std::uint64_t bytes = 4 << 10;

struct Pass {
  const char* name;
  int kernels;
  bool copies;
};
constexpr Pass tried[] = {{"one short kernel", 1, false},
                          {"a copy in, 4 short kernels and a copy out", 4, true}};

std::string in(int graphs, const Pass& pass) {
  return fmt::format("{} passes of {} in {} graphs", all_passes, pass.name, graphs);
}

class SeveralPasses : public StreamExperiment {
 public:
  std::vector<Condition> conditions() override {
    std::vector<Condition> all;
    for (const Pass& pass : tried) {
      for (const int graphs : numbers) {
        const auto graph = std::make_shared<Recording>([=, this](cudaStream_t stream) {
          for (int i = 0; i < all_passes / graphs; ++i) issue(pass, stream);
        });
        all.push_back({in(graphs, pass), [=, this] {
                         return done_us([&] {
                           for (int i = 0; i < graphs; ++i) graph->launch(stream());
                         });
                       }});
      }
      all.back().turned_round = {all[all.size() - std::size(numbers)].sample, nothing_us};
    }
    return all;
  }

  static Conclusion conclude(const Readings& r) {
    return Conclusion(tried, [&](const Pass& pass) -> CaseAnswer {
      const auto times = [&](int graphs) { return r.time(in(graphs, pass)); };
      return {pass.name, r.costs_more(in(all_passes, pass), in(1, pass), 1.1, 1.05),
              fmt::format("{} passes of {} take {} in {} graphs", all_passes, pass.name,
                          fmt::join(std::views::transform(numbers, times), ", "),
                          fmt::join(numbers, ", "))};
    });
  }

 private:
  void issue(const Pass& pass, cudaStream_t stream) const {
    if (pass.copies) copy_to_device(device_.get(), host_.get(), bytes, stream);
    kernel_.enqueue(stream, pass.kernels);
    if (pass.copies) copy_to_host(host_.get(), device_.get(), bytes, stream);
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
     .meaning = "Only a pass shorter than a launch gains: the host launches the next graph while "
                "this one runs. The results of all passes are seen only after the last.",
     .documentation = "The programming guide says that a graph lets the driver see more work at "
                      "once, and names no size.",
     .not_modelled = "the gap between two launches of a graph"});

}  // namespace trilane::several_passes
