// Does the first launch of a graph cost the host more than later ones, and does an upload help?
#include <fmt/format.h>

#include "common/base/text/size.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/measure/ask/parts/busy_kernel.hpp"
#include "common/measure/ask/question.hpp"
#include "common/measure/gpu/recording.hpp"

namespace trilane {
namespace {

constexpr int nodes = 256;
constexpr const char *bare = "first launch without an upload",
                     *uploaded = "first launch after an upload", *second = "second launch",
                     *upload = "the upload, with the wait for it";

class FirstLaunch : public Experiment {
 public:
  std::vector<Condition> conditions() override {
    return {{bare, [this] { return launch_us(Upload::no, 1); }, Quantity::us, {[this] {
               return launch_us(Upload::no, 2);
             }}},
            {uploaded, [this] { return launch_us(Upload::yes, 1); }, Quantity::us, {[this] {
               return launch_us(Upload::no, 1);
             }}},
            {second, [this] { return launch_us(Upload::yes, 2); }},
            {upload, [this] { return upload_us(instantiate()); }}};
  }

  static Conclusion conclude(const Readings& r) {
    const bool helps = r.above(bare, uploaded, 1.5),
               same = r.median(bare) < 1.1 * r.median(uploaded);
    return Conclusion().add(
        decided(helps, same),
        fmt::format("the first launch of {} kernels takes {} without an upload and {} after one, "
                    "the second {}; the upload takes {}",
                    nodes, time_in_words(r.median(bare)), time_in_words(r.median(uploaded)),
                    time_in_words(r.median(second)), time_in_words(r.median(upload))));
  }

 private:
  enum class Upload { no, yes };

  GraphExec instantiate() const {
    cudaGraphExec_t executable = nullptr;
    check(cudaGraphInstantiate(&executable, graph_.get(), 0));
    return GraphExec(executable);
  }

  double upload_us(const GraphExec& graph) const {
    return timed_us([&] {
      check(cudaGraphUpload(graph.get(), stream_.get()));
      check(cudaStreamSynchronize(stream_.get()));
    });
  }

  /// Returns the host's time for launch number `number`, from 1, of a new executable graph.
  double launch_us(Upload first, int number) const {
    const GraphExec graph = instantiate();
    if (first == Upload::yes) upload_us(graph);
    double us = 0;
    for (int launch = 0; launch < number; ++launch) {
      us = timed_us([&] { check(cudaGraphLaunch(graph.get(), stream_.get())); });
      check(cudaStreamSynchronize(stream_.get()));
    }
    return us;
  }

  BusyKernel kernel_{0};
  Graph graph_ = capture([this](cudaStream_t stream) {
    for (int i = 0; i < nodes; ++i) kernel_.enqueue(stream);
  });
  Stream stream_ = make_stream();
};

const Enrolled<FirstLaunch> enrolled(
    {.name = "first_launch",
     .subject = Subject::graphs,
     .text = "Does cudaGraphUpload make the first launch of a graph cheaper?",
     .claim = "Once a graph is instantiated, each launch costs the same.",
     .meaning = "Where it does, upload each graph when it is made, so that the first launch on the "
                "critical path takes no longer than later ones.",
     .documentation = "The runtime's reference says that an upload does ahead of time what the "
                      "first launch would do otherwise, and names no figure.",
     .not_modelled = "what the first launch of a graph does besides the launch"});

}  // namespace
}  // namespace trilane
