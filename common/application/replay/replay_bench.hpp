// Lets the harness run the candidates of a replay.
#pragma once

#include "common/application/replay/candidates.hpp"
#include "common/application/replay/side_by_side.hpp"
#include "common/application/replay/snapshot.hpp"
#include "common/measure/rounds/bench.hpp"

namespace trilane {

/// The required content of memory after an iteration.
struct Expected {
  Snapshot before;  ///< the iteration's start
  Snapshot after;   ///< its end, as the application left it
  Uncertain uncertain{};
  Snapshot outputs;  ///< what its copies left on the host
  Uncertain uncertain_outputs{};
};

/// Passes of a loop that runs ahead: `passes_to_fill` fill its streams, and then `passes_in_batch`
/// are timed together. In the application, too, each iteration continues from the previous one.
/// A batch is a multiple of the iterations that a candidate runs at once.
inline constexpr std::uint32_t passes_to_fill = 4, passes_in_batch = 16;

/// Passes that threads side by side run from one start, so that they hardly begin or end alone.
inline constexpr std::uint32_t passes_side_by_side = 16;

/// Runs a loop that leaves work behind as the application does: passes are issued back to back. If
/// it waits for anything, a time is from the host's end of one pass to that of a batch's last one.
/// Otherwise a batch counts from idle device to idle device. The check of bytes runs a single pass
/// from the snapshot and waits for it.
class ReplayBench final : public LocalBench {
 public:
  /// `others`: further threads that run the iteration at the same time, if they can; 0: none.
  ReplayBench(const TakenIteration& taken, std::vector<ReplayWay> ways, const Expected& expected,
              std::uint32_t others = 0);

  void new_input() override {}  // always the iteration that was taken
  double set_up(std::size_t candidate) override;
  double pass(std::size_t candidate) override;
  std::string check(std::size_t candidate, std::uint32_t batch) override;
  double host_us() override { return host_work_us(); }
  std::vector<Count> evidence(std::size_t candidate) override {
    return candidates_[candidate].front()->evidence();
  }
  double tear_down(std::size_t candidate) override;
  bool lost() override { return driver().cuCtxSynchronize() != CUDA_SUCCESS; }
  double now() override { return recorder_now_us(); }

 private:
  /// The memory holds what the passes since the latest start left, as in the application itself.
  Sample without_events(std::size_t candidate, std::uint32_t batch) override;
  /// Measured in separate runs, so that the events do not affect the wall time.
  double between_events_us(std::size_t candidate, std::uint32_t batch) override;
  void start_samples(std::size_t candidate);
  std::uint32_t runs_in(std::uint32_t batch, std::size_t candidate) const;
  static Sample of_iteration(Sample sample, std::uint32_t iterations);

  using Threads = std::vector<std::unique_ptr<Candidate>>;  ///< a candidate for each
  void run(std::size_t candidate, double& issuing_us);
  std::uint32_t iterations(std::size_t candidate) const;  ///< of a thread in a run
  void begin_anew(const Threads& threads) const;

  /// The content of device memory, and of the host memory that copies write, after some runs.
  struct Left {
    Snapshot memory, outputs;
  };
  Left left_by_same(std::uint32_t iterations) const;
  /// Compares what a run leaves for each thread with as many iterations of the same calls. Throws
  /// NotPossible if these differ from each other.
  std::string check_several(std::size_t candidate);
  Sample timed(std::size_t candidate);
  Sample timed_ahead(std::size_t candidate, std::uint32_t batch);
  void begin_anew(std::size_t candidate);

  const TakenIteration& taken_;
  std::vector<ReplayWay> ways_;
  const Expected& expected_;
  const bool waits_for_all_;  ///< the iteration's own waits leave no work pending
  const bool runs_ahead_;     ///< passes are issued back to back
  const bool waits_;          ///< the iteration has a wait
  Restorer start_;
  OwnEvent begin_, end_;
  const bool hands_over_;  ///< memory to the next iteration
  CUstream stream_;        ///< of the events
  std::deque<OtherThread> others_;
  std::optional<ThreadTeam> team_;  ///< if there are others
  std::vector<Threads> candidates_;
  std::size_t latest_ = 0;     // the candidate that began anew
  std::uint32_t since_start_;  // passes since the memory held the iteration's start
};

}  // namespace trilane
