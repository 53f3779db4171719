// What is measured: the chosen variants, some of them once for each pool policy.
#pragma once

#include <vector>

#include "common/harness/comparison_settings.hpp"
#include "common/variant/variant.hpp"

namespace trilane {

/// Whether the variant takes memory by the workload's pool policy. A plan holds the runtime to the
/// pool's settings, so another setting shows in it.
bool depends_on_policy(const VariantEntry& entry);

/// The entries of settings.variants, in their order. With several pool policies a variant whose
/// plan depends on the policy stands there once for each, called "NAME:POLICY" as it was typed; the
/// others stand there once. With settings.aa the one variant stands there twice, the second time
/// called "NAME_again".
std::vector<VariantEntry> contenders(const ComparisonSettings& settings);

}  // namespace trilane
