// What a process pays once, paid before anything is timed.
#pragma once

#include <vector>

#include "common/variant/variant.hpp"

namespace trilane {

/// Loads the kernels and runs a tiny pass of each of `variants`, so that no variant's set-up pays
/// for what a process pays only once. Without `memory_pools` those that need them are left out.
void warm_process(const std::vector<VariantEntry>& variants, bool memory_pools);

}  // namespace trilane
