#include "common/measure/ask/parts/backlog.hpp"

namespace trilane::priority_copies {

constexpr int large_copies = 4;
constexpr std::uint64_t large_bytes = 16 << 20, small_bytes = 4 << 10;
constexpr std::string_view directions[] = {"in", "out"};

std::string alone(std::string_view direction) {
  return fmt::format("a copy of 4 KiB {} alone", direction);
}

std::string behind(std::string_view direction, Priority priority) {
  return fmt::format("a copy of 4 KiB {} behind {} of 16 MiB, {} priority", direction, large_copies,
                     priority == Priority::high ? "high" : "same");
}

class PriorityCopies : public Experiment {
 public:
  std::vector<Condition> conditions() override {
    std::vector<Condition> all;
    for (const std::string_view direction : directions) {
      const auto running = [this, direction](int copies, const OwnStream& stream) {
        return [=, this, &stream] { return run_us(direction, copies, stream); };
      };
      all.push_back({alone(direction), running(0, low_)});
      all.push_back({behind(direction, Priority::low), running(large_copies, low_)});
      all.push_back(
          {behind(direction, Priority::high), running(large_copies, high_), {nothing_us}});
    }
    return all;
  }

  static Conclusion conclude(const Readings& r) {
    return Conclusion(directions, [&](std::string_view direction) -> CaseAnswer {
      const std::string same = behind(direction, Priority::low),
                        high = behind(direction, Priority::high);
      return {std::string(direction), r.costs_more(same, high, 1.5, 1.2),
              fmt::format("behind {} copies of 16 MiB {} on other streams a copy of 4 KiB "
                          "is done after {} at the same priority, {} at a high one, {} "
                          "alone",
                          large_copies, direction, r.time(same), r.time(high),
                          r.time(alone(direction)))};
    });
  }

 private:
  double run_us(std::string_view direction, int copies, const OwnStream& stream) const {
    const auto copy = [this, direction](std::uint64_t at, std::uint64_t bytes) {
      return [=, this](cudaStream_t on) {
        if (direction == "in") copy_to_device(device_.get() + at, host_.get() + at, bytes, on);
        if (direction == "out") copy_to_host(host_.get() + at, device_.get() + at, bytes, on);
      };
    };
    return run_behind(streams_, copies, copy(0, large_bytes), copy(large_bytes, small_bytes),
                      stream)
        .done_us;
  }

  PinnedBuffer host_ = make_pinned_buffer(large_bytes + small_bytes);
  DeviceBuffer device_ = make_device_buffer(large_bytes + small_bytes);
  std::vector<OwnStream> streams_ = low_streams(large_copies);
  OwnStream low_ = make_stream(Priority::low), high_ = make_stream(Priority::high);
};

const Enrolled<PriorityCopies> enrolled(
    {.name = "priority_copies",
     .subject = Subject::order,
     .text = "Does a high stream priority bring a small copy forward behind large ones?",
     .claim = "A copy on a high-priority stream overtakes the copies of other streams.",
     .meaning =
         "If not, a copy that large ones hold up waits whatever its stream. Cut large copies "
         "into pieces and issue them late, or move small results through mapped memory. A small "
         "copy in is not held up: the queue of kernels carries its bytes.",
     .documentation = "The runtime's reference says that priorities affect compute kernels only, "
                      "and have no effect on copies between host and device.",
     .not_modelled = "stream priorities"});

}  // namespace trilane::priority_copies
