#include "common/measure/ask/parts/experiment.hpp"
#include "common/measure/gpu/crew.hpp"

namespace trilane::launching_threads {

constexpr std::uint32_t most_threads = 4;
constexpr int nodes = 20;

/// A kind of launch, and how many fit into the queue of a thread's stream.
struct Kind {
  const char *name, *launched;
  bool is_graph;
  int launches;
};
constexpr Kind kinds[] = {{"kernels", "a kernel", false, 200},
                          {"graphs", "a graph of 20 kernels", true, 20}};

std::string launch_by(const Kind& kind, std::uint32_t threads) {
  return fmt::format("launch of {}, {}", kind.launched,
                     threads == 1 ? "one thread" : fmt::format("{} threads at once", threads));
}

class LaunchingThreads : public Experiment {
 public:
  LaunchingThreads() {
    for (std::uint32_t thread = 0; thread < most_threads; ++thread) {
      streams_.push_back(make_stream());
      recordings_.emplace_back([this](cudaStream_t stream) { kernel_.enqueue(stream, nodes); });
    }
  }

  std::vector<Condition> conditions() override {
    std::vector<Condition> all;
    for (const Kind& kind : kinds) {
      const auto one_us = [this, &kind] { return launch_us(kind, one_); };
      all.push_back({launch_by(kind, 1), one_us});
      all.push_back({launch_by(kind, most_threads),
                     [this, &kind] { return launch_us(kind, all_); },
                     {one_us, [one_us] { return 4 * one_us(); }}});
    }
    return all;
  }

  static Conclusion conclude(const Readings& r) {
    return Conclusion(kinds, [&](const Kind& kind) -> CaseAnswer {
      const std::string one = launch_by(kind, 1), at_once = launch_by(kind, most_threads);
      return {kind.name, r.costs_more(at_once, one, 1.25, 1.1),
              fmt::format("a launch of {} takes {} in each of {} threads at once, {} in one "
                          "thread",
                          kind.launched, r.time(at_once), most_threads, r.time(one))};
    });
  }

 private:
  struct Threads {
    std::uint32_t count;
    Crew crew{count};
  };

  /// Returns the mean time of a launch in threads that begin together, each on its own stream.
  double launch_us(const Kind& kind, Threads& threads) {
    std::array<double, most_threads> us{};
    std::atomic<std::uint32_t> ready = 0;
    threads.crew.run([&](std::uint32_t thread) {
      const cudaStream_t stream = streams_[thread].get();
      ++ready;
      while (ready < threads.count) continue;
      us[thread] = timed_us([&] {
        for (int i = 0; i < kind.launches; ++i) {
          kind.is_graph ? recordings_[thread].launch(stream) : kernel_.enqueue(stream);
        }
      });
    });
    check(cudaDeviceSynchronize());
    return std::accumulate(us.begin(), us.end(), 0.0) / threads.count / kind.launches;
  }

  BusyKernel kernel_{0};
  std::vector<Stream> streams_;
  std::vector<Recording> recordings_;
  Threads one_{1}, all_{most_threads};
};

const Enrolled<LaunchingThreads> enrolled(
    {.name = "launching_threads",
     .subject = Subject::host_calls,
     .text = "Does a launch take longer if other threads launch on streams of their own?",
     .claim = "Threads with a stream each launch independently, so four launch four times as much.",
     .meaning = "If so, threads take turns inside the driver, and more threads do not launch more. "
                "Launch from one thread, or launch less: a graph replaces many launches.",
     .documentation = "The runtime's reference says that any call may block if internal resources "
                      "are contended; the programming guide does not mention launching threads.",
     .not_modelled = "what graph launches of several threads take from each other"});

}  // namespace trilane::launching_threads
