// Which variant to use, and over what.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/results/results.hpp"

namespace trilane {

/// What is advised, over what, and in words. Without a measurement to use only words.
struct Choice {
  const Measurement* use = nullptr;
  const Measurement* over = nullptr;
  std::optional<Ratio> ratio{};
  std::string said{};
};

/// As verdict() says it. `measured` is the word for what was done. The choice points into the
/// comparison.
Choice choose(const Comparison& comparison, const char* measured);

}  // namespace trilane
