#include "common/measure/ask/parts/experiment.hpp"
#include "kernels/move.hpp"

namespace trilane::many_streams {

constexpr int rounds = 24;
constexpr std::array<std::size_t, 4> counts{12, 20, 32, 48};  // of streams

struct Shape {
  const char* name;
  int rows, kernels;
};
constexpr Shape shapes[] = {{"256 kernels in a row", 1, 256}, {"4 rows of 64 kernels", 4, 64}};

std::string after(const Shape& shape, std::size_t streams) {
  return fmt::format("a graph of {}, after kernels ran on {} streams", shape.name, streams);
}

class ManyStreams : public StreamExperiment {
 public:
  /// Takes all samples, because streams leave a trace even if they are destroyed.
  ManyStreams() {
    std::vector<Stream> streams;
    while (streams.size() < counts.back()) streams.push_back(make_stream());
    for (const std::size_t count : counts) {
      for (std::size_t i = 0; i < count; ++i) kernel_.enqueue(streams[i].get());
      check(cudaDeviceSynchronize());
      for (const Shape& shape : shapes) {
        const Recording graph(graph_of(shape));
        for (int i = 0; i < rounds; ++i) {
          samples_[after(shape, count)].push_back(done_us([&] { graph.launch(stream()); }));
        }
      }
    }
  }

  std::vector<Condition> conditions() override {
    std::vector<Condition> all;
    const auto taken = [this](const std::string& name) {
      return [&samples = samples_[name], next = 0]() mutable { return samples[next++ % rounds]; };
    };
    for (const Shape& shape : shapes) {
      const auto first = taken(after(shape, counts.front()));
      const auto twice = [one = first]() mutable { return 2 * one(); };
      for (const std::size_t count : counts) {
        all.push_back({after(shape, count), taken(after(shape, count))});
      }
      all.back().turned_round = {first, twice};
    }
    return all;
  }

  std::uint32_t most_rounds() const override { return rounds - 1; }  // one is the warm-up

  static Conclusion conclude(const Readings& r) {
    return Conclusion(shapes, [&](const Shape& shape) -> CaseAnswer {
      const auto times = [&](std::size_t count) { return r.time(after(shape, count)); };
      return {shape.name,
              r.costs_more(after(shape, counts.back()), after(shape, counts.front()), 1.05, 1.02),
              fmt::format("a graph of {} takes {} after kernels ran on {} streams", shape.name,
                          fmt::join(transformed(counts, times), ", "), fmt::join(counts, ", "))};
    });
  }

 private:
  Graph graph_of(const Shape& shape) {
    Graph graph = make_graph();
    for (int row = 0; row < shape.rows; ++row) {
      std::vector<cudaGraphNode_t> before;
      for (int i = 0; i < shape.kernels; ++i) before = {kernel_.add_to(graph.get(), before)};
    }
    return graph;
  }

  DeviceBuffer memory_ = make_device_buffer(sizeof(unsigned));
  Operation kernel_{clear_launch(memory_.get(), sizeof(unsigned))};
  std::map<std::string, std::vector<double>> samples_;
};

const Enrolled<ManyStreams> enrolled(
    {.name = "many_streams",
     .subject = Subject::graphs,
     .text = "Are graphs slower once kernels have run on many streams?",
     .claim = "Streams that are idle cost nothing.",
     .meaning = "If so, use few streams, and keep them: destroying them does not help. A library "
                "that uses many can be the whole difference between two timings of one graph.",
     .documentation = "The programming guide does not say so.",
     .not_modelled = "what many streams do to graphs",
     .first = true});

}  // namespace trilane::many_streams
