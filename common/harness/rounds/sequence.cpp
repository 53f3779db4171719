#include "common/harness/rounds/sequence.hpp"

#include <numeric>
#include <vector>

#include "common/analysis/statistics/statistics.hpp"

namespace trilane {

void Sequences::each(std::initializer_list<Action> actions) {
  const std::size_t variants = comparison_.measurements.size();
  std::vector<std::size_t> order(variants * actions.size());
  std::iota(order.begin(), order.end(), 0);
  shuffle(std::span(order), random_);
  for (const std::size_t turn : order) {
    if (ended()) return;
    const std::size_t variant = turn % variants;
    if (comparison_.measurements[variant].status != Status::ok) continue;
    attempt(variant, actions.begin()[turn / variants]);
  }
}

void Sequences::attempt(std::size_t variant, const Action& action) {
  try {
    action(variant);
  } catch (const std::exception& error) {
    Measurement& measurement = comparison_.measurements[variant];
    measurement.status = Status::failed;
    measurement.message = error.what();
    measurement.price.reset();
    if (bench_.lost()) comparison_.stopped = "lost";
    summarise(comparison_);
  }
}

}  // namespace trilane
