#include "common/measure/ask/parts/green_part.hpp"

namespace trilane::green_contexts {

// On an H200 they take 16 turns on 124 SMs, and the last turn is nearly full.
constexpr int long_kernels = 15;
constexpr unsigned short_sms = 8;
constexpr const char *alone = "a short kernel alone", *plain = "plain streams",
                     *priorities = "a high-priority stream", *green = "green contexts";

std::string done(const char* way) { return fmt::format("short kernel beside long, {}", way); }
std::string idle(const char* way) { return fmt::format("short and long kernels, {}", way); }

class GreenContexts : public Experiment {
 public:
  std::vector<Condition> conditions() override {
    const auto alone_us = [this] { return run(low_streams_, 0, low_).done_us; };
    const auto plain_us = [this] { return run_as(plain).done_us; };
    std::vector<Condition> all{{alone, alone_us}};
    for (const char* const way : {plain, priorities, green}) {
      all.push_back({done(way), [this, way] { return run_as(way).done_us; }, {alone_us, plain_us}});
      all.push_back({idle(way), [this, way] { return run_as(way).idle_us; }});
    }
    return all;
  }

  static Conclusion conclude(const Readings& r) {
    Conclusion conclusion;
    for (const char* const way : {plain, priorities, green}) {
      if (r.at(done(way), 1) == 0) {
        conclusion.add(way, std::nullopt, "not to be had here");
        continue;
      }
      conclusion.add(
          way, decided(r.median(done(way)) < 2 * r.median(alone), r.above(done(way), alone, 4)),
          fmt::format("with {} the short kernel is done after {}, and all after {}", way,
                      r.time(done(way)), r.time(idle(way))));
    }
    return conclusion.note(fmt::format("alone the short kernel takes {}", r.time(alone)));
  }

 private:
  BehindTimes run(const std::vector<OwnStream>& streams, int kernels,
                  const OwnStream& stream) const {
    return run_behind(
        streams, kernels, [this](cudaStream_t on) { long_.enqueue(on); },
        [this](cudaStream_t on) { short_.enqueue(on); }, stream);
  }

  /// Returns 0 without green contexts.
  BehindTimes run_as(std::string_view way) const {
    if (way == plain) return run(low_streams_, long_kernels, low_);
    if (way == priorities) return run(low_streams_, long_kernels, high_);
    if (!parts_) return {0, 0};
    return run(parts_->rest.streams(), long_kernels, parts_->few.streams().front());
  }

  BusyKernel long_{200, Extent::all_sms}, short_{10};
  std::vector<OwnStream> low_streams_ = low_streams(long_kernels);
  OwnStream low_ = make_stream(Priority::low), high_ = make_stream(Priority::high);
  std::unique_ptr<GreenParts> parts_ = GreenParts::make(short_sms, long_kernels);
};

const Enrolled<GreenContexts> enrolled(
    {.name = "green_contexts",
     .subject = Subject::order,
     .text = "Can a short kernel run at once beside kernels that fill the SMs?",
     .claim = "A high-priority stream is enough for a kernel that must start at once.",
     .meaning = "Only SMs that are kept free take a kernel at once. If green contexts answer yes, "
                "give the urgent kernel a few SMs, and all other work a context with the rest: a "
                "plain stream uses every SM. The other work loses those SMs throughout.",
     .documentation = "The programming guide says that green contexts can keep SMs available for a "
                      "latency-sensitive kernel, and that priorities preempt nothing.",
     .not_modelled = "green contexts, stream priorities and full SMs"});

}  // namespace trilane::green_contexts
