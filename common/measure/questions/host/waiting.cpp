#include <ctime>

#include "common/measure/ask/parts/experiment.hpp"

namespace trilane::waiting {

const std::string spinning = "spinning", yielding = "yielding", blocking = "blocking";

std::string wall_of(const std::string& way) { return "kernel and wait, " + way; }
std::string cpu_of(const std::string& way) { return "CPU time of that, " + way; }

double cpu_us() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

class Waiting : public StreamExperiment {
 public:
  std::vector<Condition> conditions() override {
    const auto spin = [this] { poll_event(done_, [] {}); };
    const auto yield = [this] { poll_event(done_, [] { std::this_thread::yield(); }); };
    const auto block = [this] { check(cudaEventSynchronize(done_.get())); };
    return {{wall_of(spinning), timing(now_us, spin)},
            {cpu_of(spinning), timing(cpu_us, spin)},
            {wall_of(yielding), timing(now_us, yield)},
            {cpu_of(yielding), timing(cpu_us, yield)},
            {wall_of(blocking), timing(now_us, block), {timing(now_us, spin)}},
            {cpu_of(blocking), timing(cpu_us, block), {timing(cpu_us, spin)}}};
  }

  static Conclusion conclude(const Readings& r) {
    const double later_us = r.median(wall_of(blocking)) - r.median(wall_of(spinning));
    const bool costs = r.above(wall_of(blocking), wall_of(spinning)) && later_us > 5;
    const bool saves = r.above(cpu_of(spinning), cpu_of(blocking), 2);
    const bool same = r.median(cpu_of(blocking)) > 0.8 * r.median(cpu_of(spinning));
    return Conclusion()
        .add("latency", decided(costs, later_us < 2),
             fmt::format("a kernel and the wait for it take {} spinning, {} yielding, {} blocking",
                         r.time(wall_of(spinning)), r.time(wall_of(yielding)),
                         r.time(wall_of(blocking))))
        .add("CPU time", decided(saves, same),
             fmt::format("the thread's CPU time is {}, {} and {}", r.time(cpu_of(spinning)),
                         r.time(cpu_of(yielding)), r.time(cpu_of(blocking))));
  }

 private:
  std::function<double()> timing(double (*clock_us)(), const std::function<void()>& wait) const {
    return [=, this] {
      const double start_us = clock_us();
      kernel_.enqueue(stream());
      check(cudaEventRecord(done_.get(), stream()));
      wait();
      return clock_us() - start_us;
    };
  }

  BusyKernel kernel_{1000};
  Event done_ = make_blocking_event();
};

const Enrolled<Waiting> enrolled(
    {.name = "waiting",
     .subject = Subject::host_calls,
     .text = "Does a blocking wait cost latency, and does it save CPU time?",
     .claim = "A blocking wait returns as soon as a spinning one.",
     .meaning = "Block if the host has other work or many threads wait. Spin if the next launch "
                "depends on the wait and microseconds count. Yielding still uses the core unless "
                "another thread wants it.",
     .documentation = "The runtime's reference says that spinning lowers latency and takes CPU "
                      "time from other threads; it names no figures.",
     .not_modelled = "the CPU time of a wait, and the time to wake a thread"});

}  // namespace trilane::waiting
