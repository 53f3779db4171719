// Computes the bound that applies to a variant, and how close the variant comes to it.
#pragma once

#include <optional>

#include "common/model/results/results.hpp"

namespace trilane {

struct Bound {
  double us = 0;
  Limiter by{};  ///< what sets it
};

/// Returns the highest bound of the measurement's loads (loads.hpp). Absent without times, and
/// without a limit.
std::optional<Bound> bound_of(const Comparison& comparison, const Measurement& m);

/// Sets bound_us, bound_by and efficiency of every measurement. Sets bound_by_rates_us if a pass
/// was faster than the loads say: the same chain of kernels takes 5% longer in one graph than in
/// the next (H200). Changes the limit's bound_by from "SMs" to "kernel launches" if kernels are
/// short.
void find_bounds(Comparison& comparison);

}  // namespace trilane
