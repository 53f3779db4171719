#include "common/measure/ask/parts/experiment.hpp"

namespace trilane::two_streams {

constexpr const char *once = "one launch", *same = "the same graph on two streams",
                     *twins = "two graphs on two streams";

class TwoStreams : public Experiment {
 public:
  std::vector<Condition> conditions() override {
    const auto twice = [this](const Recording& other) {
      return [this, &other] { return run_us({&graph_, &other}); };
    };
    return {{once, [this] { return run_us({&graph_}); }},
            {same, twice(graph_), {twice(twin_)}},
            {twins, twice(twin_)}};
  }

  static Conclusion conclude(const Readings& r) {
    const double times = r.median(same) / r.median(once);
    return Conclusion().add(
        decided(times < 1.25, 1.75 < times),
        fmt::format("a graph of one kernel takes {}, launched on two streams {}; two graphs {}",
                    r.time(once), r.time(same), r.time(twins)));
  }

 private:
  double run_us(const std::vector<const Recording*>& graphs) {
    return timed_us([&] {
      for (std::size_t i = 0; i < graphs.size(); ++i) graphs[i]->launch(streams_[i].get());
      check(cudaDeviceSynchronize());
    });
  }

  BusyKernel kernel_{500};
  Recording graph_{[this](cudaStream_t stream) { kernel_.enqueue(stream); }};
  BusyKernel other_{500};
  Recording twin_{[this](cudaStream_t stream) { other_.enqueue(stream); }};
  Stream streams_[2] = {make_stream(), make_stream()};
};

const Enrolled<TwoStreams> enrolled(
    {.name = "two_streams",
     .subject = Subject::graphs,
     .text = "Does one executable graph, launched on two streams, run side by side?",
     .claim =
         "One executable graph runs several times at once if it is launched on several streams.",
     .meaning = "If they run in turn, instantiate the graph once for each stream that should run "
                "concurrently.",
     .documentation = "The runtime's reference says that launches of the same executable graph are "
                      "ordered one after the other."});

}  // namespace trilane::two_streams
