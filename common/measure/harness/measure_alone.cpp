#include "common/measure/harness/measure_alone.hpp"

#include <unistd.h>

#include "common/base/console/interrupt.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/model/results/find.hpp"
#include "common/model/workload/random.hpp"

namespace trilane {
namespace {

constexpr useconds_t pause_us = 50;

/// Runs a turn in parts of at most 100 ms, or of one sample, to notice an interrupt between them.
std::vector<Sample> turn_in_parts(Bench& bench, std::size_t variant, TurnPlan plan,
                                  double pass_us) {
  constexpr double part_us = 100'000;
  const auto most = static_cast<std::uint32_t>(std::max(1.0, part_us / (2 * pass_us * plan.batch)));
  std::vector<Sample> samples;
  for (std::uint32_t left = plan.samples; left > 0; left -= plan.samples) {
    plan.samples = std::min(left, most);
    for (Sample sample : bench.turn(variant, plan)) {
      sample.after = static_cast<std::uint32_t>(variant);
      samples.push_back(sample);
    }
    plan.untimed = plan.more_untimed = 0;
  }
  return samples;
}

}  // namespace

void Meanwhile::begin() const {
  if (!company) return;
  company->begin(step, [] {
    stop_if_interrupted();
    usleep(pause_us);
  });
}

bool Meanwhile::all_took_part(bool took_part) const {
  if (!company) return true;
  company->done(step, took_part);
  while (!company->all_done(step) && !interrupted()) usleep(pause_us);
  return company->all_took_part(step);
}

double measure_alone(Bench& bench, Comparison& comparison, std::size_t variant, double seconds,
                     const HarnessListener& listener, const Meanwhile& meanwhile) {
  Roster roster(bench, comparison);
  Checks checks(bench, roster, listener);
  Measurement& m = roster[variant];
  const double start = bench.now();
  double turn_us = 0;
  bool live = false;
  const auto attempt = [&](auto action) {
    roster.attempt(variant, [&](std::size_t) { action(); });
  };
  const auto leave_out = [&](const char* why) {
    if (!roster.takes_part(variant)) return;
    m.status = Status::not_run;
    m.message = why;
    m.samples.clear();
  };
  const auto check = [&] {
    if (roster.takes_part(variant)) bench.new_input();  // its errors are not the variant's
    attempt([&] { checks.one(variant, comparison.batch); });
  };
  attempt([&] {
    m.setup_us = bench.set_up(variant);
    live = true;
    m.first_pass_us = bench.pass(variant);
    comparison.batch = batch_alone(m.first_pass_us, comparison.batch);
  });
  try {
    check();
    attempt([&] { checks.plan(variant); });
    attempt([&] {
      const double pass_us = bench.pass(variant);
      meanwhile.begin();
      const double began = bench.now();
      m.samples =
          turn_in_parts(bench, variant, turn_alone(pass_us, comparison.batch, seconds), pass_us);
      turn_us = bench.now() - began;
      meanwhile.timed();
      while (meanwhile.others_work() && !listener.interrupted()) {
        bench.turn(variant, turn_alone(pass_us, comparison.batch, 0));
      }
    });
    check();
    const bool took_part = roster.takes_part(variant) && !listener.interrupted();
    const bool all_did = meanwhile.all_took_part(took_part) || listener.interrupted();
    if (!all_did) leave_out("another GPU did not run it at the same time");
  } catch (const Interrupted&) {  // handled below
  }
  if (live) {
    try {
      m.teardown_us = bench.tear_down(variant);
    } catch (const Interrupted&) {  // handled below
    } catch (...) {
      if (roster.takes_part(variant)) roster.fail(variant, std::current_exception());
    }
  }
  if (listener.interrupted()) leave_out("interrupted before it was measured");
  if (!m.samples.empty()) comparison.rounds = 1;
  comparison.seconds += (bench.now() - start) / us_per_second;
  return turn_us / us_per_second;
}

std::vector<std::size_t> order_of(const Comparison& comparison) {
  Random random(comparison.seed);
  return shuffled(comparison.measurements.size(), random);
}

void conclude(Comparison& comparison, const HarnessListener& listener) {
  const bool any = any_with(Status::ok, comparison);
  comparison.stopped = listener.interrupted() ? "interrupted" : any ? "time" : "error";
  summarise(comparison);
}

}  // namespace trilane
