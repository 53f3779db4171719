// Finds kernels that could run beside others and do not.
#include "common/application/diagnosis/call_findings.hpp"
#include "common/application/iteration/call_traits.hpp"

namespace trilane {

namespace {

/// Least delay, and least length of a kernel, that counts: a stream reacts to an event of another
/// 1.13 us later (H200, across_us of its profile), and to its own next kernel about as much.
constexpr double least_us = 3;
/// The same without an order: tracing makes a kernel start up to 5 us late.
constexpr double least_delay_us = 10;

/// The resources of a multiprocessor, or those that a block takes of them.
using Resources = std::array<std::uint64_t, 4>;
constexpr std::array lacking_of{Obstacle::threads, Obstacle::registers, Obstacle::shared_memory,
                                Obstacle::blocks};

std::uint64_t volume(const std::vector<std::uint32_t>& size) {
  return std::uint64_t{size[0]} * size[1] * size[2];
}

/// Registers are given to warps by 256.
Resources taken_by(const RecordedCall& kernel, const ApplicationRecording& recording) {
  const RecordedKernel& code = recording.kernels[kernel.kernel];
  const std::uint64_t warps = (volume(kernel.block) + 31) / 32,
                      each = (std::uint64_t{code.registers} * 32 + 255) / 256 * 256;
  return {warps * 32, warps * each,
          code.static_shared_bytes + kernel.shared_bytes +
              recording.machine.multiprocessors->reserved_bytes,
          1};
}

class KernelsApart {
 public:
  explicit KernelsApart(const IterationSchedule& traced)
      : recording_(traced.recording()), traced_(traced) {
    for (const OperationRun& run : traced.steady_runs()) {
      if (call(run.call).kind == CallKind::kernel) kernels_.push_back(run);
    }
  }

  void examine(const OperationRun& run) {
    if (call(run.call).kind != CallKind::kernel || run.end_us - run.start_us < least_us) return;
    const double issued_us = run.issued_us + traced_.latency_us();
    const auto before = traced_.last_before(run.call, 0, run.start_us);
    const double ready_us = before ? std::max(issued_us, before->end_us) : issued_us;
    if (run.start_us - ready_us >= least_delay_us) return delayed(run, ready_us);
    if (before && before->end_us > issued_us) ordered(run, *before, issued_us);
  }

  /// Kernels that data order gain nothing side by side, so the longest chain of them bounds all.
  void add_to(FindingGroups& groups) {
    double kernels_us = 0, ordered_us = 0;
    for (const OperationRun& run : traced_.runs()) {
      if (call(run.call).kind == CallKind::kernel) kernels_us += run.end_us - run.start_us;
    }
    for (const Apart& one : found_) ordered_us += is_order(one.obstacle) ? one.gain_us : 0;
    const double share = ordered_us > 0 ? std::min(1.0, (kernels_us - chain_us()) / ordered_us) : 0;
    if (pairs_ > most_pairs) return;
    for (const Apart& one : found_) {
      const double gain_us = one.gain_us * (is_order(one.obstacle) ? share : 1);
      CallFinding& finding =
          groups.add(FindingKind::kernels_apart, one.call, one.gain_us, gain_us, one.obstacle);
      if (finding.beside.empty()) finding.beside = in_words(one.beside);
      if (one.obstacle == Obstacle::order && finding.delayed.empty()) {
        finding.delayed = wait_before(recording_, one.call);
      }
    }
  }

 private:
  struct Apart {
    std::size_t call = 0, beside = 0;
    double gain_us = 0;
    Obstacle obstacle = Obstacle::none;
  };
  using Runs = std::vector<OperationRun>;

  const RecordedCall& call(std::size_t i) const { return recording_.calls[i]; }
  std::string in_words(std::size_t kernel) const {
    const RecordedCall& one = call(kernel);
    return fmt::format("{} ({} blocks of {} threads)", operation_name(one, recording_),
                       volume(one.grid), volume(one.block));
  }

