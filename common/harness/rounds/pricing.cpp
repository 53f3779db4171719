#include "common/harness/rounds/pricing.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>

#include "common/analysis/statistics/statistics.hpp"
#include "common/harness/rounds/roster.hpp"
#include "common/harness/rounds/sequence.hpp"

namespace trilane {

namespace {

constexpr double us_per_second = 1e6;

/// One set-up with its passes and tear-down.
struct Once {
  double setup_us = 0, teardown_us = 0, priming_us = 0;
  std::vector<PhaseTime> phases;
  std::vector<double> passes_us;
  std::uint64_t device_bytes = 0;
  std::vector<Count> evidence;
};

double total(const std::vector<PhaseTime>& phases) {
  return std::accumulate(phases.begin(), phases.end(), 0.0,
                         [](double sum, const PhaseTime& phase) { return sum + phase.second; });
}

void add(Price& price, const PhaseTime& phase) {
  auto found = std::ranges::find(price.phases, phase.first, &Series::name);
  if (found == price.phases.end()) {
    found = price.phases.insert(found, {std::string(phase.first), {}});
  }
  found->values.push_back(phase.second);
}

/// The time that a pass spent allocating from a pool.
double in_pool(const std::vector<PhaseTime>& phases) {
  const auto found = std::ranges::find(phases, "pool allocation", &PhaseTime::first);
  return found == phases.end() ? 0 : found->second;
}

std::optional<std::uint64_t> fact(const std::vector<Count>& evidence, std::string_view name) {
  const auto found = std::ranges::find(evidence, name, &Count::name);
  return found == evidence.end() ? std::nullopt : std::optional(found->value);
}

void add(Price& price, const Once& once, bool has_pool) {
  price.setup_us.push_back(once.setup_us);
  for (const PhaseTime& phase : once.phases) add(price, phase);
  add(price, {"other", once.setup_us - total(once.phases)});
  price.passes_us.resize(once.passes_us.size());
  for (std::size_t k = 0; k < once.passes_us.size(); ++k) {
    price.passes_us[k].push_back(once.passes_us[k]);
  }
  if (has_pool) price.priming_us.push_back(once.priming_us);
  price.teardown_us.push_back(once.teardown_us);
  price.device_bytes.push_back(once.device_bytes);
  price.pool_used_high_bytes = fact(once.evidence, "pool used high bytes");
  price.pool_reserved_high_bytes = fact(once.evidence, "pool reserved high bytes");
  price.graph_reserved_bytes = fact(once.evidence, "graph memory reserved bytes");
}

}  // namespace

Pricing::Pricing(Bench& bench, const Comparison& comparison, const PricingSettings& settings)
    : bench_(bench), prices_(comparison.measurements.size()) {
  const double each_us = settings.seconds * us_per_second /
                         static_cast<double>(comparison.measurements.size() * settings.most);
  for (const Measurement& m : comparison.measurements) {
    std::size_t passes = fewest_first_passes;
    const double pass_us = m.wall ? m.wall->median : each_us;
    while (passes < most_first_passes && 2.0 * static_cast<double>(passes) * pass_us <= each_us) {
      passes *= 2;
    }
    passes_.push_back(passes);
  }
}

void Pricing::once(std::size_t variant) {
  Once once;
  const std::uint64_t before = bench_.free_bytes();
  once.setup_us = bench_.set_up(variant);
  once.phases = bench_.phases();
  double pool_us = 0;
  once.teardown_us = then_tear_down(bench_, variant, [&] {
    const std::size_t last = passes_[variant] - 1;
    for (std::size_t k = 0; k <= last; ++k) {
      const bool ends = k == 0 || k == last;
      once.passes_us.push_back(ends ? bench_.pass_by_phase(variant) : bench_.pass(variant));
      if (k == 0) once.priming_us = in_pool(bench_.phases());
      if (k == last) pool_us = in_pool(bench_.phases());
    }
    once.evidence = bench_.evidence(variant);
    const std::uint64_t after = bench_.free_bytes();
    once.device_bytes = before > after ? before - after : 0;
  });
  const bool has_pool = pool_us > 0;
  once.priming_us -= pool_us;
  if (!prices_[variant]) prices_[variant].emplace();
  add(*prices_[variant], once, has_pool);
}

void Pricing::finish(Comparison& comparison) {
  for (std::size_t v = 0; v < prices_.size(); ++v) {
    Measurement& m = comparison.measurements[v];
    if (m.status == Status::ok && prices_[v]) m.price = std::move(prices_[v]);
  }
}

void price_variants(Bench& bench, Comparison& comparison, const PricingSettings& settings,
                    const HarnessListener& listener) {
  Pricing pricing(bench, comparison, settings);
  Sequences rounds(bench, comparison, listener);
  const double start = bench.now();
  for (std::uint32_t round = 0; round < settings.most; ++round) {
    const bool late = bench.now() - start > settings.seconds * us_per_second;
    if (rounds.ended() || (late && round >= settings.fewest)) break;
    rounds.each({[&](std::size_t variant) { pricing.once(variant); }});
  }
  pricing.finish(comparison);
}

}  // namespace trilane
