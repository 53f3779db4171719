#include "common/measure/ask/parts/experiment.hpp"
#include "kernels/empty.hpp"

namespace trilane::empty_launch {

constexpr double yes_us = 5.5, no_us = 4.5;
constexpr const char *launch = "the launch", *wait = "the wait", *both = "launch and wait";

class EmptyLaunch : public StreamExperiment {
 public:
  std::vector<Condition> conditions() override {
    return {{launch, [this] { return times_us().launch; }},
            {wait, [this] { return times_us().wait; }},
            {both,
             [this] { return both_us(); },
             {[this] { return both_us() + yes_us; }, [this] { return times_us().launch; }}}};
  }

  static Conclusion conclude(const Readings& r) {
    const double us = r.median(both);
    return Conclusion().add(
        decided(us > yes_us, us < no_us),
        fmt::format(
            "launching an empty kernel and waiting for it takes {} (p99 {}); the launch {}, "
            "the wait {}",
            r.time(both), r.time(both, 0.99), r.time(launch), r.time(wait)));
  }

 private:
  void enqueue() const {
    void* no_arguments[] = {nullptr};
    check(
        cudaLaunchKernel(empty_kernel(), dim3(1, 1, 1), dim3(32, 1, 1), no_arguments, 0, stream()));
  }

  struct Times {
    double launch, wait;
  };

  Times times_us() const {
    const double launch_us = timed_us([this] { enqueue(); });
    return {launch_us, timed_us([this] { synchronise(); })};
  }

  double both_us() const {
    return done_us([this] { enqueue(); });
  }
};

const Enrolled<EmptyLaunch> enrolled(
    {.name = "empty_launch",
     .subject = Subject::host_calls,
     .text = "Does it take more than 5 us to launch an empty kernel and wait for it?",
     .claim = "A launch costs nothing, because it is asynchronous.",
     .meaning = "Every launch that the host waits for takes at least this long. A kernel of a few "
                "microseconds is mostly launch and wait: give it more work, launch several before "
                "a wait, or use a graph.",
     .documentation = "The programming guide says that launches are asynchronous, and names no "
                      "time."});

}  // namespace trilane::empty_launch
