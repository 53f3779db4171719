#include "common/measure/loop/measure_loops.hpp"

#include "common/base/console/interrupt.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/measure/gpu/runtime/check.hpp"
#include "common/measure/harness/probe.hpp"

namespace trilane {
namespace {

struct Contender {
  LoopMeasurement measurement;
  std::unique_ptr<LoopBench> bench = nullptr;  // null: not possible, or failed

  void drop(LoopStatus status, const std::string& reason) {
    measurement.status = status;
    measurement.reason = reason;
    bench.reset();
  }
};

/// Rounds of a loop: every contender has a turn in each, in a shuffled order.
class LoopRounds {
 public:
  /// Sets up all contenders unless the device was `lost_to` something. `settings` must outlive it.
  LoopRounds(const Loop& loop, const LoopSettings& settings, std::string lost_to)
      : settings_(settings), lost_to_(std::move(lost_to)), items_(loop, settings.rounds.seed) {
    for (const NotificationEntry& notification : settings.notifications) {
      for (const Resubmission resubmission : settings.resubmissions) {
        contenders_.push_back({{.teller = notification.name, .resubmission = resubmission}});
        set_up(contenders_.back(), loop, notification);
      }
    }
  }

  /// Runs a warm-up round, then those that count, and returns the measurements. May be called once.
  std::vector<LoopMeasurement> run() {
    try {
      const auto take = [this](std::size_t i, bool counts) {
        if (settings_.turn.interrupted()) throw Interrupted();
        if (contenders_[i].bench && lost_to_.empty()) take_turn(contenders_[i], counts);
      };
      in_rounds(contenders_.size(), settings_.rounds, take, [this] { return !lost_to_.empty(); });
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

 private:
  void set_up(Contender& contender, const Loop& loop, const NotificationEntry& notification) {
    if (settings_.turn.simulated && !notification.not_modelled.empty()) {
      return contender.drop(LoopStatus::not_modelled, notification.not_modelled);
    }
    if (!lost_to_.empty()) return contender.drop(LoopStatus::not_run, lost_to_);
    try {
      contender.bench = std::make_unique<LoopBench>(loop, items_, notification,
                                                    contender.measurement.resubmission);
    } catch (const NotPossible& lacking) {
      contender.drop(LoopStatus::not_supported, lacking.what());
    } catch (const std::exception& error) {
      fail(contender, error.what());
    }
  }

  /// Takes a turn. That of the warm-up does not count, but its items are also checked.
  void take_turn(Contender& contender, bool counts) {
    try {
      LoopTurn turn = contender.bench->turn(settings_.turn);
      // On the simulated device a missing order is an error even if every byte is right.
      const std::vector<std::string> hazards = take_hazards();
      if (!hazards.empty()) throw WrongResult(hazards.front());
      contender.measurement.checked += 2 * turn.items;  // every turn runs twice
      if (counts) add_turn(contender.measurement, std::move(turn), settings_.most_records);
    } catch (const Interrupted&) {
      throw;
    } catch (const std::exception& error) {
      fail(contender, error.what());
    }
  }

  /// Drops a contender. After a sticky error nothing else runs, and others keep their turns so far.
  void fail(Contender& contender, const char* reason) {
    contender.drop(LoopStatus::failed, reason);
    const bool lost = is_lost();
    take_hazards();  // a failed contender's hazards do not count against the next
    if (lost && lost_to_.empty()) {
      lost_to_ = fmt::format("the device was lost to {} with {}", contender.measurement.teller,
                             name_of(contender.measurement.resubmission));
    }
  }

  const LoopSettings& settings_;
  std::string lost_to_;  // empty: the device works
  Items items_;
  std::vector<Contender> contenders_;
};

/// Finds the kernel's rounds. One item of each lane occupies buffers only during this.
std::uint32_t rounds_of(const Loop& loop) {
  const Workload workload = workload_of(loop);
  const PinnedBuffer in = make_pinned_buffer(workload.bytes);
  const PinnedBuffer out = make_pinned_buffer(workload.result_total());
  return rounds_for(Job(workload, in.get(), out.get()), loop.kernel_us);
}

}  // namespace

LoopComparison measure_loops(Loop loop, const LoopSettings& settings) {
  std::string lost_to;
  try {
    loop.rounds = rounds_of(loop);
  } catch (const CudaError& error) {
    lost_to = error.what();
  }
  return {loop, LoopRounds(loop, settings, lost_to).run()};
}

}  // namespace trilane
