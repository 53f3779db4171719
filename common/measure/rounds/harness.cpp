#include "common/measure/rounds/harness.hpp"

#include "common/base/text/exit_code.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/model/results/find.hpp"
#include "common/model/variant/plan.hpp"
#include "common/model/workload/random.hpp"

namespace trilane {
namespace {

constexpr char unmeasured[] = "interrupted before it was measured";
constexpr double check_every = 0.5;  // share of the measuring time

/// Samples in a turn, which are correlated. When streams was compared with itself on an H200, 2
/// gave intervals a fifth narrower than 4 did in the same time.
constexpr std::uint32_t samples_in_turn = 2;

class Harness {
 public:
  Harness(Bench& bench, Comparison& comparison, const HarnessSettings& settings,
          const HarnessListener& listener)
      : bench_(bench),
        comparison_(comparison),
        roster_(bench, comparison),
        settings_(settings),
        listener_(listener),
        checks_(bench, roster_, listener),
        random_(comparison.seed) {}

  void run() {
    const double start = bench_.now();
    listener_.phase("setting up");
    roster_.each([this](std::size_t variant) { set_up(variant); });
    latest_set_ups_us_ = bench_.now() - start;
    set_pace();
    checks_.before(settings_.checks_before, comparison_.batch);
    roster_.each([this](std::size_t variant) { checks_.plan(variant); });
    if (listener_.interrupted()) roster_.dismiss(unmeasured);
    warm_up();
    listener_.phase(announced("measuring", least_seconds()));
    while (!finished()) {
      if (check_is_due()) {
        check_all();
        warm_up();
      }
      if (rounds_ > 0 && renewal_is_due()) renew();
      round();
    }
    if (!listener_.interrupted()) checks_.again(comparison_.batch);
    tear_down_all();
    comparison_.seconds = (bench_.now() - start) / us_per_second;
    summarise(comparison_);
  }

 private:
  void set_up(std::size_t variant) {
    if (listener_.interrupted()) return roster_.dismiss(unmeasured);
    roster_[variant].setup_us = bench_.set_up(variant);
    live_.insert(variant);
    roster_[variant].first_pass_us = bench_.pass(variant);
  }

  bool renewal_is_due() const {
    return renewals_us_ + latest_set_ups_us_ <= settings_.renewing_share * used_us_;
  }

  /// Tears all variants down, then sets them up in a shuffled order, so that each gets other memory
  /// and streams than before, and intervals cover differences between set-ups.
  void renew() {
    std::vector<std::size_t> order = shuffled(dropped_.size(), random_);
    std::erase_if(order, [this](std::size_t variant) { return dropped_[variant]; });
    const double start = bench_.now();
    for (const std::size_t variant : order) {
      roster_.attempt(variant, [this](std::size_t index) {
        live_.erase(index);
        bench_.tear_down(index);
      });
    }
    for (const std::size_t variant : order) {
      roster_.attempt(variant, [this](std::size_t index) {
        bench_.set_up(index);
        live_.insert(index);
        bench_.pass(index);
      });
    }
    latest_set_ups_us_ = bench_.now() - start;
    renewals_us_ += latest_set_ups_us_;
  }

  void check_all() {
    checks_.all(comparison_.batch);
    checked_at_us_ = used_us_;
  }

  /// Returns true when time is due, and once after half of the fewest rounds, for short runs.
  bool check_is_due() const {
    if (!settings_.checks_between) return false;
    return rounds_ == settings_.min_rounds / 2 ||
           used_us_ - checked_at_us_ >
               check_every * std::max(least_seconds(), settings_.seconds) * us_per_second;
  }

  /// Warms up: the GPU was idle during the checks, so its clocks may have dropped.
  void warm_up() {
    const double start = bench_.now();
    const auto is_warm = [&] {
      return listener_.interrupted() || bench_.now() - start >= settings_.warm_up_us;
    };
    while (roster_.left() > 0 && !is_warm()) {
      roster_.each([&](std::size_t variant) {
        if (!dropped_[variant] && !is_warm()) bench_.pass(variant);
      });
    }
  }

  void set_pace() {
    std::vector<double> passes_us;
    roster_.each([&](std::size_t variant) {
      passes_us.push_back(pass_us_[variant] = bench_.pass(variant));
    });
    pace_ = pace_of(passes_us, {.turn = samples_in_turn, .batch = comparison_.batch},
                    settings_.min_rounds, settings_.seconds);
    comparison_.batch = pace_.batch;
  }

  double least_seconds() const {
    return static_cast<double>(fewest_rounds) * pace_.round_us / us_per_second;
  }

  void round() {
    const double start = bench_.now();
    for (std::size_t variant : shuffled(dropped_.size(), random_)) {
      if (listener_.interrupted()) break;
      if (dropped_[variant]) continue;
      roster_.attempt(variant, [this](std::size_t index) { turn(index); });
    }
    comparison_.rounds = ++rounds_;
    used_us_ += bench_.now() - start;
    listener_.advance(used_us_ / (settings_.seconds * us_per_second));
  }

  void turn(std::size_t variant) {
    const std::size_t before = std::exchange(previous_, variant);
    for (Sample sample : bench_.turn(variant, pace_.turn_of(pass_us_[variant]))) {
      sample.round = rounds_;
      sample.after = static_cast<std::uint32_t>(before == none ? variant : before);
      roster_[variant].samples.push_back(sample);
    }
  }

