#include "common/measure/ask/parts/experiment.hpp"

namespace trilane::child_graphs {

constexpr int children = 16, kernels = 8;
constexpr const char *flat = "a flat graph", *nested = "a graph of child graphs",
                     *flat_made = "instantiation of a flat graph",
                     *nested_made = "instantiation of a graph of child graphs";

class ChildGraphs : public StreamExperiment {
 public:
  std::vector<Condition> conditions() override {
    const auto run = [this](const Recording& graph, int times = 1) {
      return [&graph, times, this] {
        return done_us([&] {
          for (int i = 0; i < times; ++i) graph.launch(stream());
        });
      };
    };
    const auto make = [](const Graph& graph) {
      return [&graph] { return timed_us([&] { instantiate(graph); }); };
    };
    return {{flat, run(flat_)},
            {nested, run(nested_), {run(nested_, 2)}},
            {flat_made, make(flat_graph_)},
            {nested_made, make(nested_graph_)}};
  }

  static Conclusion conclude(const Readings& r) {
    return Conclusion().add(
        r.costs_more(nested, flat, 1.1, 1.05),
        fmt::format("{} kernels take {} as {} child graphs and {} in one graph; instantiation "
                    "takes {} and {}",
                    children * kernels, r.time(nested), children, r.time(flat), r.time(nested_made),
                    r.time(flat_made)));
  }

 private:
  Graph chain(int number) const {
    return capture([&](cudaStream_t stream) { kernel_.enqueue(stream, number); });
  }

  Graph chain_of_children() const {
    Graph graph = make_graph();
    const Graph child = chain(kernels);
    cudaGraphNode_t last = nullptr;
    for (int i = 0; i < children; ++i) {
      cudaGraphNode_t node = nullptr;
      check(cudaGraphAddChildGraphNode(&node, graph.get(), &last, i == 0 ? 0 : 1, child.get()));
      last = node;
    }
    return graph;
  }

  BusyKernel kernel_{0};
  Graph flat_graph_ = chain(children * kernels), nested_graph_ = chain_of_children();
  Recording flat_{chain(children * kernels)}, nested_{chain_of_children()};
};

const Enrolled<ChildGraphs> enrolled(
    {.name = "child_graphs",
     .subject = Subject::graphs,
     .text = "Do child graphs cost a launch more than their nodes would?",
     .claim = "Each child graph is a launch of its own.",
     .meaning = "If not, build graphs from parts that others captured: the driver inlines them.",
     .documentation = "The reference says that a child graph is cloned into the node, and names "
                      "no cost.",
     .not_modelled = "child graphs"});

}  // namespace trilane::child_graphs
