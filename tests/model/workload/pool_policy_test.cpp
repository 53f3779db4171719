// Pool policies on the command line.
#include "common/model/workload/pool_policy.hpp"
#include "common/base/text/exit_code.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/base/refusal.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(pool_policy)

namespace {

PoolPolicy policy(const std::string& text) {
  const auto policies = parse_policies("--pool", text);
  BOOST_REQUIRE_EQUAL(policies.size(), 1u);
  BOOST_TEST(policies.front().name == text);
  return policies.front().policy;
}

std::string refused(const std::string& text) {
  return refusal<UsageError>([&] { parse_policies("--pool", text); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(default_is_the_runtimes_and_kept_the_own_one) {
  // As cudaMemPoolCreate documents a new pool.
  BOOST_TEST(
      (policy("default") ==
       PoolPolicy{.threshold = 0, .follow_events = true, .opportunistic = true, .internal = true}));
  BOOST_TEST((policy("kept") == PoolPolicy{}));
}

BOOST_AUTO_TEST_CASE(every_setting_arrives_alone) {
  BOOST_TEST((policy("threshold=0") == PoolPolicy{.threshold = 0}));
  BOOST_TEST((policy("threshold=64M") == PoolPolicy{.threshold = 64 << 20}));
  BOOST_TEST((policy("threshold=4100") == PoolPolicy{.threshold = 4100}));
  BOOST_TEST((policy("events=off") == PoolPolicy{.follow_events = false}));
  BOOST_TEST((policy("opportunistic=on") == PoolPolicy{.opportunistic = true}));
  BOOST_TEST((policy("internal=on") == PoolPolicy{.internal = true}));
  BOOST_TEST((policy("pools=lane") == PoolPolicy{.per_lane = true}));
  BOOST_TEST((policy("allocations=2") == PoolPolicy{.allocations = 2}));
}

BOOST_AUTO_TEST_CASE(a_default_can_be_written_out) {
  BOOST_TEST((policy("threshold=max,events=on,opportunistic=off,internal=off,pools=shared,"
                     "allocations=1") == PoolPolicy{}));
}

BOOST_AUTO_TEST_CASE(settings_of_a_policy_add_up) {
  const PoolPolicy all{.threshold = 0,
                       .follow_events = false,
                       .opportunistic = true,
                       .internal = true,
                       .per_lane = true,
                       .allocations = 2};
  BOOST_TEST((policy("allocations=2,pools=lane,internal=on,opportunistic=on,events=off,"
                     "threshold=0") == all));
}

BOOST_AUTO_TEST_CASE(several_policies_keep_their_order_and_share_nothing) {
  const auto policies = parse_policies("--pool", "pools=lane/kept/threshold=0,events=off");
  BOOST_REQUIRE_EQUAL(policies.size(), 3u);
  BOOST_TEST(policies[0].name == "pools=lane");
  BOOST_TEST((policies[0].policy == PoolPolicy{.per_lane = true}));
  BOOST_TEST(policies[1].name == "kept");
  BOOST_TEST((policies[1].policy == PoolPolicy{}));
  BOOST_TEST(policies[2].name == "threshold=0,events=off");
  BOOST_TEST((policies[2].policy == PoolPolicy{.threshold = 0, .follow_events = false}));
}

BOOST_AUTO_TEST_CASE(refusals_name_the_option_the_word_and_the_way_out) {
  const std::string empty = "has an empty policy; write kept for a policy without settings";
  for (const std::string text : {"", "/", "default/", "/default", "default//events=on"}) {
    BOOST_TEST(refused(text) == "--pool '" + text + "': " + empty);
  }
  BOOST_TEST(refused("default/events=off/default") ==
             "--pool 'default': is named more than once; leave one out");
  const std::string none =
      "is not a setting; write for example opportunistic=on, kept for none, or default for CUDA's "
      "own settings";
  BOOST_TEST(refused("opportunistic") == "--pool 'opportunistic': " + none);
  BOOST_TEST(refused("events=on,") == "--pool '': " + none);
  BOOST_TEST(refused("events=on,default") == "--pool 'default': " + none);
  BOOST_TEST(refused("default/reuse=on") ==
             "--pool 'reuse': is unknown; choose from threshold, events, opportunistic, internal, "
             "pools, allocations");
  BOOST_TEST(refused("=on").starts_with("--pool '': is unknown; choose from threshold"));
  BOOST_TEST(refused("events=on,events=off") ==
             "--pool 'events=off': is set twice in the policy; leave one out");
  BOOST_TEST(refused("kept/threshold=max") ==
             "--pool 'threshold=max': is the same policy as kept; leave one out");
  BOOST_TEST(
      refused("default/threshold=0,opportunistic=on,internal=on") ==
      "--pool 'threshold=0,opportunistic=on,internal=on': is the same policy as default; leave "
      "one out");
}

BOOST_AUTO_TEST_CASE(refused_values_name_their_setting) {
  for (const std::string setting : {"events", "opportunistic", "internal"}) {
    BOOST_TEST(refused(setting + "=yes") ==
               "--pool " + setting + " 'yes': is unknown; choose from off, on");
    BOOST_TEST(contains(refused(setting + "="), "--pool " + setting + " '': is unknown"));
  }
  BOOST_TEST(refused("pools=two") == "--pool pools 'two': is unknown; choose from shared, lane");
  for (const std::string value : {"0", "3"}) {
    BOOST_TEST(refused("allocations=" + value) ==
               "--pool allocations '" + value + "': is unknown; choose from 1, 2");
  }
  BOOST_TEST(refused("threshold=most").starts_with("--pool threshold 'most': "));
  BOOST_TEST(contains(refused("threshold=most"), "write it like 4096"));
  BOOST_TEST(contains(refused("threshold=64Q"), "--pool threshold '64Q'"));
  BOOST_TEST(contains(refused("threshold=-1"), "--pool threshold '-1'"));
}

BOOST_AUTO_TEST_SUITE_END()
