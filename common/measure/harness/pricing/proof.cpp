#include "common/measure/harness/pricing/proof.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/explain/analysis/verdict/break_even.hpp"
#include "common/measure/harness/pricing/pricing.hpp"

namespace trilane {

namespace {

constexpr std::uint32_t fewest_passes = 8;

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
    const double twice = std::max<double>(fewest_passes, 2 * *m.break_even->passes);
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

}  // namespace

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

}  // namespace trilane
