// Pool policies on the command line.
#pragma once

#include <string>
#include <vector>

#include "common/workload/workload.hpp"

namespace trilane {

/// A policy and how it was typed: what its variant is called by.
struct NamedPolicy {
  std::string name;
  PoolPolicy policy;
};

/// "threshold=0,opportunistic=on/pools=lane": policies with slashes between them, each a list of
/// settings that differ from the defaults; "default" is a policy without any. Settings: threshold
/// (a size, or max), events, opportunistic, internal (on or off), pools (shared or lane),
/// allocations (1 or 2). Throws UsageError that names `option`, the word and the way out; a setting
/// that stands twice in a policy and two policies that are the same are refused.
std::vector<NamedPolicy> parse_policies(const std::string& option, const std::string& text);

}  // namespace trilane
