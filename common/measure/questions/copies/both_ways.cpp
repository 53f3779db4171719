#include "common/measure/ask/parts/experiment.hpp"
#include "common/measure/gpu/runtime/gated_timer.hpp"

namespace trilane::both_ways {

constexpr std::uint64_t bytes = 32 << 20;
constexpr const char *in_alone = "32 MiB in, alone", *out_alone = "32 MiB out, alone",
                     *both = "32 MiB each way at once", *in_turn = "32 MiB in, then 32 MiB out";

class BothWays : public Experiment {
 public:
  std::vector<Condition> conditions() override {
    return {
        {in_alone, [this] { return timer_.time_us(in_.get(), [this] { copy_in(in_.get()); }); }},
        {out_alone, [this] { return timer_.time_us(in_.get(), [this] { copy_out(in_.get()); }); }},
        {both, [this] { return both_us(); }, {[this] { return in_turn_us(); }}},
        {in_turn, [this] { return in_turn_us(); }}};
  }

  static Conclusion conclude(const Readings& r) {
    const double longest = std::max(r.median(in_alone), r.median(out_alone));
    return Conclusion().add(
        r.costs_more(in_turn, both, 1, 1.02),
        fmt::format("both at once take {}, {:.0f}% more than the longer one alone ({} in, {} out), "
                    "and one after the other {}",
                    r.time(both), 100 * (r.median(both) / longest - 1), r.time(in_alone),
                    r.time(out_alone), r.time(in_turn)));
  }

 private:
  void copy_in(cudaStream_t stream) {
    copy_to_device(device_in_.get(), host_in_.get(), bytes, stream);
  }
  void copy_out(cudaStream_t stream) {
    copy_to_host(host_out_.get(), device_out_.get(), bytes, stream);
  }

  double both_us() {
    return timer_.time_us(in_.get(), [this] {
      check(cudaStreamWaitEvent(out_.get(), timer_.start().get(), 0));
      copy_out(out_.get());
      copy_in(in_.get());
      order(out_.get(), in_.get(), done_);
    });
  }

  double in_turn_us() {
    return timer_.time_us(in_.get(), [this] {
      copy_in(in_.get());
      copy_out(in_.get());
    });
  }

  PinnedBuffer host_in_ = make_pinned_buffer(bytes), host_out_ = make_pinned_buffer(bytes);
  DeviceBuffer device_in_ = make_device_buffer(bytes), device_out_ = make_cleared_buffer(bytes);
  Stream in_ = make_stream(), out_ = make_stream();
  OrderingEvent done_;
  GatedTimer timer_;
};

const Enrolled<BothWays> enrolled(
    {.name = "both_ways",
     .subject = Subject::copies,
     .text = "Do copies in and out run at the same time?",
     .claim = "A device does one copy at a time, in or out.",
     .meaning = "If so, put copies in and out on different streams; two streams are enough. How "
                "much each loses differs from one allocation to the next.",
     .documentation = "The programming guide promises overlap on devices with more than one copy "
                      "engine, and names no figure."});

}  // namespace trilane::both_ways
