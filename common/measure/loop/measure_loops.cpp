#include "common/measure/loop/measure_loops.hpp"

#include <fmt/format.h>

#include <memory>
#include <numeric>
#include <string>

#include "common/base/console/interrupt.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/measure/gpu/runtime/check.hpp"
#include "common/measure/harness/pricing/probe.hpp"
#include "common/model/workload/random.hpp"

namespace trilane {
namespace {

/// Rounds of a loop: every contender has a turn in each, in a shuffled order.
class LoopRounds {
 public:
  /// Sets up every notification with every resubmission. `settings` must outlive it.
  LoopRounds(const Loop& loop, const LoopSettings& settings);

  /// Runs a warm-up round, then those that count, and returns the measurements. May be called once.
  std::vector<LoopMeasurement> run();

 private:
  /// A measurement, and the bench that makes it.
  struct Contender {
    LoopMeasurement measurement;
    std::unique_ptr<LoopBench> bench;  // null: not possible, or failed
    void drop(LoopStatus status, const std::string& reason);
  };

  Contender set_up(const Loop& loop, const TellerEntry& teller, Resubmission resubmission);
  void run_rounds();
  void round(bool counts);
  void take_turn(Contender& contender, bool counts);
  void fail(Contender& contender, const char* reason);

  const LoopSettings& settings_;
  std::string lost_to_;  // empty: the device works
  Items items_;
  Random random_;
  std::vector<Contender> contenders_;
};

constexpr double us_in_second = 1e6;

/// Throws if the simulated device finds a missing order, which is an error even if every byte is
/// right.
void ensure_no_hazard() {
  const std::vector<std::string> hazards = take_hazards();
  if (!hazards.empty()) throw WrongResult(hazards.front());
}

void LoopRounds::Contender::drop(LoopStatus status, const std::string& reason) {
  measurement.status = status;
  measurement.reason = reason;
  bench.reset();
}

LoopRounds::LoopRounds(const Loop& loop, const LoopSettings& settings)
    : settings_(settings), items_(loop, settings.seed), random_(settings.seed) {
  for (const TellerEntry& teller : settings.tellers) {
    for (const Resubmission resubmission : settings.resubmissions) {
      contenders_.push_back(set_up(loop, teller, resubmission));
    }
  }
}

std::vector<LoopMeasurement> LoopRounds::run() {
  try {
    run_rounds();
  } catch (const Interrupted&) {
    // Measurements so far are kept.
  }
  std::vector<LoopMeasurement> all;
  for (Contender& contender : contenders_) {
    const bool left = !lost_to_.empty() && contender.bench && contender.measurement.turns.empty();
    if (left) contender.drop(LoopStatus::not_run, lost_to_);
    all.push_back(std::move(contender.measurement));
  }
  return all;
}

LoopRounds::Contender LoopRounds::set_up(const Loop& loop, const TellerEntry& teller,
                                         Resubmission resubmission) {
  Contender contender{
      {.teller = teller.name, .resubmission = resubmission, .reason = {}, .turns = {}}, nullptr};
  if (settings_.turn.simulated && !teller.not_modelled.empty()) {
    contender.drop(LoopStatus::not_modelled, teller.not_modelled);
    return contender;
  }
  if (!lost_to_.empty()) {
    contender.drop(LoopStatus::not_run, lost_to_);
    return contender;
  }
  try {
    contender.bench = std::make_unique<LoopBench>(loop, items_, teller, resubmission);
  } catch (const NotPossible& lacking) {
    contender.drop(LoopStatus::not_supported, lacking.what());
  } catch (const std::exception& error) {
    fail(contender, error.what());
  }
  return contender;
}

void LoopRounds::run_rounds() {
  round(false);
  const double start = now_us();
  for (std::uint32_t done = 0;
       lost_to_.empty() &&
       (done < settings_.fewest || now_us() - start < settings_.seconds * us_in_second);
       ++done) {
    round(true);
  }
}

/// Runs a round. The first one is a warm-up and does not count, but its items are also checked.
void LoopRounds::round(bool counts) {
  std::vector<std::size_t> order(contenders_.size());
  std::iota(order.begin(), order.end(), 0);
  shuffle<std::size_t>(order, random_);
  for (const std::size_t i : order) {
    if (settings_.turn.interrupted()) throw Interrupted();
    if (contenders_[i].bench && lost_to_.empty()) take_turn(contenders_[i], counts);
  }
}

void LoopRounds::take_turn(Contender& contender, bool counts) {
  try {
    LoopTurn turn = contender.bench->turn(settings_.turn);
    ensure_no_hazard();
    contender.measurement.checked += 2 * turn.items;  // every turn runs twice
    if (counts) add_turn(contender.measurement, std::move(turn), settings_.most_records);
  } catch (const Interrupted&) {
    throw;
  } catch (const std::exception& error) {
    fail(contender, error.what());
  }
}

/// Drops a contender. After a sticky error nothing else can run, and other contenders keep their
/// turns so far.
void LoopRounds::fail(Contender& contender, const char* reason) {
  contender.drop(LoopStatus::failed, reason);
  const bool lost = is_lost();
  take_hazards();  // a failed contender's hazards do not count against the next
  if (lost && lost_to_.empty()) {
    lost_to_ = fmt::format("the device was lost to {} with {}", contender.measurement.teller,
                           name_of(contender.measurement.resubmission));
  }
}

/// Finds the kernel's rounds. One item of each lane occupies buffers only during this.
std::uint32_t rounds_of(const Loop& loop) {
  const Workload workload = workload_of(loop);
  const PinnedBuffer in = make_pinned_buffer(workload.bytes);
  const PinnedBuffer out = make_pinned_buffer(workload.result_total());
  return rounds_for(Job(workload, in.get(), out.get()), loop.kernel_us);
}

std::vector<LoopMeasurement> none_run(const LoopSettings& settings, const std::string& reason) {
  std::vector<LoopMeasurement> all;
  for (const TellerEntry& teller : settings.tellers) {
    for (const Resubmission resubmission : settings.resubmissions) {
      all.push_back({.teller = teller.name,
                     .resubmission = resubmission,
                     .status = LoopStatus::not_run,
                     .reason = reason,
                     .turns = {}});
    }
  }
  return all;
}

}  // namespace

LoopComparison measure_loops(Loop loop, const LoopSettings& settings) {
  try {
    loop.rounds = rounds_of(loop);
  } catch (const CudaError& error) {
    return {loop, none_run(settings, error.what())};
  }
  return {loop, LoopRounds(loop, settings).run()};
}

}  // namespace trilane
