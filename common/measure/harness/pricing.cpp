#include "common/measure/harness/pricing.hpp"

#include <initializer_list>

#include "common/base/console/interrupt.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/explain/analysis/verdict/break_even.hpp"
#include "common/explain/analysis/verdict/derive.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/measure/rounds/contest.hpp"

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

constexpr std::uint32_t fewest_proof_passes = 8;

class Proof {
 public:
  Proof(Bench& bench, Comparison& comparison, const ProofSettings& settings)
      : bench_(bench), comparison_(comparison), courses_(comparison.measurements.size()) {
    const auto reference =
        std::ranges::find(comparison.measurements, comparison.reference, &Measurement::variant);
    reference_ = static_cast<std::size_t>(reference - comparison.measurements.begin());
    for (const Measurement& m : comparison.measurements) passes_.push_back(passes_for(m, settings));
    longest_ = std::ranges::max(passes_);
    if (longest_ > 0) passes_.at(reference_) = longest_;
  }

  bool anything() const { return longest_ > 0; }

  void once(std::size_t variant) {
    if (passes_[variant] == 0) return;
    Course course{bench_.set_up(variant)};
    then_tear_down(bench_, variant, [&] {
      for (std::uint32_t k = 0; k < passes_[variant]; ++k) {
        course.push_back(course.back() + bench_.pass(variant));
      }
    });
    courses_[variant].push_back(std::move(course));
  }

  /// Fills `crossing` of ok variants that have that many `sequences` each.
  void finish(std::uint32_t sequences) {
    for (std::size_t v = 0; v < passes_.size(); ++v) {
      Measurement& m = comparison_.measurements[v];
      const bool whole =
          courses_[v].size() == sequences && courses_[reference_].size() == sequences;
      if (v == reference_ || passes_[v] == 0 || !m.break_even || !whole) continue;
      std::vector<Course> theirs = courses_[reference_];
      for (Course& course : theirs) course.resize(courses_[v][0].size());
      m.break_even->crossing =
          crossing_of(courses_[v], theirs, m.break_even->pays, comparison_.seed);
    }
  }

 private:
  /// Returns twice the prediction, or the end of its interval; 0 if that takes too long.
  std::uint32_t passes_for(const Measurement& m, const ProofSettings& settings) const {
    if (!m.break_even || !m.break_even->passes || !m.wall) return 0;
    if (m.break_even->pays != Pays::later && m.break_even->pays != Pays::at_first) return 0;
    const Measurement& reference = comparison_.measurements.at(reference_);
    if (!reference.wall) return 0;
    const double pass_us = m.wall->mean + reference.wall->mean;
    const double most = settings.sequence_seconds * us_per_second / pass_us;
    const double twice = std::max<double>(fewest_proof_passes, 2 * *m.break_even->passes);
    if (twice > most) return 0;
    const double passes = std::max(twice, m.break_even->high.value_or(0));
    return static_cast<std::uint32_t>(std::ceil(std::min(passes, most)));
  }

  Bench& bench_;
  Comparison& comparison_;
  std::vector<std::vector<Course>> courses_;  // by variant, then round
  std::vector<std::uint32_t> passes_;
  std::size_t reference_ = 0;
  std::uint32_t longest_ = 0;
};

/// Returns true after an interrupt, or when the device is lost.
bool has_ended(const Comparison& comparison, const HarnessListener& listener) {
  return comparison.stopped == "lost" || listener.interrupted();
}

/// Runs, in every round, each of `actions` once for each ok variant of a measured comparison, all
/// in an order newly shuffled by the comparison's seed. A variant that throws fails and gets no
/// more turns; after a sticky error no variant gets any. Returns the number of rounds.
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

void copy_from_price(Measurement& m) {
  m.setup_us = m.price->setup_us.front();
  m.first_pass_us = m.price->passes_us.front().front();
  m.teardown_us = m.price->teardown_us.front();
}

}  // namespace

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

void prove_break_even(PricedBench& bench, Comparison& comparison, const ProofSettings& settings,
                      const HarnessListener& listener) {
  if (comparison.measurements.empty()) return;
  Proof proof(bench, comparison, settings);
  if (!proof.anything()) return;
  Pricing pricing(bench, comparison, settings.pricing);
  const std::uint32_t rounds =
      in_sequences(bench, comparison, listener, {settings.seconds, settings.fewest, settings.most},
                   {[&](std::size_t variant) { pricing.once(variant); },
                    [&](std::size_t variant) { proof.once(variant); }});
  if (has_ended(comparison, listener)) return;
  pricing.finish(comparison);
  find_break_even(comparison);
  proof.finish(rounds);
}

void predict_comparison(PricedBench& bench, Comparison& comparison,
                        const HarnessListener& listener) {
  const double start = bench.now();
  Roster roster(bench, comparison);
  Pricing pricing(bench, comparison,
                  {.fewest = 1, .most = 1, .fewest_passes = 2, .most_passes = 2});
  listener.phase("predicting");
  const auto one = [&](std::size_t variant) {
    if (listener.interrupted()) throw Interrupted();
    pricing.once(variant, [&] {
      Sample sample = bench.sample(variant, comparison.batch);
      sample.after = static_cast<std::uint32_t>(variant);
      roster[variant].samples.push_back(sample);
    });
  };
  roster.each([&](std::size_t variant) {
    try {
      one(variant);
    } catch (const Interrupted&) {
      roster.dismiss("interrupted before it was predicted");
    }
  });
  pricing.finish(comparison);
  roster.each([&](std::size_t variant) { copy_from_price(roster[variant]); });
  comparison.rounds = 1;
  if (comparison.stopped.empty()) {
    comparison.stopped = listener.interrupted() ? "interrupted"
                         : roster.left() > 0    ? "predicted"
                                                : "error";
  }
  comparison.seconds = (bench.now() - start) / us_per_second;
  summarise(comparison);
}

std::optional<Prediction> prediction_of(const Model& model) {
  const Profile* const profile = profile_in_use();
  if (profile == nullptr) return std::nullopt;
  if (!profile->error || !is_modelled(model)) return Prediction{};
  return prediction_with(*profile->error, tier_of(model));
}

void ensure_modelled(const Workload& workload, Wait wait) {
  const std::string why = why_not_modelled(workload.host_memory, wait);
  if (!why.empty()) throw NotPossible(why);
}

}  // namespace trilane
