// The measured contenders: the chosen variants, some of them once per pool policy.
#pragma once

#include <vector>

#include "common/measure/harness/comparison_settings.hpp"
#include "common/model/variant/variant.hpp"

namespace trilane {

/// Returns true if the variant allocates by the workload's pool policy. Its plan then states the
/// pool's settings, so the plan changes with the policy.
bool depends_on_policy(const VariantEntry& entry);

/// Returns the entries of settings.variants, in order. With several pool policies a variant that
/// depends on the policy appears once per policy, as "NAME:POLICY". With settings.with_itself the
/// only variant appears twice, the second time as "NAME_again".
std::vector<VariantEntry> contenders(const ComparisonSettings& settings);

}  // namespace trilane
