#include "common/loop/measure_loops.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "common/console/interrupt.hpp"
#include "common/device/flavour.hpp"
#include "common/gpu/runtime/check.hpp"
#include "common/harness/probe/probe.hpp"
#include "common/loop/results/long_runs.hpp"
#include "common/workload/random.hpp"

namespace trilane {
namespace {

/// One item of each lane takes buffers only while its rounds are found.
std::uint32_t rounds_of(const Loop& loop) {
  const Workload workload = workload_of(loop);
  const PinnedBuffer in = make_pinned_buffer(workload.bytes);
  const PinnedBuffer out = make_pinned_buffer(workload.result_total());
  return rounds_for(Job(workload, in.get(), out.get()), loop.kernel_us);
}

/// A measurement, and what makes it.
struct Contender {
  LoopMeasurement measurement;
  std::unique_ptr<LoopBench> bench;  // null: not possible, or failed
};

void drop(Contender& contender, LoopStatus status, const std::string& reason) {
  contender.measurement.status = status;
  contender.measurement.reason = reason;
  contender.bench.reset();
}

/// An order that the simulated device finds missing is a mistake even where every byte is right.
void ensure_no_hazard() {
  const std::vector<std::string> hazards = take_hazards();
  if (!hazards.empty()) throw WrongResult(hazards.front());
}

class Rounds {
 public:
  Rounds(const Loop& loop, const LoopSettings& settings)
      : settings_(settings), items_(loop, settings.seed), random_(settings.seed) {
    for (const TellerEntry& teller : settings.tellers) {
      for (const Resubmission resubmission : settings.resubmissions) {
        contenders_.push_back(set_up(loop, teller, resubmission));
      }
    }
  }

  std::vector<LoopMeasurement> run() {
    try {
      run_rounds();
    } catch (const Interrupted&) {
      // What was measured stays.
    }
    std::vector<LoopMeasurement> all;
    for (Contender& contender : contenders_) {
      const bool left = !lost_to_.empty() && contender.bench && contender.measurement.turns.empty();
      if (left) drop(contender, LoopStatus::not_run, lost_to_);
      all.push_back(std::move(contender.measurement));
    }
    return all;
  }

 private:
  static constexpr double us_per_second = 1e6;

  Contender set_up(const Loop& loop, const TellerEntry& teller, Resubmission resubmission) {
    Contender contender{
        {.teller = teller.name, .resubmission = resubmission, .reason = {}, .turns = {}}, nullptr};
    if (settings_.turn.simulated && !teller.not_modelled.empty()) {
      drop(contender, LoopStatus::not_modelled, teller.not_modelled);
      return contender;
    }
    if (!lost_to_.empty()) {
      drop(contender, LoopStatus::not_run, lost_to_);
      return contender;
    }
    try {
      contender.bench = std::make_unique<LoopBench>(loop, items_, teller, resubmission);
    } catch (const NotPossible& lacking) {
      drop(contender, LoopStatus::not_supported, lacking.what());
    } catch (const std::exception& error) {
      fail(contender, error.what());
    }
    return contender;
  }

  void run_rounds() {
    round(false);
    const double start = now_us();
    for (std::uint32_t done = 0;
         lost_to_.empty() &&
         (done < settings_.fewest || now_us() - start < settings_.seconds * us_per_second);
         ++done) {
      round(true);
    }
  }

  /// The first round is a warm-up and does not count, but its items are checked, too.
  void round(bool counts) {
    std::vector<std::size_t> order(contenders_.size());
    std::iota(order.begin(), order.end(), 0);
    shuffle<std::size_t>(order, random_);
    for (const std::size_t i : order) {
      if (settings_.turn.interrupted()) throw Interrupted();
      if (contenders_[i].bench && lost_to_.empty()) take_turn(contenders_[i], counts);
    }
  }

  void take_turn(Contender& contender, bool counts) {
    try {
      LoopTurn turn = contender.bench->turn(settings_.turn);
      ensure_no_hazard();
      contender.measurement.checked += turn.items;
      if (counts) add_turn(contender.measurement, std::move(turn));
    } catch (const Interrupted&) {
      throw;
    } catch (const std::exception& error) {
      fail(contender, error.what());
    }
  }

  /// After a sticky error nothing else can run. Others keep the turns that they have.
  void fail(Contender& contender, const char* reason) {
    drop(contender, LoopStatus::failed, reason);
    if (is_lost() && lost_to_.empty()) {
      lost_to_ = fmt::format("the device was lost to {} with {}", contender.measurement.teller,
                             name_of(contender.measurement.resubmission));
    }
  }

  const LoopSettings& settings_;
  std::string lost_to_;  // empty: the device works
  Items items_;
  Random random_;
  std::vector<Contender> contenders_;
};

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
  return {loop, Rounds(loop, settings).run()};
}

}  // namespace trilane
