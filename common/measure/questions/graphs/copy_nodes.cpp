#include "common/measure/ask/parts/experiment.hpp"

namespace trilane::copy_nodes {

constexpr int copies = 64;
constexpr std::uint64_t bytes = 4 << 10;

enum class Way { in, out };
constexpr Way ways[] = {Way::in, Way::out};
enum class Until { issued, done };

std::string copies_of(Way way) {
  return fmt::format("{} copies {}", copies, way == Way::in ? "in" : "out");
}
std::string calls(Way way, Until until) {
  return copies_of(way) + (until == Until::issued ? " issued by calls" : " done by calls");
}
std::string graph(Way way, Until until) {
  return copies_of(way) + (until == Until::issued ? " issued by a graph" : " done by a graph");
}

class CopyNodes : public StreamExperiment {
 public:
  std::vector<Condition> conditions() override {
    std::vector<Condition> all;
    for (const Way way : ways) {
      const auto recorded =
          std::make_shared<Recording>([=, this](cudaStream_t stream) { issue(way, stream); });
      for (const Until until : {Until::issued, Until::done}) {
        const auto by_calls = [=, this] { return run_us(until, [&] { issue(way, stream()); }); };
        const auto by_graph = [=, this] {
          return run_us(until, [&] { recorded->launch(stream()); });
        };
        all.push_back({calls(way, until), by_calls});
        all.push_back({graph(way, until), by_graph});
        if (until == Until::issued) {
          all.back().turned_round = {by_calls, [by_graph] { return by_graph() / 8; }};
        }
      }
    }
    return all;
  }

  static Conclusion conclude(const Readings& r) {
    return Conclusion(ways, [&](Way way) -> CaseAnswer {
      const auto times = [&](Until until) {
        return fmt::format("{} and {}", r.time(calls(way, until)), r.time(graph(way, until)));
      };
      return {copies_of(way),
              r.costs_more(calls(way, Until::issued), graph(way, Until::issued), 2.5, 2.2),
              fmt::format("{} of {} take the host {} by calls and as a graph, and are done after "
                          "{}",
                          copies_of(way), format_bytes(bytes), times(Until::issued),
                          times(Until::done))};
    });
  }

 private:
  void issue(Way way, cudaStream_t stream) const {
    for (int i = 0; i < copies; ++i) {
      std::byte *const host = host_.get() + i * bytes, *const device = device_.get() + i * bytes;
      way == Way::in ? copy_to_device(device, host, bytes, stream)
                     : copy_to_host(host, device, bytes, stream);
    }
  }

  double run_us(Until until, const std::function<void()>& enqueue) const {
    return until == Until::issued ? issued_us(enqueue) : done_us(enqueue);
  }

  PinnedBuffer host_ = make_pinned_buffer(copies * bytes);
  DeviceBuffer device_ = make_cleared_buffer(copies * bytes);
};

const Enrolled<CopyNodes> enrolled(
    {.name = "copy_nodes",
     .subject = Subject::graphs,
     .text = "Does a graph make many small copies much cheaper for the host?",
     .claim = "In a graph a copy costs the host as little as a kernel does.",
     .meaning = "If not, join the copies into one, let a kernel move the bytes from mapped "
                "memory, or use a batch: a graph alone saves little.",
     .documentation = "NVIDIA's description of constant-time launch names straight-line graphs of "
                      "kernels."});

}  // namespace trilane::copy_nodes
