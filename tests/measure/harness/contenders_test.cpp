// Which variants are measured, with a registry of two fake ones.
#include "common/measure/harness/contenders.hpp"

#include <array>
#include <boost/test/unit_test.hpp>

#include "tests/model/made_up_registry.hpp"

using namespace trilane;

namespace {

ComparisonSettings both_under(const std::string& policies) {
  ComparisonSettings settings;
  settings.variants = {"plain", "pooled"};
  if (!policies.empty()) settings.policies = parse_policies("--pool", policies);
  return settings;
}

void check_names(const ComparisonSettings& settings, const std::vector<std::string>& expected) {
  BOOST_TEST(names_of(contenders(settings)) == expected, boost::test_tools::per_element());
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(contenders_of_a_run, MadeUpRegistry)

BOOST_AUTO_TEST_CASE(without_several_policies_every_variant_stands_once) {
  check_names(both_under(""), {"plain", "pooled"});
  ComparisonSettings chosen;
  chosen.variants = {"pooled"};
  check_names(chosen, {"pooled"});
}

BOOST_AUTO_TEST_CASE(what_depends_on_the_policy_stands_once_for_each) {
  check_names(both_under("threshold=0,allocations=2/kept"),
              {"plain", "pooled:threshold=0,allocations=2", "pooled:kept"});
}

BOOST_AUTO_TEST_CASE(the_plan_sees_the_policy) {
  const Workload workload = presets().front();
  const auto all = contenders(both_under("threshold=0,allocations=2/kept"));
  BOOST_REQUIRE_EQUAL(all.size(), 3u);
  const PoolPolicy typed{.threshold = 0, .allocations = 2};
  const Plan expected = with_pool(lanes_plan(workload), workload, typed);
  BOOST_TEST((all[1].plan(workload).facts == expected.facts));
  BOOST_TEST((all[1].plan(workload).calls == expected.calls));
  BOOST_TEST((all[2].plan(workload).facts == pooled_plan(workload).facts));
  BOOST_TEST((all[0].plan(workload).facts == lanes_plan(workload).facts));
}

BOOST_AUTO_TEST_CASE(the_variant_is_made_under_the_policy_and_driven) {
  std::array<std::byte, 8> in{}, out{};
  const Workload workload{
      .name = "custom", .bytes = 8, .chunk_bytes = 4, .result_bytes = 4, .lanes = 1};
  const Job job(workload, in.data(), out.data());
  const auto all = contenders(both_under("threshold=0,allocations=2/kept"));
  BOOST_REQUIRE_EQUAL(all.size(), 3u);
  const auto variant = all[1].make(job);
  variant->submit(nullptr);
  const std::vector<Count> expected{
      {"threshold", 0}, {"allocations", 2}, {"chunks", 2}, {"submits", 1}};
  BOOST_TEST((variant->evidence() == expected));
  const std::vector<Count> own{
      {"threshold", UINT64_MAX}, {"allocations", 1}, {"chunks", 2}, {"submits", 0}};
  BOOST_TEST((all[2].make(job)->evidence() == own));
  BOOST_TEST((all[0].make(job)->evidence() == own));
  BOOST_TEST((job.workload.pool == PoolPolicy{}));
}

BOOST_AUTO_TEST_CASE(a_variant_against_itself_stands_twice) {
  ComparisonSettings settings;
  settings.with_itself = true;
  settings.variants = {"pooled"};
  check_names(settings, {"pooled", "pooled_again"});
}

BOOST_AUTO_TEST_SUITE_END()
