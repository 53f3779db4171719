#include "common/measure/ask/parts/experiment.hpp"

namespace trilane::wait_late {

constexpr int waits = 100;
constexpr double yes_us = 4, no_us = 3;
constexpr std::uint64_t bytes = 4;

enum class How { synchronise, poll_event, poll_word };
struct Way {
  const char* name;
  bool copies;
  How how;
};
constexpr Way ways[] = {{"cudaStreamSynchronize after a kernel", false, How::synchronise},
                        {"cudaStreamSynchronize after kernel and copy", true, How::synchronise},
                        {"a polled event after kernel and copy", true, How::poll_event},
                        {"the copied word polled", true, How::poll_word}};

std::string pass_with(const Way& way) { return fmt::format("a short pass, {}", way.name); }

class WaitLate : public StreamExperiment {
 public:
  WaitLate() { check(cudaMemset(device_.get(), 1, bytes)), check(cudaDeviceSynchronize()); }

  std::vector<Condition> conditions() override {
    return transformed(std::span(ways), [&](const Way& way) -> Condition {
      const auto pass_us = [this, &way] { return median_us(way); };
      const auto in_steps = [pass_us, turn = 0]() mutable {
        return pass_us() + turn++ % 2 * 2 * yes_us;
      };
      return {pass_with(way), pass_us, {[] { return 10.0; }, in_steps}};
    });
  }

  static Conclusion conclude(const Readings& r) {
    return Conclusion(ways, [&](const Way& way) -> CaseAnswer {
      const double spread = r.at(pass_with(way), 0.98) - r.at(pass_with(way), 0.02);
      return {way.name, decided(spread > yes_us, spread < no_us),
              fmt::format("with {} it takes {}, and {} to {} (p2 to p98)", way.name,
                          r.time(pass_with(way)), r.time(pass_with(way), 0.02),
                          r.time(pass_with(way), 0.98))};
    });
  }

 private:
  /// Returns the median of passes in a row.
  double median_us(const Way& way) {
    std::vector<double> us(waits);
    for (double& one : us) one = run_us(way);
    std::ranges::nth_element(us, us.begin() + waits / 2);
    return us[waits / 2];
  }

  double run_us(const Way& way) {
    const std::atomic_ref<std::uint32_t> word(*reinterpret_cast<std::uint32_t*>(host_.get()));
    word = 0;
    return issued_us([&] {
      kernel_.enqueue(stream());
      if (way.copies) copy_to_host(host_.get(), device_.get(), bytes, stream());
      wait(way.how, word);
    });
  }

  void wait(How how, const std::atomic_ref<std::uint32_t>& word) {
    switch (how) {
      case How::synchronise: return synchronise();
      case How::poll_event:
        check(cudaEventRecord(event_.get(), stream()));
        return poll_event(event_, [] {});
      case How::poll_word:
        while (word == 0) continue;
    }
  }

  PinnedBuffer host_ = make_pinned_buffer(bytes);
  DeviceBuffer device_ = make_device_buffer(bytes);
  BusyKernel kernel_{2};
  Event event_ = make_ordering_event();
};

const Enrolled<WaitLate> enrolled(
    {.name = "wait_late",
     .subject = Subject::host_calls,
     .text = "Do the same short passes take times that differ by more than 4 us?",
     .claim = "The same kernel, copy and wait take the same time each time.",
     .meaning = "If so, a pass has modes that last for many passes: compare distributions from "
                "several processes, not single runs. If only the copy brings them, let the kernel "
                "write its result into mapped memory.",
     .documentation = "The runtime's reference says that a wait spins, yields or blocks, and names "
                      "no latency.",
     .not_modelled = "times that differ from one wait to the next"});

}  // namespace trilane::wait_late
