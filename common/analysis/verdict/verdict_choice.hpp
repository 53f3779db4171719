// Which variant to use, and compared with what.
#pragma once

#include <optional>
#include <string>

#include "common/results/results.hpp"

namespace trilane {

/// The advised variant, what it is compared with, and the advice in words. May have words only.
struct Choice {
  const Measurement* use = nullptr;
  const Measurement* over = nullptr;
  std::optional<Ratio> ratio{};
  std::string said{};
};

/// The choice that verdict() states; it points into the comparison. `measured` is the word to use,
/// "measured" or "simulated".
Choice choose(const Comparison& comparison, const char* measured);

}  // namespace trilane
