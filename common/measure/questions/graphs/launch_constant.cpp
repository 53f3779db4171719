#include "common/measure/ask/parts/experiment.hpp"

namespace trilane::launch_constant {

constexpr int few = 16, many = 256;
constexpr std::uint64_t bytes = 4 << 10;
const std::string kinds[] = {"kernels", "copies in", "memsets", "copies out"};

std::string launch_of(int nodes, const std::string& kind) {
  return fmt::format("launch of {} {}", nodes, kind);
}

class LaunchConstant : public StreamExperiment {
 public:
  std::vector<Condition> conditions() override {
    std::vector<Condition> all;
    for (int kind = 0; kind < 4; ++kind) {
      for (const int nodes : {few, many}) all.push_back(launching(kind, nodes));
    }
    return all;
  }

  static Conclusion conclude(const Readings& r) {
    return Conclusion(kinds, [&](const std::string& kind) -> CaseAnswer {
      const double a = r.median(launch_of(few, kind)), b = r.median(launch_of(many, kind));
      // 16 times the nodes: proportional growth would give 16 times the time.
      return {
          kind, decided(b < 2 * a, 4 * a < b),
          fmt::format("{} {} take {}, {} {}", few, kind, time_in_words(a), many, time_in_words(b))};
    });
  }

 private:
  Condition launching(int kind, int nodes) {
    const auto graph = std::make_shared<Recording>([this, kind, nodes](cudaStream_t stream) {
      for (int i = 0; i < nodes; ++i) issue(kind, stream);
    });
    const auto launch = [this, graph] { return issued_us([&] { graph->launch(stream()); }); };
    return {launch_of(nodes, kinds[kind]),
            launch,
            {[launch] { return launch() / 100; }, [launch] { return launch() * 100; }}};
  }

  void issue(int kind, cudaStream_t stream) {
    switch (kind) {
      case 0: return kernel_.enqueue(stream);
      case 1: return copy_to_device(device_.get(), host_.get(), bytes, stream);
      case 2: return check(cudaMemsetAsync(device_.get(), 0, bytes, stream));
      default: return copy_to_host(host_.get(), device_.get(), bytes, stream);
    }
  }

  PinnedBuffer host_ = make_pinned_buffer(bytes);
  DeviceBuffer device_ = make_device_buffer(bytes);
  BusyKernel kernel_{0};
};

const Enrolled<LaunchConstant> enrolled(
    {.name = "launch_constant",
     .subject = Subject::graphs,
     .text = "Is the host's time to launch a graph constant in its number of nodes?",
     .claim = "Launching a graph takes the host the same time however many nodes it has.",
     .meaning = "Graphs of kernels alone launch in next to no time; every copy and memset in them "
                "costs the host about a microsecond at each launch. Fewer, larger copies help more "
                "than fewer kernels.",
     .documentation = "NVIDIA's description of constant-time launch names straight-line graphs of "
                      "kernels."});

}  // namespace trilane::launch_constant
