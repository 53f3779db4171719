#include "common/explain/analysis/limits/bounds.hpp"

#include <algorithm>

#include "common/explain/analysis/limits/loads.hpp"

namespace trilane {
namespace {

/// With short kernels, launching them takes most of the SMs' time.
void name_short_kernels(Comparison& comparison) {
  Limit& limit = *comparison.limit;
  if (limit.bound_by == Limiter::sms && kernel_us(comparison) < short_us) {
    limit.bound_by = Limiter::kernel_launches;
  }
}

}  // namespace

std::optional<Bound> bound_of(const Comparison& comparison, const Measurement& m) {
  if (!comparison.limit || m.status != Status::ok || !m.wall) return std::nullopt;
  const std::vector<Load> loads = loads_of(comparison, m);
  const Load& highest = *std::ranges::max_element(loads, {}, &Load::bound_us);
  if (!(highest.bound_us > 0)) return std::nullopt;
  return Bound{highest.bound_us, highest.by};
}

void find_bounds(Comparison& comparison) {
  if (comparison.limit) name_short_kernels(comparison);
  for (Measurement& m : comparison.measurements) {
    m.bound_us = m.efficiency = m.bound_by_rates_us = std::nullopt;
    m.bound_by.reset();
    const std::optional<Bound> bound = bound_of(comparison, m);
    if (!bound) continue;
    m.bound_us = std::min(bound->us, m.wall->min);
    if (bound->us > m.wall->min) m.bound_by_rates_us = bound->us;
    m.bound_by = bound->by;
    m.efficiency = *m.bound_us / m.wall->mean;
  }
}

}  // namespace trilane
