#include "common/measure/harness/pricing/sequence.hpp"

#include <numeric>
#include <vector>

#include "common/explain/statistics/statistics.hpp"
#include "common/measure/rounds/roster.hpp"

namespace trilane {

std::uint32_t Sequences::run(const Rounds& rounds, std::initializer_list<Action> actions) {
  const double start = bench_.now();
  std::uint32_t done = 0;
  for (; done < rounds.most && !ended(); ++done) {
    const bool late = bench_.now() - start > rounds.seconds * us_per_second;
    if (late && done >= rounds.fewest) break;
    each(actions);
  }
  return done;
}

void Sequences::each(std::initializer_list<Action> actions) {
  const std::size_t variants = comparison_.measurements.size();
  std::vector<std::size_t> order(variants * actions.size());
  std::iota(order.begin(), order.end(), 0);
  shuffle(std::span(order), random_);
  for (const std::size_t turn : order) {
    if (ended()) return;
    Measurement& measurement = comparison_.measurements[turn % variants];
    if (measurement.status != Status::ok) continue;
    try {
      actions.begin()[turn / variants](turn % variants);
    } catch (const Interrupted&) {
      return;
    } catch (...) {
      Roster(bench_, comparison_).fail(turn % variants, std::current_exception());
      measurement.price.reset();
      if (bench_.lost()) comparison_.stopped = "lost";
      summarise(comparison_);
    }
  }
}

}  // namespace trilane
