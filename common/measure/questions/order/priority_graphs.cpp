#include "common/measure/ask/parts/backlog.hpp"

namespace trilane::priority_graphs {

constexpr int long_kernels = 5;
constexpr const char *alone = "a graph of a short kernel alone",
                     *neither = "behind long kernels, no high priority",
                     *kernel = "the kernel without a graph, high priority",
                     *launched = "launched on a high-priority stream",
                     *captured = "captured on one",
                     *by_nodes = "captured on one, with UseNodePriority";

class PriorityGraphs : public Experiment {
 public:
  std::vector<Condition> conditions() override {
    const auto graph = [this](const GraphExec& executable, const OwnStream& stream) {
      return [this, &executable, &stream] { return graph_us(executable, stream, long_kernels); };
    };
    const auto low_us = graph(on_low_, low_), high_us = graph(on_low_, high_);
    const auto alone_us = [this] { return graph_us(on_low_, low_, 0); };
    const auto kernel_us = [this] {
      return run_us([this](cudaStream_t on) { short_.enqueue(on); }, high_, long_kernels);
    };
    return {{alone, alone_us},
            {neither, low_us},
            {kernel, kernel_us},
            {launched, high_us, {low_us}},
            {captured, graph(on_high_, low_), {low_us, kernel_us}},
            {by_nodes, graph(by_nodes_, low_), {low_us, kernel_us}}};
  }

  static Conclusion conclude(const Readings& r) {
    // If even a plain kernel gains nothing, priorities do not help here, and graphs show nothing.
    const bool helps = sooner(r, kernel, neither, alone) == true;
    Conclusion conclusion;
    for (const char* const way : {launched, captured, by_nodes}) {
      conclusion.add(way, helps ? sooner(r, way, neither, alone) : std::nullopt,
                     fmt::format("{} it is done after {}", way, r.time(way)));
    }
    return conclusion.note(
        fmt::format("{}, a graph of a kernel of 10 us is done after {}, {}, after {}, and alone "
                    "after {}",
                    neither, r.time(neither), kernel, r.time(kernel), r.time(alone)));
  }

 private:
  GraphExec make(const OwnStream& captured_on, unsigned long long flags) const {
    return instantiate(capture([this](cudaStream_t on) { short_.enqueue(on); }, captured_on.get()),
                       flags);
  }

  double run_us(const std::function<void(cudaStream_t)>& issue, const OwnStream& stream,
                int kernels) const {
    return run_behind(
               streams_, kernels, [this](cudaStream_t on) { long_.enqueue(on); }, issue, stream)
        .done_us;
  }

  double graph_us(const GraphExec& executable, const OwnStream& stream, int kernels) const {
    return run_us([&](cudaStream_t on) { check(cudaGraphLaunch(executable.get(), on)); }, stream,
                  kernels);
  }

  BusyKernel long_{200, Extent::all_sms}, short_{10};
  std::vector<OwnStream> streams_ = low_streams(long_kernels);
  OwnStream low_ = make_stream(Priority::low), high_ = make_stream(Priority::high);
  GraphExec on_low_ = make(low_, 0), on_high_ = make(high_, 0),
            by_nodes_ = make(high_, cudaGraphInstantiateFlagUseNodePriority);
};

const Enrolled<PriorityGraphs> enrolled(
    {.name = "priority_graphs",
     .subject = Subject::order,
     .text = "Which stream gives a graph's kernels a high priority: that of the capture, or that "
             "of the launch?",
     .claim = "A graph keeps the priority of the stream on which it was captured.",
     .meaning = "Launch the graph on a stream of the wanted priority. If only some of its kernels "
                "are urgent, capture them on a high-priority stream and instantiate with "
                "cudaGraphInstantiateFlagUseNodePriority.",
     .documentation = "The runtime's reference says that capture copies a stream's priority to "
                      "kernel nodes, and that only this flag makes a graph use it.",
     .not_modelled = "stream priorities, and kernels that leave no room on the SMs for others"});

}  // namespace trilane::priority_graphs