  bool finished() {
    if (!comparison_.stopped.empty()) return true;  // device lost
    if (listener_.interrupted()) {
      comparison_.stopped = "interrupted";
    } else if (roster_.left() == 0) {
      comparison_.stopped = "error";
    } else if (rounds_ >= fewest_rounds && used_us_ >= settings_.seconds * us_per_second) {
      comparison_.stopped = "time";
    } else if (settings_.judge) {
      comparison_.stopped = settings_.judge(comparison_, dropped_);
      note_dropped();
    }
    return !comparison_.stopped.empty();
  }

  void note_dropped() {
    for (std::size_t variant = 0; variant < dropped_.size(); ++variant) {
      std::optional<std::uint32_t>& after = roster_[variant].dropped_after;
      if (dropped_[variant] && !after) after = rounds_;
    }
  }

  void tear_down_all() {
    for (std::size_t variant : live_) {
      try {
        roster_[variant].teardown_us = bench_.tear_down(variant);
      } catch (const std::exception&) {
        // After a sticky error every tear-down fails; only the first failure counts.
        if (!roster_.takes_part(variant) || comparison_.stopped == "lost") continue;
        roster_.fail(variant, std::current_exception());
        if (bench_.lost()) comparison_.stopped = "lost";
      }
    }
  }

  static constexpr std::size_t none = SIZE_MAX;

  Bench& bench_;
  Comparison& comparison_;
  Roster roster_;
  const HarnessSettings& settings_;
  const HarnessListener& listener_;
  Checks checks_;
  Random random_;
  std::set<std::size_t> live_;  // set up and not torn down
  std::vector<bool> dropped_ = std::vector<bool>(comparison_.measurements.size());
  std::size_t previous_ = none;
  Pace pace_;
  std::vector<double> pass_us_ = std::vector<double>(comparison_.measurements.size());
  std::uint32_t rounds_ = 0;
  double used_us_ = 0, checked_at_us_ = 0;
  double latest_set_ups_us_ = 0, renewals_us_ = 0;
};

}  // namespace

std::string announced(const std::string& phase, double seconds) {
  constexpr double worth_saying = 10;
  if (!(seconds > worth_saying)) return phase;
  return fmt::format("{}, which takes about {:.0f} s", phase, seconds);
}

std::pair<Status, std::string> failure_of(const std::exception_ptr& thrown) try {
  std::rethrow_exception(thrown);
} catch (const OutOfMemory& error) {
  return {Status::out_of_memory, error.what()};
} catch (const NotPossible& error) {
  return {Status::not_supported, error.what()};
} catch (const std::bad_alloc&) {
  return {Status::out_of_memory, "the host ran out of memory"};
} catch (const std::exception& error) {
  return {Status::failed, error.what()};
}

std::size_t Roster::left() const {
  return static_cast<std::size_t>(
      std::ranges::count(comparison_.measurements, Status::ok, &Measurement::status));
}

void Roster::fail(std::size_t variant, const std::string& message) {
  comparison_.measurements[variant].status = Status::failed;
  comparison_.measurements[variant].message = message;
}

void Roster::fail(std::size_t variant, const std::exception_ptr& thrown) {
  Measurement& m = comparison_.measurements[variant];
  std::tie(m.status, m.message) = failure_of(thrown);
}

void Roster::dismiss(const std::string& message) {
  for (Measurement& measurement : comparison_.measurements) {
    if (measurement.status != Status::ok) continue;
    measurement.status = Status::not_run;
    measurement.message = message;
  }
}

void Roster::lose(std::size_t culprit) {
  comparison_.stopped = "lost";
  dismiss("not run to the end: the error of " + comparison_.measurements[culprit].variant +
          " leaves the GPU unusable for this process");
}

void Checks::before(int times, std::uint32_t batch) {
  listener_.phase("checking");
  for (times_ = times; times_ > 0; --times_) all(batch);
}

void Checks::all(std::uint32_t batch) {
  if (roster_.left() == 0) return;
  bench_.new_input();
  roster_.each([&](std::size_t variant) {
    const double start = bench_.now();
    one(variant, batch);
    const bool is_first = std::exchange(one_us_, bench_.now() - start) == 0;
    const std::string text = announced("checking", seconds() * times_);
    if (is_first && text != "checking") listener_.phase(text);
  });
}

void Checks::again(std::uint32_t batch) {
  listener_.phase(announced("checking again", seconds()));
  all(batch);
}

void Checks::one(std::size_t variant, std::uint32_t batch) {
  check(variant, 1);
  if (batch > 1 && roster_.takes_part(variant)) check(variant, batch);
}

void Checks::plan(std::size_t variant) {
  roster_[variant].evidence = bench_.evidence(variant);
  const auto missed = mismatches(roster_[variant].plan.facts, roster_[variant].evidence);
  if (!missed.empty()) roster_.fail(variant, "evidence contradicts the plan: " + missed.front());
}

void Checks::check(std::size_t variant, std::uint32_t batch) {
  const std::string wrong = bench_.check(variant, batch);
  if (!wrong.empty()) return roster_.fail(variant, wrong);
  ++roster_[variant].checked_passes;
}

double Checks::seconds() const {
  return one_us_ * static_cast<double>(roster_.left()) / us_per_second;
}

void run_comparison(Bench& bench, Comparison& comparison, const HarnessSettings& settings,
                    const HarnessListener& listener) {
  Harness(bench, comparison, settings, listener).run();
}

}  // namespace trilane