  /// Returns what the running kernels leave too little of for a block of this one; queue: they
  /// leave whole multiprocessors, none: it is unknown, as one that is in use may be divided into
  /// cache and shared memory in another way than the block needs.
  Obstacle lacks(const Runs& running, std::size_t kernel) const {
    const Multiprocessors& each = *recording_.machine.multiprocessors;
    const Resources most{each.threads, each.registers, each.shared_bytes, each.blocks};
    Resources all = taken_by(call(kernel), recording_);
    std::uint64_t blocks = 0;
    for (const OperationRun& run : running) {
      const Resources block = taken_by(call(run.call), recording_);
      std::uint64_t resident = (volume(call(run.call).grid) + each.count - 1) / each.count;
      for (std::size_t i = 0; i < most.size(); ++i) {
        if (block[i] > 0) resident = std::min(resident, most[i] / block[i]);
      }
      for (std::size_t i = 0; i < most.size(); ++i) all[i] += resident * block[i];
      blocks += volume(call(run.call).grid);
    }
    if (blocks < each.count) return Obstacle::queue;
    for (std::size_t i = 0; i < most.size(); ++i) {
      if (all[i] > most[i]) return lacking_of[i];
    }
    return Obstacle::none;
  }

  /// Takes a kernel that nothing the calls show kept from starting at `ready_us`.
  void delayed(const OperationRun& run, double ready_us) {
    Runs running;
    for (const OperationRun& one : kernels_) {
      const double us = std::min(one.end_us, run.start_us) - std::max(one.start_us, ready_us);
      if (us > (run.start_us - ready_us) / 2) running.push_back(one);
    }
    pairs_ += kernels_.size();
    if (running.empty()) return;
    const Obstacle lacking = lacks(running, run.call);
    const auto still_runs = [&](const auto& one) { return one.end_us > run.start_us + 1; };
    if (lacking == Obstacle::none) return;
    if (lacking == Obstacle::queue && std::ranges::any_of(running, still_runs)) return;
    const double gain_us = std::min(run.start_us - ready_us, run.end_us - run.start_us);
    found_.push_back({run.call, running.front().call, gain_us, lacking});
  }

  /// Takes a kernel that starts when another one, which it follows by a rule, ends.
  void ordered(const OperationRun& run, const OperationRun& before, double issued_us) {
    const auto& after = traced_.order_of(run.call).after;
    const auto rule = std::ranges::find(after, before.call, [&](const Predecessor& one) {
      return one.place % recording_.calls.size();
    });
    const bool kernels = call(before.call).kind == CallKind::kernel;
    if (!kernels || rule == after.end() || rule->by == OrderedBy::legacy) return;
    if (may_conflict(call(before.call), call(run.call))) return;
    if (lacks({before}, run.call) != Obstacle::queue) return;
    const double gain_us =
        std::min(run.start_us - std::max(issued_us, before.start_us), run.end_us - run.start_us);
    if (gain_us < least_us) return;
    const bool same = call(before.call).stream == call(run.call).stream;
    found_.push_back(
        {run.call, before.call, gain_us, same ? Obstacle::same_stream : Obstacle::order});
  }

  /// Returns the length of the longest chain of kernels that may use each other's data.
  double chain_us() {
    std::vector<std::pair<const RecordedCall*, double>> ends;
    double longest_us = 0;
    for (const RecordedCall& one : recording_.calls) {
      if (!is_operation(one.kind)) continue;
      double us = 0;
      for (const auto& [earlier, end_us] : ends) {
        if (end_us > us && may_conflict(*earlier, one)) us = end_us;
      }
      pairs_ += ends.size();
      if (pairs_ > most_pairs) return 0;
      if (one.kind == CallKind::kernel) us += one.device_us.value_or(0);
      longest_us = std::max(longest_us, us);
      ends.emplace_back(&one, us);
    }
    return longest_us;
  }

  const ApplicationRecording& recording_;
  const IterationSchedule& traced_;
  Runs kernels_;
  std::vector<Apart> found_;
  std::size_t pairs_ = 0;
};

}  // namespace

void add_kernels_apart(const IterationSchedule& traced, FindingGroups& groups) {
  if (!traced.recording().machine.multiprocessors) return;
  KernelsApart kernels(traced);
  for (const OperationRun& run : traced.runs()) kernels.examine(run);
  kernels.add_to(groups);
}

}  // namespace trilane
