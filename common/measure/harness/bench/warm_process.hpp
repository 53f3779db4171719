// Pays once-per-process costs before anything is timed.
#pragma once

#include <vector>

#include "common/model/variant/variant.hpp"

namespace trilane {

/// Loads the kernels and runs a tiny pass of each of `variants`, so that no variant's set-up
/// includes costs of the process. Without `memory_pools` it skips variants that need them.
void warm_process(const std::vector<VariantEntry>& variants, bool memory_pools);

/// Does the same, but loads only the kernels that these variants launch, so that the process of one
/// variant resembles a plain program of that variant.
void warm_variants(const std::vector<VariantEntry>& variants, bool memory_pools);

}  // namespace trilane
