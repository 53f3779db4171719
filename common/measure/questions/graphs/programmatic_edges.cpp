#include "common/measure/ask/parts/experiment.hpp"
#include "kernels/transform.hpp"

namespace trilane::programmatic_edges {

constexpr int kernels = 64;
constexpr std::uint64_t words = 1024;
constexpr const char *by_calls = "chain by calls", *early_calls = "early chain by calls",
                     *by_graph = "graph of the chain", *early_graph = "graph of the early chain",
                     *edges = "programmatic edges of the captured graph";

enum class Start { after, early };

class ProgrammaticEdges : public StreamExperiment {
 public:
  std::vector<Condition> conditions() override {
    const auto calls = [this](Start start) {
      return [=, this] { return done_us([&] { issue(start, stream()); }); };
    };
    const auto graph = [this](const Recording& recorded) {
      return [&recorded, this] { return done_us([&] { recorded.launch(stream()); }); };
    };
    return {{by_calls, calls(Start::after)},
            {early_calls, calls(Start::early)},
            {by_graph, graph(plain_)},
            {early_graph, graph(early_), {graph(plain_)}},
            {edges,
             [this] { return static_cast<double>(early_.programmatic_edges().value); },
             {},
             Quantity::count}};
  }

  static Conclusion conclude(const Readings& r) {
    return Conclusion().add(
        r.costs_more(by_graph, early_graph, 1.1, 1.04),
        fmt::format("{} short kernels take {} as a graph, and {} with {:.0f} programmatic edges; "
                    "by calls {}, and {} if each may start early",
                    kernels, r.time(by_graph), r.time(early_graph), r.median(edges),
                    r.time(by_calls), r.time(early_calls)));
  }

 private:
  void issue(Start start, cudaStream_t stream) const {
    auto* const in = reinterpret_cast<std::uint32_t*>(memory_.get());
    for (int i = 0; i < kernels; ++i) {
      Operation kernel(transform_launch(in, in + words, words, words, 0, 1), {}, true);
      start == Start::early ? kernel.enqueue_early(stream) : kernel.enqueue(stream);
    }
  }

  DeviceBuffer memory_ = make_device_buffer(2 * words * sizeof(std::uint32_t));
  Recording plain_{[this](cudaStream_t stream) { issue(Start::after, stream); }};
  Recording early_{[this](cudaStream_t stream) { issue(Start::early, stream); }};
};

const Enrolled<ProgrammaticEdges> enrolled(
    {.name = "programmatic_edges",
     .subject = Subject::graphs,
     .text = "Does programmatic dependent launch gain in a graph, too?",
     .claim = "A graph of the same calls has nothing left that programmatic launch could gain.",
     .meaning = "If so, write kernels that wait with cudaGridDependencySynchronize, and capture "
                "the launches with the attribute: the graph keeps it as programmatic edges.",
     .documentation = "The programming guide says that a capture turns programmatic launches into "
                      "programmatic edges.",
     .not_modelled = "kernels that start early"});

}  // namespace trilane::programmatic_edges
