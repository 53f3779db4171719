#include "common/measure/ask/parts/experiment.hpp"

namespace trilane::event_costs {

constexpr const char *plain = "record, without timing", *timed = "record, with timing",
                     *wait = "cudaStreamWaitEvent",
                     *empty = "cudaStreamSynchronize of an idle stream";

class EventCosts : public StreamExperiment {
 public:
  std::vector<Condition> conditions() override {
    const auto record = calling([this] { return cudaEventRecord(plain_.get(), stream()); });
    return {{plain, record},
            {timed, calling([this] { return cudaEventRecord(timed_.get(), stream()); }), {record}},
            {wait, calling([this] { return cudaStreamWaitEvent(other_.get(), plain_.get(), 0); })},
            {empty, calling([this] { return cudaStreamSynchronize(stream()); })}};
  }

  static Conclusion conclude(const Readings& r) {
    return Conclusion().add(
        r.costs_more(timed, plain, 1.5, 1.1),
        fmt::format("with timing it takes the host {}, without {}; a wait for one {}, and "
                    "synchronising an idle stream {}",
                    r.time(timed), r.time(plain), r.time(wait), r.time(empty)));
  }

 private:
  /// Times the mean of a hundred calls, because one is below the clock's resolution.
  template <typename Call>
  static std::function<double()> calling(Call call) {
    return [call] {
      constexpr int calls = 100;
      const double us = timed_us([&] {
        for (int i = 0; i < calls; ++i) check(call());
      });
      check(cudaDeviceSynchronize());
      return us / calls;
    };
  }

  Stream other_ = make_stream();
  Event plain_ = make_ordering_event(), timed_ = make_timing_event();
};

const Enrolled<EventCosts> enrolled(
    {.name = "event_costs",
     .subject = Subject::host_calls,
     .text = "Does an event with timing cost more than one without?",
     .claim = "All events cost the same.",
     .meaning = "Make events that only order streams with cudaEventDisableTiming.",
     .documentation = "The runtime's reference recommends events without timing for the best "
                      "performance of waits and queries.",
     .not_modelled = "what timing adds to the cost of an event"});

}  // namespace trilane::event_costs
