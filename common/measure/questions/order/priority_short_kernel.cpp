#include "common/measure/ask/parts/backlog.hpp"

namespace trilane::priority_short_kernel {

constexpr int counts[] = {1, 5}, most = 5;
constexpr double short_us = 10, long_us = 200;
constexpr const char* alone = "a short kernel alone";

/// Returns what holds the short kernel up. A kernel fills all SMs, so further ones wait.
std::string held_up_by(int kernels) {
  return kernels == 1 ? "one kernel, which runs" : fmt::format("{} more that wait", kernels - 1);
}

std::string behind(int kernels, Priority priority) {
  return fmt::format("a short kernel behind {} of 200 us, {} priority", kernels,
                     priority == Priority::high ? "high" : "same");
}

class PriorityShortKernel : public Experiment {
 public:
  std::vector<Condition> conditions() override {
    const auto alone_us = [this] { return run_us(0, low_); };
    std::vector<Condition> all{{alone, alone_us}};
    for (const int kernels : counts) {
      const auto same_us = [this, kernels] { return run_us(kernels, low_); };
      all.push_back({behind(kernels, Priority::low), same_us});
      all.push_back({behind(kernels, Priority::high),
                     [this, kernels] { return run_us(kernels, high_); },
                     {same_us, alone_us}});
    }
    return all;
  }

  static Conclusion conclude(const Readings& r) {
    Conclusion conclusion(counts, [&](int kernels) -> CaseAnswer {
      const std::string same = behind(kernels, Priority::low),
                        high = behind(kernels, Priority::high);
      return {held_up_by(kernels), sooner(r, high, same, alone),
              fmt::format("behind {} of 200 us that {} the SMs a kernel of 10 us is done "
                          "after {} at the same priority, {} at a high one",
                          kernels == 1 ? "one kernel" : fmt::format("{} kernels", kernels),
                          kernels == 1 ? "fills" : "each fill", r.time(same), r.time(high))};
    });
    return conclusion.note(fmt::format("alone it takes {}", r.time(alone)));
  }

 private:
  double run_us(int kernels, const OwnStream& stream) const {
    return run_behind(
               streams_, kernels, [this](cudaStream_t on) { long_.enqueue(on); },
               [this](cudaStream_t on) { short_.enqueue(on); }, stream)
        .done_us;
  }

  BusyKernel long_{long_us, Extent::all_sms}, short_{short_us};
  std::vector<OwnStream> streams_ = low_streams(most);
  OwnStream low_ = make_stream(Priority::low), high_ = make_stream(Priority::high);
};

const Enrolled<PriorityShortKernel> enrolled(
    {.name = "priority_short_kernel",
     .subject = Subject::order,
     .text = "Does a high stream priority bring a short kernel forward if others fill the SMs?",
     .claim = "A kernel on a high-priority stream interrupts the kernels that run.",
     .meaning = "A high priority helps against kernels whose blocks still wait, not against blocks "
                "that run. Keep the blocks of low-priority kernels short: the wait for a running "
                "one is the least that a high priority leaves.",
     .documentation = "The runtime's reference calls priorities a hint to prefer work where "
                      "possible, and says that they do not preempt work that runs.",
     .not_modelled = "stream priorities, and kernels that leave no room on the SMs for others"});

}  // namespace trilane::priority_short_kernel
