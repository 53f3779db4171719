#include "common/model/workload/pool_policy.hpp"

#include "common/base/text/choice.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/size.hpp"

namespace trilane {
namespace {

std::uint64_t threshold_of(const std::string& option, const std::string& value) {
  if (value == "max") return UINT64_MAX;
  return value == "0" ? 0 : parse_size(option, value);
}

void set(const std::string& option, const std::string& setting, PoolPolicy& policy) {
  const std::vector<std::string> names{"threshold", "events", "opportunistic",
                                       "internal",  "pools",  "allocations"};
  const std::size_t equals = setting.find('=');
  if (equals == setting.npos) {
    refuse(option, setting,
           "is not a setting; write for example opportunistic=on, kept for none, or default for "
           "CUDA's own settings");
  }
  const std::string value = setting.substr(equals + 1);
  const auto chosen = [&](const char* first, const char* second) {
    return parse_choice(fmt::format("{} {}", option, setting.substr(0, equals)), value,
                        {first, second}) == 1;
  };
  switch (parse_choice(option, setting.substr(0, equals), names)) {
    case 0: policy.threshold = threshold_of(option + " threshold", value); break;
    case 1: policy.follow_events = chosen("off", "on"); break;
    case 2: policy.opportunistic = chosen("off", "on"); break;
    case 3: policy.internal = chosen("off", "on"); break;
    case 4: policy.per_lane = chosen("shared", "lane"); break;
    default: policy.allocations = chosen("1", "2") ? 2 : 1;
  }
}

PoolPolicy policy_of(const std::string& option, const std::string& name) {
  if (name == "default") return cuda_default;
  PoolPolicy policy;
  if (name == "kept") return policy;
  std::set<std::string> named;
  for (const std::string& setting : split(name, ',')) {
    set(option, setting, policy);
    if (!named.insert(setting.substr(0, setting.find('='))).second)
      refuse(option, setting, "is set twice in the policy; leave one out");
  }
  return policy;
}

}  // namespace

std::vector<NamedPolicy> parse_policies(const std::string& option, const std::string& text) {
  std::vector<NamedPolicy> policies;
  for (const std::string& name : split(text, '/')) {
    if (name.empty())
      refuse(option, text, "has an empty policy; write kept for a policy without settings");
    if (std::ranges::find(policies, name, &NamedPolicy::name) != policies.end())
      refuse(option, name, "is named more than once; leave one out");
    const PoolPolicy policy = policy_of(option, name);
    const auto same = std::ranges::find(policies, policy, &NamedPolicy::policy);
    if (same != policies.end())
      refuse(option, name, fmt::format("is the same policy as {}; leave one out", same->name));
    policies.push_back({name, policy});
  }
  return policies;
}

}  // namespace trilane
