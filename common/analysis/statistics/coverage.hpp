// How often intervals hold the truth: counts of successes, and what they say about 95%.
#pragma once

#include <cstddef>

namespace trilane {

struct Share {
  double low = 0, high = 1;
};

/// The exact 95% interval of a probability after `hits` of `trials` independent trials (Clopper and
/// Pearson 1934). Throws std::invalid_argument without trials and with more hits than those.
Share clopper_pearson(std::size_t hits, std::size_t trials);

/// The p-value of the exact two-sided binomial test of `probability`: that of all counts which are
/// at most as likely as `hits`. Throws as clopper_pearson().
double binomial_test(std::size_t hits, std::size_t trials, double probability);

}  // namespace trilane
