#include "common/measure/ask/parts/experiment.hpp"

namespace trilane::hold_up {

constexpr double slow_us = 1000;
constexpr const char *alone = "a host function, alone",
                     *held = "a host function, beside one of 1 ms on another stream";

class HoldUp : public StreamExperiment {
 public:
  std::vector<Condition> conditions() override {
    const auto alone_us = [this] { return run_us(false); };
    const auto late_us = [this] { return run_us(false) + slow_us; };
    return {{alone, alone_us}, {held, [this] { return run_us(true); }, {alone_us, late_us}}};
  }

  static Conclusion conclude(const Readings& r) {
    const double more = r.median(held) - r.median(alone);
    return Conclusion().add(
        decided(more > slow_us / 2, more < slow_us / 10),
        fmt::format("one is done after {}, or {} beside one that takes {} on another stream",
                    r.time(alone), r.time(held), time_in_words(slow_us)));
  }

 private:
  static void nothing(void*) {}
  static void slow(void*) { spend_us(slow_us); }

  double run_us(bool beside) {
    if (beside) check(cudaLaunchHostFunc(other_.get(), slow, nullptr));
    const double us = done_us([this] { check(cudaLaunchHostFunc(stream(), nothing, nullptr)); });
    check(cudaDeviceSynchronize());
    return us;
  }

  Stream other_ = make_stream();
};

const Enrolled<HoldUp> enrolled(
    {.name = "host_function_holds_up",
     .subject = Subject::host_functions,
     .text = "Does a slow host function hold up those of other streams?",
     .claim = "Host functions of different streams run side by side.",
     .meaning = "If so, one thread runs the host functions of all streams: let them set a flag, "
                "and do the work elsewhere.",
     .documentation = "The runtime's reference leaves open on which thread host functions run, and "
                      "warns that one may delay others.",
     .not_modelled = "which thread runs host functions"});

}  // namespace trilane::hold_up
