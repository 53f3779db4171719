// Pays once-per-process costs before anything is timed.
#pragma once

#include <vector>

#include "common/model/variant/variant.hpp"

namespace trilane {

/// Loads the kernels and runs a tiny pass of each of `variants`, so that no variant's set-up
/// includes costs of the process. Without `memory_pools` it skips variants that need them.
void warm_process(const std::vector<VariantEntry>& variants, bool memory_pools);

/// The same, but loads only the kernels that these variants launch: what is in the process of one
/// variant is what a plain program of that variant has.
void warm_variants(const std::vector<VariantEntry>& variants, bool memory_pools);

}  // namespace trilane
