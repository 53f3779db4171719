// How late does a host function start?
#include <fmt/format.h>

#include <atomic>

#include "common/base/text/size.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/measure/ask/parts/awake_cpus.hpp"
#include "common/measure/ask/parts/busy_kernel.hpp"
#include "common/measure/ask/question.hpp"

namespace trilane {
namespace {

constexpr const char *after_short = "host function after a kernel of 10 us, after the event",
                     *after_long = "host function after a kernel of 2 ms, after the event",
                     *awake = "the same with all processors kept awake",
                     *polled = "a second event after a kernel of 2 ms, after the first";

class Late : public Experiment {
 public:
  std::vector<Condition> conditions() override {
    return {{after_short, [this] { return function_us(short_); }},
            {after_long, [this] { return function_us(long_); }, Quantity::us, {[this] {
               return event_us();
             }}},
            {awake,
             [this] {
               const AwakeCpus cpus;
               return function_us(long_);
             }},
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
                    time_in_words(r.median(after_long)), time_in_words(r.at(after_long, 0.99)),
                    time_in_words(r.median(awake)), time_in_words(r.median(after_short)),
                    time_in_words(r.median(polled))));
  }

 private:
  void wait_for(cudaEvent_t event) {
    cudaError_t status = cudaErrorNotReady;
    while ((status = cudaEventQuery(event)) == cudaErrorNotReady) {
    }
    check(status);
  }

  double function_us(const BusyKernel& kernel) {
    called_us_ = 0;
    kernel.enqueue(stream_.get());
    check(cudaEventRecord(event_.get(), stream_.get()));
    check(cudaLaunchHostFunc(
        stream_.get(), [](void* called) { *static_cast<std::atomic<double>*>(called) = now_us(); },
        &called_us_));
    wait_for(event_.get());
    const double seen_us = now_us();
    check(cudaStreamSynchronize(stream_.get()));
    return called_us_ - seen_us;
  }

  double event_us() {
    long_.enqueue(stream_.get());
    check(cudaEventRecord(event_.get(), stream_.get()));
    check(cudaEventRecord(second_.get(), stream_.get()));
    wait_for(event_.get());
    const double seen_us = now_us();
    wait_for(second_.get());
    return now_us() - seen_us;
  }

  BusyKernel short_{10}, long_{2000};
  Stream stream_ = make_stream();
  Event event_ = make_ordering_event(), second_ = make_ordering_event();
  std::atomic<double> called_us_{0};
};

const Enrolled<Late> enrolled(
    {.name = "host_function_late",
     .subject = Subject::host_functions,
     .text = "Is a host function much later than an event that is polled?",
     .claim = "A host function runs as soon as the work before it is done.",
     .meaning =
         "The thread that runs host functions falls asleep while the GPU is busy, and waking "
         "it takes long, most of all where its processor sleeps, too. Poll an event, or a word "
         "in mapped memory, where microseconds count.",
     .documentation = "The runtime's reference says nothing about when a host function runs, only "
                      "that it comes after the work before it.",
     .not_modelled = "how long the thread that runs host functions sleeps"});

}  // namespace
}  // namespace trilane
