// Parts of the verdict.
#pragma once

#include <string>
#include <vector>

#include "common/explain/analysis/verdict/verdict.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

using Measurements = std::vector<const Measurement*>;

/// Says what follows from one comparison.
class Speaker {
 public:
  Speaker(const Comparison& comparison, Times times)
      : comparison_(comparison), simulated_(times == Times::simulated) {}

  const char* measured() const { return simulated_ ? "simulated" : "measured"; }

  /// Returns "2.9 times as fast as streams [2.89, 2.91]".
  std::string faster(const Ratio& ratio, const std::string& than) const;

  /// Says why the reference stays the advice; `among`, which ends in a space, says of which
  /// variants.
  std::string nothing_faster(const Measurements& members, const Measurement& reference,
                             const char* among) const;

  /// Names the candidates that tie with `base` in a sentence; empty if no candidate does.
  std::string ties(const Measurements& candidates, const Measurement& base) const;

  /// Says what the other tiers offer over `base`, each as a sentence: the same operations always,
  /// if the advice is another tier's, and the others if they are faster than the advice.
  std::string other_tiers(const Measurement& advised, const Measurement& base) const;

 private:
  const Comparison& comparison_;
  bool simulated_;
};

/// Says how host submission changes, if neither variant blocks and the change is at least 10%.
std::string submission(const Measurement& from, const Measurement& to);

}  // namespace trilane
