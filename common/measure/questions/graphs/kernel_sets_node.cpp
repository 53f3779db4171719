#include "common/measure/ask/parts/graph_code.hpp"

namespace trilane::kernel_sets_node {

constexpr unsigned count = 16;
constexpr const char *by_kernel = "16 nodes set by a kernel, and the launch",
                     *by_host = "16 nodes set by the host, and the launch",
                     *unset = "the launch of the graph as it is";

class KernelSetsNode : public StreamExperiment {
 public:
  KernelSetsNode() {
    check(cudaMemsetAsync(word(0), 1, 4 * sizeof(unsigned), stream()));
    std::vector<cudaGraphDeviceNode_t> known;
    for (unsigned i = 0; i < count; ++i) {
      const auto before = std::span(nodes_).last(i == 0 ? 0 : 1);
      nodes_.push_back(counting(0).add_to(graph_.get(), before));
      known.push_back(GraphCode::settable(nodes_.back()));
    }
    check(cudaMemcpy(on_device_.get(), known.data(), count * sizeof known[0], cudaMemcpyDefault));
    executable_ = code_.ready(graph_);
  }

  std::vector<Condition> conditions() override {
    const auto kernel_us = [this] { return decided_us([this] { set_by_kernel(); }); };
    const auto host_us = [this] { return decided_us([this] { set_by_host(); }); };
    return {{by_kernel, kernel_us, {host_us}},
            {by_host, host_us, {kernel_us}},
            {unset, [this] { return done_us([this] { launch(); }); }}};
  }

  static Conclusion conclude(const Readings& r) {
    return Conclusion().add(
        r.costs_more(by_host, by_kernel, 1.2, 1.05),
        fmt::format("after a decision on the device, a graph whose 16 nodes depend on it is done "
                    "after {} if a kernel sets them, and after {} if the host does, which has the "
                    "decision copied back; unchanged it takes {}",
                    r.time(by_kernel), r.time(by_host), r.time(unset)));
  }

 private:
  /// Returns a word on the device: two counters, which of them counts, and one that is not 0.
  unsigned* word(int number) const { return reinterpret_cast<unsigned*>(words_.get()) + number; }

  Operation counting(int counter) const {
    return Operation(code_.launch("trilane_count_if", 1, word(3), word(counter)));
  }

  void launch() const { check(cudaGraphLaunch(executable_.get(), stream())); }

  void set_by_kernel() const {
    code_.enqueue(stream(), "trilane_set_operands", count, on_device_.get(), word(2), word(0));
  }

  void set_by_host() const {
    copy_to_host(host_.get(), word(2), 1, stream());
    synchronise();
    Operation kernel = counting(std::to_integer<int>(*host_));
    for (const cudaGraphNode_t node : nodes_) kernel.set_on(executable_.get(), node);
  }

  /// Returns the time of a decision on the device, of `set` and of the launch. Throws
  /// std::runtime_error if the nodes have not counted where it decided.
  double decided_us(const std::function<void()>& set) {
    counter_ = 1 - counter_;
    check(cudaMemsetAsync(word(0), 0, 3 * sizeof(unsigned), stream()));
    synchronise();
    const double us = done_us([&] {
      check(cudaMemsetAsync(word(2), counter_, 1, stream()));
      set();
      launch();
    });
    unsigned counted = 0;
    check(cudaMemcpy(&counted, word(counter_), sizeof counted, cudaMemcpyDefault));
    if (counted != count) throw std::runtime_error("a node kept its old operand");
    return us;
  }

  int counter_ = 0;  // that is decided for
  GraphCode code_;
  DeviceBuffer words_ = make_device_buffer(4 * sizeof(unsigned)),
               on_device_ = make_device_buffer(count * sizeof(cudaGraphDeviceNode_t));
  PinnedBuffer host_ = make_pinned_buffer(1);
  Graph graph_ = make_graph();
  std::vector<cudaGraphNode_t> nodes_;
  GraphExec executable_;
};

const Enrolled<KernelSetsNode> enrolled(
    {.name = "kernel_sets_node",
     .subject = Subject::graphs,
     .text = "Is it faster to let a kernel set an operand that the device has decided?",
     .claim = "Only the host can change the operands of an executable graph.",
     .meaning = "If so, make such nodes updatable by the device, and set them in a kernel ahead of "
                "the launch: the host need not wait for the decision.",
     .documentation = "The programming guide describes device node updates without a figure.",
     .not_modelled = "nodes that kernels set"});

}  // namespace trilane::kernel_sets_node
