#include "common/measure/ask/parts/experiment.hpp"
#include "kernels/move.hpp"

namespace trilane::many_streams {

constexpr int rounds = 24, kernels = 256;

/// Work on other streams.
struct Use {
  const char* what = "";
  std::size_t streams = 0;
};
constexpr Use none{}, copies{"copies", 48}, graphs{"graphs", 48}, few{"kernels", 8},
    more{"kernels", 20}, many{"kernels", 48};
constexpr std::array uses{none, copies, graphs, few, more, many};

std::string after(const Use& use) {
  return use.streams == 0 ? "with no other stream"
                          : fmt::format("after {} ran on {} other streams", use.what, use.streams);
}

class ManyStreams : public StreamExperiment {
 public:
  /// Takes all samples, because streams leave a trace even if they are destroyed.
  ManyStreams() {
    const Recording graph([this](cudaStream_t stream) {
      for (int i = 0; i < kernels; ++i) kernel_.enqueue(stream);
    });
    const auto copy = [this](cudaStream_t stream) {
      copy_to_device(memory_.get(), host_.get(), sizeof(unsigned), stream);
    };
    const auto launch = [&](cudaStream_t stream) { graph.launch(stream); };
    const auto run = [this](cudaStream_t stream) { kernel_.enqueue(stream); };
    take(graph, none, run);
    take(graph, copies, copy);
    take(graph, graphs, launch);
    for (const Use& use : {few, more, many}) take(graph, use, run);
  }

  std::vector<Condition> conditions() override {
    std::vector<Condition> all;
    for (const Use& use : uses) all.push_back({after(use), taken(use)});
    all.back().turned_round = {taken(none), [one = taken(none)]() mutable { return 2 * one(); }};
    return all;
  }

  std::uint32_t most_rounds() const override { return rounds - 1; }  // one is the warm-up

  static Conclusion conclude(const Readings& r) {
    const auto time = [&](const Use& use) { return r.time(after(use)) + " " + after(use); };
    // Each work comes after the work before it, which has left its trace.
    const std::pair<Use, Use> cases[]{{none, copies}, {copies, graphs}, {graphs, many}};
    return Conclusion(cases,
                      [&](const auto& two) -> CaseAnswer {
                        const auto& [before, use] = two;
                        return {use.what, r.costs_more(after(use), after(before), 1.05, 1.02), ""};
                      })
        .note(fmt::format("a graph of {} kernels takes {}", kernels,
                          fmt::join(transformed(uses, time), ", then ")));
  }

 private:
  void take(const Recording& graph, const Use& use, const auto& enqueue) {
    while (streams_.size() < use.streams) streams_.push_back(make_stream());
    for (std::size_t i = 0; i < use.streams; ++i) enqueue(streams_[i].get());
    check(cudaDeviceSynchronize());
    for (int i = 0; i < rounds; ++i) {
      samples_[after(use)].push_back(done_us([&] { graph.launch(stream()); }));
    }
  }

  std::function<double()> taken(const Use& use) {
    return
        [&samples = samples_[after(use)], next = 0]() mutable { return samples[next++ % rounds]; };
  }

  PinnedBuffer host_ = make_pinned_buffer(sizeof(unsigned));
  DeviceBuffer memory_ = make_device_buffer(sizeof(unsigned));
  Operation kernel_{clear_launch(memory_.get(), sizeof(unsigned))};
  std::vector<Stream> streams_;
  std::map<std::string, std::vector<double>> samples_;
};

const Enrolled<ManyStreams> enrolled(
    {.name = "many_streams",
     .subject = Subject::graphs,
     .text = "Is a graph slower once other work has run on many streams?",
     .claim = "Streams that are idle cost nothing.",
     .meaning = "If so, run kernels on few streams, and keep these: destroying them does not help. "
                "A library that uses many can be all that two timings of one graph differ by.",
     .documentation = "The programming guide does not say so.",
     .not_modelled = "what many streams do to graphs",
     .first = true});

}  // namespace trilane::many_streams
