#include "common/measure/ask/parts/experiment.hpp"

namespace trilane::late {

constexpr const char *after_short = "host function after a kernel of 10 us, after the event",
                     *after_long = "host function after a kernel of 2 ms, after the event",
                     *awake = "the same with all processors kept awake",
                     *polled = "a second event after a kernel of 2 ms, after the first";

/// Spins on the CPU at the lowest priority or, without permission for that, as it is.
void spin_on(const std::stop_token& stop, int cpu) {
  cpu_set_t only{};
  CPU_SET(cpu, &only);
  pthread_setaffinity_np(pthread_self(), sizeof only, &only);
  const sched_param lowest{};
  pthread_setschedparam(pthread_self(), SCHED_IDLE, &lowest);
  while (!stop.stop_requested()) continue;
}

/// Returns threads of the lowest priority. While they live, they spin on each other processor of
/// this process, so none goes to sleep. Any other thread preempts them at once.
std::vector<std::jthread> keep_awake() {
  std::vector<std::jthread> spinners;
  cpu_set_t all;
  if (sched_getaffinity(0, sizeof all, &all) != 0) return spinners;
  // The caller's processor is already awake, and a thread spinning there would delay it.
  const int own = sched_getcpu();
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &all) && cpu != own) spinners.emplace_back(spin_on, cpu);
  }
  return spinners;
}

class Late : public StreamExperiment {
 public:
  std::vector<Condition> conditions() override {
    const auto while_awake = [this] {
      const std::vector<std::jthread> awake_cpus = keep_awake();
      return function_us(long_);
    };
    return {{after_short, [this] { return function_us(short_); }},
            {after_long, [this] { return function_us(long_); }, {[this] { return event_us(); }}},
            {awake, while_awake},
            {polled, [this] { return event_us(); }}};
  }

  static Conclusion conclude(const Readings& r) {
    const bool late = r.median(after_long) > 10 && r.above(after_long, polled, 2);
    const bool prompt = r.median(after_long) < 5;
    return Conclusion().add(
        decided(late, prompt),
        fmt::format("after a kernel of 2 ms it runs {} after the host sees the event before it "
                    "(p99 {}), {} with all processors kept awake, after one of 10 us {}; a second "
                    "event is seen {} after the first",
                    r.time(after_long), r.time(after_long, 0.99), r.time(awake),
                    r.time(after_short), r.time(polled)));
  }

 private:
  double function_us(const BusyKernel& kernel) {
    called_us_ = 0;
    kernel.enqueue(stream());
    check(cudaEventRecord(event_.get(), stream()));
    check(cudaLaunchHostFunc(
        stream(), [](void* called) { *static_cast<std::atomic<double>*>(called) = now_us(); },
        &called_us_));
    poll_event(event_, [] {});
    const double seen_us = now_us();
    synchronise();
    return called_us_ - seen_us;
  }

  double event_us() {
    long_.enqueue(stream());
    check(cudaEventRecord(event_.get(), stream()));
    check(cudaEventRecord(second_.get(), stream()));
    poll_event(event_, [] {});
    const double seen_us = now_us();
    poll_event(second_, [] {});
    return now_us() - seen_us;
  }

  BusyKernel short_{10}, long_{2000};
  Event event_ = make_ordering_event(), second_ = make_ordering_event();
  std::atomic<double> called_us_{0};
};

const Enrolled<Late> enrolled(
    {.name = "host_function_late",
     .subject = Subject::host_functions,
     .text = "Is a host function much later than an event that is polled?",
     .claim = "A host function runs as soon as the work before it is done.",
     .meaning = "The thread that runs host functions falls asleep while the GPU is busy, and "
                "waking it takes long, above all if its processor sleeps, too. Poll an event, or a "
                "word in mapped memory, if microseconds count.",
     .documentation = "The runtime's reference says nothing about when a host function runs, only "
                      "that it comes after the work before it.",
     .not_modelled = "how long the thread that runs host functions sleeps"});

}  // namespace trilane::late
