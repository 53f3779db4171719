// What is measured: the chosen variants, some of them once per pool policy.
#pragma once

#include <vector>

#include "common/measure/harness/comparison_settings.hpp"
#include "common/model/variant/variant.hpp"

namespace trilane {

/// Whether the variant takes memory by the workload's pool policy: its plan states the pool's
/// settings, so it changes with the policy.
bool depends_on_policy(const VariantEntry& entry);

/// The entries of settings.variants, in order. With several pool policies a variant that depends on
/// the policy appears once per policy, as "NAME:POLICY". If settings.with_itself, the one variant
/// appears twice, the second time as "NAME_again".
std::vector<VariantEntry> contenders(const ComparisonSettings& settings);

}  // namespace trilane
