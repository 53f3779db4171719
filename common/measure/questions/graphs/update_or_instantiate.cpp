#include "common/measure/ask/parts/experiment.hpp"
#include "kernels/move.hpp"

namespace trilane::update_or_instantiate {

constexpr int sizes[] = {16, 256};
constexpr std::uint64_t words = 1024;

std::string update_of(int nodes) { return fmt::format("update of {} kernels", nodes); }
std::string again_of(int nodes) { return fmt::format("{} kernels instantiated again", nodes); }
std::string all_of(int nodes) { return fmt::format("parameters of all {} kernels", nodes); }
std::string single_of(int nodes) { return fmt::format("parameters of 1 of {} kernels", nodes); }

struct Chain {
  Graph graph;
  std::vector<cudaGraphNode_t> nodes = {};
};

Chain chain_of(int nodes, Operation kernel) {
  Chain chain{make_graph()};
  for (int i = 0; i < nodes; ++i) {
    chain.nodes.push_back(
        kernel.add_to(chain.graph.get(), std::span(chain.nodes).last(i == 0 ? 0 : 1)));
  }
  return chain;
}

class UpdateOrInstantiate : public Experiment {
 public:
  std::vector<Condition> conditions() override {
    std::vector<Condition> all;
    for (const int nodes : sizes) {
      Chain first = chain_of(nodes, kernel_to(0));
      const auto made = std::make_shared<Recording>(std::move(first.graph));
      const auto one = std::make_shared<Graph>(chain_of(nodes, kernel_to(1)).graph);
      const auto other = std::make_shared<Graph>(chain_of(nodes, kernel_to(2)).graph);
      // Re-instantiating also requires destroying the old executable graph.
      const auto again = [other] { return timed_us([&] { instantiate(*other); }); };
      // Alternates, so that every update changes all operands.
      const auto update = [made, one, other, turn = 0]() mutable {
        const Graph& to = turn++ % 2 == 0 ? *one : *other;
        return timed_us([&] { made->update(to); });
      };
      auto set = [this, made, nodes_of = first.nodes, turn = 0](std::size_t some) mutable {
        Operation kernel = kernel_to(turn++ % 2);
        return timed_us([&] {
          for (std::size_t i = 0; i < some; ++i) kernel.set_on(made->executable(), nodes_of[i]);
        });
      };
      all.push_back({update_of(nodes), update, {again}});
      all.push_back({again_of(nodes), again, {update}});
      all.push_back({single_of(nodes), [set]() mutable { return set(1); }});
      all.push_back({all_of(nodes), [set, nodes]() mutable { return set(nodes); }});
    }
    return all;
  }

  static Conclusion conclude(const Readings& r) {
    return Conclusion(sizes, [&](int nodes) -> CaseAnswer {
      const std::string update = update_of(nodes), again = again_of(nodes);
      return {fmt::format("{} nodes", nodes), r.costs_more(again, update, 1.5, 1.1),
              fmt::format("for {} kernels an update takes {}, instantiating again {}, and "
                          "new parameters for one of them {}, for all {}",
                          nodes, r.time(update), r.time(again), r.time(single_of(nodes)),
                          r.time(all_of(nodes)))};
    });
  }

 private:
  Operation kernel_to(int target) const {
    auto* const memory = reinterpret_cast<std::uint32_t*>(memory_.get());
    return Operation(
        copy_launch(memory, memory + words * (target + 1), words * sizeof(std::uint32_t)));
  }

  DeviceBuffer memory_ = make_device_buffer(4 * words * sizeof(std::uint32_t));
};

const Enrolled<UpdateOrInstantiate> enrolled(
    {.name = "update_or_instantiate",
     .subject = Subject::graphs,
     .text = "Is it cheaper to update an executable graph than to instantiate it again?",
     .claim = "When parameters change, a graph must be instantiated again.",
     .meaning = "If so, update a graph whose operands change. If only a few nodes change, set "
                "their parameters: an update visits every node.",
     .documentation = "The programming guide recommends an update if the graph's shape stays the "
                      "same, and setting single nodes if few change."});

}  // namespace trilane::update_or_instantiate
