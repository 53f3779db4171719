#include "common/measure/ask/parts/experiment.hpp"

namespace trilane::first_launch {

constexpr int nodes = 256;
constexpr const char *bare = "first launch without an upload",
                     *uploaded = "first launch after an upload", *second = "second launch",
                     *upload = "the upload, with the wait for it";

class FirstLaunch : public StreamExperiment {
 public:
  std::vector<Condition> conditions() override {
    const auto launch = [this](Upload first, int number) {
      return [=, this] { return launch_us(first, number); };
    };
    return {{bare, launch(Upload::no, 1), {launch(Upload::no, 2)}},
            {uploaded, launch(Upload::yes, 1), {launch(Upload::no, 1)}},
            {second, launch(Upload::yes, 2)},
            {upload, [this] { return upload_us(instantiate(graph_)); }}};
  }

  static Conclusion conclude(const Readings& r) {
    return Conclusion().add(
        r.costs_more(bare, uploaded, 1.5, 1.1),
        fmt::format("the first launch of {} kernels takes {} without an upload and {} after one, "
                    "the second {}; the upload takes {}",
                    nodes, r.time(bare), r.time(uploaded), r.time(second), r.time(upload)));
  }

 private:
  enum class Upload { no, yes };

  double upload_us(const GraphExec& graph) const {
    return done_us([&] { check(cudaGraphUpload(graph.get(), stream())); });
  }

  /// Returns the host's time for launch number `number`, from 1, of a new executable graph.
  double launch_us(Upload first, int number) const {
    const GraphExec graph = instantiate(graph_);
    if (first == Upload::yes) upload_us(graph);
    double us = 0;
    for (int launch = 0; launch < number; ++launch) {
      us = timed_us([&] { check(cudaGraphLaunch(graph.get(), stream())); });
      synchronise();
    }
    return us;
  }

  BusyKernel kernel_{0};
  Graph graph_ = capture([this](cudaStream_t stream) { kernel_.enqueue(stream, nodes); });
};

const Enrolled<FirstLaunch> enrolled(
    {.name = "first_launch",
     .subject = Subject::graphs,
     .text = "Does cudaGraphUpload make the first launch of a graph cheaper?",
     .claim = "Once a graph is instantiated, each launch costs the same.",
     .meaning = "If so, upload each graph when it is made, so that the first launch on the "
                "critical path takes no longer than later ones.",
     .documentation = "The runtime's reference says that an upload does ahead of time what the "
                      "first launch would do otherwise, and names no figure."});

}  // namespace trilane::first_launch
