#include "common/measure/harness/pricing/pricing.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "common/explain/statistics/statistics.hpp"
#include "common/measure/rounds/roster.hpp"

namespace trilane {

namespace {

void add(Price& price, const PhaseTime& phase) {
  auto found = std::ranges::find(price.phases, phase.first, &Series::name);
  if (found == price.phases.end()) {
    found = price.phases.insert(found, {std::string(phase.first), {}});
  }
  found->values.push_back(phase.second);
}

/// Returns the time that a pass spent allocating from a pool.
double in_pool(const std::vector<PhaseTime>& phases) {
  const auto found = std::ranges::find(phases, "pool allocation", &PhaseTime::first);
  return found == phases.end() ? 0 : found->second;
}

std::optional<std::uint64_t> fact(const std::vector<Count>& evidence, std::string_view name) {
  const auto found = std::ranges::find(evidence, name, &Count::name);
  return found == evidence.end() ? std::nullopt : std::optional(found->value);
}

}  // namespace

bool has_ended(const Comparison& comparison, const HarnessListener& listener) {
  return comparison.stopped == "lost" || listener.interrupted();
}

std::uint32_t in_sequences(Bench& bench, Comparison& comparison, const HarnessListener& listener,
                           const RoundSettings& rounds,
                           std::initializer_list<std::function<void(std::size_t)>> actions) {
  const std::size_t variants = comparison.measurements.size();
  const auto take = [&](std::size_t turn) {
    Measurement& measurement = comparison.measurements[turn % variants];
    if (measurement.status != Status::ok) return;
    try {
      actions.begin()[turn / variants](turn % variants);
    } catch (const Interrupted&) {  // the listener also reports it
    } catch (...) {
      Roster(bench, comparison).fail(turn % variants, std::current_exception());
      measurement.price.reset();
      if (bench.lost()) comparison.stopped = "lost";
      summarise(comparison);
    }
  };
  Random random(comparison.seed);
  return timed_rounds(
      variants * actions.size(), rounds, random, [&] { return bench.now(); }, take,
      [&] { return has_ended(comparison, listener); });
}

Pricing::Pricing(PricedBench& bench, const Comparison& comparison, const PricingSettings& settings)
    : bench_(bench), prices_(comparison.measurements.size()) {
  const double each_us = settings.seconds * us_per_second /
                         static_cast<double>(comparison.measurements.size() * settings.most);
  for (const Measurement& m : comparison.measurements) {
    const double pass_us = m.wall ? m.wall->mean : each_us;
    std::size_t passes = pass_us < long_pass_us ? settings.fewest_passes : 1;
    while (passes > 1 && passes < settings.most_passes &&
           2.0 * static_cast<double>(passes) * pass_us <= each_us) {
      passes *= 2;
    }
    passes_.push_back(passes);
  }
}

void Pricing::once(std::size_t variant, const std::function<void()>& more) {
  const std::uint64_t before = bench_.free_bytes();
  const double setup_us = bench_.set_up(variant);
  const std::vector<PhaseTime> phases = bench_.phases();
  std::vector<double> passes_us;
  double first_pool_us = 0, pool_us = 0;
  std::uint64_t after = 0;
  std::vector<Count> evidence;
  const double teardown_us = then_tear_down(bench_, variant, [&] {
    const std::size_t last = passes_[variant] - 1;
    for (std::size_t k = 0; k <= last; ++k) {
      const bool ends = k == 0 || k == last;
      passes_us.push_back(ends ? bench_.pass_by_phase(variant) : bench_.pass(variant));
      if (k == 0) first_pool_us = in_pool(bench_.phases());
      if (k == last) pool_us = in_pool(bench_.phases());
    }
    evidence = bench_.evidence(variant);
    after = bench_.free_bytes();
    more();
  });
  if (!prices_[variant]) prices_[variant].emplace();
  Price& price = *prices_[variant];
  price.setup_us.push_back(setup_us);
  double other_us = setup_us;
  for (const PhaseTime& phase : phases) {
    add(price, phase);
    other_us -= phase.second;
  }
  add(price, {"other", other_us});
  price.passes_us.resize(passes_us.size());
  for (std::size_t k = 0; k < passes_us.size(); ++k) price.passes_us[k].push_back(passes_us[k]);
  if (pool_us > 0 && passes_us.size() > 1) price.priming_us.push_back(first_pool_us - pool_us);
  price.teardown_us.push_back(teardown_us);
  price.device_bytes.push_back(before > after ? before - after : 0);
  price.pool_used_high_bytes = fact(evidence, "pool used high bytes");
  price.pool_reserved_high_bytes = fact(evidence, "pool reserved high bytes");
  price.graph_reserved_bytes = fact(evidence, "graph memory reserved bytes");
}

double Pricing::least_seconds(const Comparison& comparison, std::uint32_t times) const {
  double us = 0;
  for (std::size_t v = 0; v < passes_.size(); ++v) {
    const Measurement& m = comparison.measurements[v];
    if (m.wall) us += static_cast<double>(passes_[v]) * m.wall->mean;
  }
  return times * us / us_per_second;
}

void Pricing::finish(Comparison& comparison) {
  for (std::size_t v = 0; v < prices_.size(); ++v) {
    Measurement& m = comparison.measurements[v];
    if (m.status == Status::ok && prices_[v]) m.price = std::move(prices_[v]);
  }
}

void price_variants(PricedBench& bench, Comparison& comparison, const PricingSettings& settings,
                    const HarnessListener& listener) {
  Pricing pricing(bench, comparison, settings);
  listener.phase(announced("pricing set-ups", pricing.least_seconds(comparison, settings.fewest)));
  const auto price = [&](std::size_t variant) {
    const bool dropped = comparison.measurements[variant].dropped_after.has_value();
    if (!dropped || pricing.set_ups(variant) < settings.fewest) pricing.once(variant);
  };
  in_sequences(bench, comparison, listener, {settings.seconds, settings.fewest, settings.most},
               {price});
  pricing.finish(comparison);
}

}  // namespace trilane
