#include "common/measure/ask/parts/experiment.hpp"

namespace trilane::executable_memory {

constexpr int graphs = 32, nodes = 256;
constexpr std::uint64_t bytes = 4 << 10;

const std::string kinds[] = {"kernels", "copies", "memsets"};

std::string held_by(const std::string& kind) { return "held by graphs of " + kind; }
std::string left_by(const std::string& kind) { return held_by(kind) + " that are destroyed"; }

std::string size(double held) { return in_words(Quantity::bytes, std::max(0.0, held)); }

class ExecutableMemory : public StreamExperiment {
 public:
  ExecutableMemory() {
    held_by_graphs(0, 1);
    at_first_ = free_bytes();
  }

  std::vector<Condition> conditions() override {
    std::vector<Condition> all;
    for (int kind = 0; kind < 3; ++kind) {
      const auto held = [=, this] { return held_by_graphs(kind, graphs); };
      const auto left = [=, this] { return held(), held_bytes(); };
      const auto nothing = [] { return 0.0; };
      all.push_back({held_by(kinds[kind]), held, {}, Quantity::bytes});
      all.push_back({left_by(kinds[kind]), left, {held, nothing}, Quantity::bytes});
    }
    return all;
  }

  static Conclusion conclude(const Readings& r) {
    return Conclusion(kinds, [&](const std::string& kind) -> CaseAnswer {
      const double held = r.median(held_by(kind)), left = r.median(left_by(kind));
      return {kind, decided(4 * left < held, 3 * held < 4 * left),
              fmt::format("{} executable graphs of {} {} hold {} of device memory, and {} "
                          "are held when they are destroyed",
                          graphs, nodes, kind, size(held), size(left))};
    });
  }

 private:
  static double free_bytes() {
    std::size_t free = 0, all = 0;
    check(cudaMemGetInfo(&free, &all));
    return static_cast<double>(free);
  }

  double held_bytes() const { return at_first_ - free_bytes(); }

  /// Returns what is held while `count` graphs, each launched once, wait to be destroyed.
  double held_by_graphs(int kind, int count) {
    const Graph graph = capture([&](cudaStream_t stream) {
      for (int i = 0; i < nodes; ++i) issue(kind, stream);
    });
    std::vector<GraphExec> made;
    for (int i = 0; i < count; ++i) {
      made.push_back(instantiate(graph));
      check(cudaGraphLaunch(made.back().get(), stream()));
    }
    synchronise();
    return held_bytes();
  }

  void issue(int kind, cudaStream_t stream) const {
    switch (kind) {
      case 0: return kernel_.enqueue(stream);
      case 1: return copy_to_device(device_.get(), host_.get(), bytes, stream);
      default: return check(cudaMemsetAsync(device_.get(), 0, bytes, stream));
    }
  }

  BusyKernel kernel_{0};
  PinnedBuffer host_ = make_pinned_buffer(bytes);
  DeviceBuffer device_ = make_device_buffer(bytes);
  double at_first_ = 0;
};

const Enrolled<ExecutableMemory> enrolled(
    {.name = "graph_destroyed",
     .subject = Subject::graphs,
     .text = "Does destroying executable graphs give their device memory back?",
     .claim = "An executable graph takes no device memory besides that of its operands.",
     .meaning =
         "If it does not, the device keeps for later graphs what executable graphs once took. "
         "Bound how many exist at a time: update one instead of making another.",
     .documentation = "The reference says that a graph's work buffers are on the device once it "
                      "is uploaded, and names no size.",
     .not_modelled = "device memory that executable graphs take"});

}  // namespace trilane::executable_memory
