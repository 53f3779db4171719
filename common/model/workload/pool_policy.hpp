// Parses --pool.
#pragma once

#include "common/model/workload/workload.hpp"

namespace trilane {

/// A policy and its text on the command line, which becomes part of a variant's name.
struct NamedPolicy {
  std::string name;
  PoolPolicy policy;
};

/// Parses "threshold=0,opportunistic=on/pools=lane": policies separated by slashes, each a list of
/// settings that differ from those of PoolPolicy. "kept" is the policy without any, which keeps its
/// memory, and "default" is cuda_default. Settings:
/// - threshold: a size, or max,
/// - events, opportunistic, internal: on or off,
/// - pools: shared or lane,
/// - allocations: 1 or 2.
/// Throws UsageError that names `option`, the word and the remedy, also for a repeated setting or
/// policy.
std::vector<NamedPolicy> parse_policies(const std::string& option, const std::string& text);

}  // namespace trilane
