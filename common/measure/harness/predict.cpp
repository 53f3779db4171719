#include "common/measure/harness/predict.hpp"

#include "common/base/console/interrupt.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/explain/analysis/verdict/fit_error.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {
namespace {

void copy_from_price(Measurement& m) {
  m.setup_us = m.price->setup_us.front();
  m.first_pass_us = m.price->passes_us.front().front();
  m.teardown_us = m.price->teardown_us.front();
}

}  // namespace

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
