#include "common/harness/sequence.hpp"

#include <numeric>
#include <vector>

#include "common/results/statistics.hpp"

namespace trilane {

void Sequences::each(const std::function<void(std::size_t)>& action) {
  std::vector<std::size_t> order(comparison_.measurements.size());
  std::iota(order.begin(), order.end(), 0);
  shuffle(std::span(order), random_);
  for (const std::size_t variant : order) {
    if (ended()) return;
    if (comparison_.measurements[variant].status == Status::ok) attempt(variant, action);
  }
}

void Sequences::attempt(std::size_t variant, const std::function<void(std::size_t)>& action) {
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
