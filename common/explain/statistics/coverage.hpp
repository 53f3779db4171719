// Tests how often intervals contain the true value, by the number of hits.
#pragma once

#include <cstddef>

namespace trilane {

struct Share {
  double low = 0, high = 1;
};

/// Returns the exact 95% interval of a probability after `hits` in `trials` independent trials
/// (Clopper and Pearson 1934). Throws std::invalid_argument without trials or with more hits than
/// trials.
Share clopper_pearson(std::size_t hits, std::size_t trials);

/// Returns the p-value of the exact two-sided binomial test: the probability of all counts that are
/// at most as likely as `hits`. Throws like clopper_pearson().
double binomial_test(std::size_t hits, std::size_t trials, double probability);

}  // namespace trilane
