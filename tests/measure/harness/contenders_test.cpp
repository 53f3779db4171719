// Which variants are measured, what memory they need, and the parts that processes measure: with a
// registry of two fake ones.
#include "common/measure/harness/comparison_settings.hpp"

#include "common/base/text/exit_code.hpp"
#include "common/base/text/size.hpp"
#include "common/measure/harness/compare_variants.hpp"
#include "tests/base/refusal.hpp"
#include "tests/model/made_up_registry.hpp"

namespace {

constexpr std::uint64_t mib = 1 << 20;

/// Returns four lanes whose chunks, each with its result, take 8 MiB.
Workload four_lanes() {
  return {.name = "custom",
          .bytes = 16 * 4 * mib,
          .chunk_bytes = 4 * mib,
          .result_bytes = 4 * mib,
          .lanes = 4};
}

struct MadeUpRun : MadeUpRegistry {
  ComparisonSettings settings;
  Workload workload = four_lanes();

  std::string refused(std::uint64_t free_bytes) const {
    Device device;
    device.free_bytes = free_bytes;
    return refusal<NotPossible>([&] { ensure_memory(workload, settings, device); });
  }
  /// Checks that it is possible on a device with exactly these bytes. With less it is not, and says
  /// how much it takes.
  void check_device_bytes(std::uint64_t bytes, const std::string& variants) const {
    BOOST_TEST(refused(bytes) == "(not refused)");
    BOOST_TEST(contains(refused(bytes - 1), "custom needs " + format_bytes(bytes) +
                                                " of device memory for " + variants + " variants"),
               refused(bytes - 1));
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(contenders_of_a_run, MadeUpRun)

ComparisonSettings both_under(const std::string& policies) {
  ComparisonSettings settings;
  settings.variants = {"plain", "pooled"};
  if (!policies.empty()) settings.policies = parse_policies("--pool", policies);
  return settings;
}

void check_names(const ComparisonSettings& settings, const std::vector<std::string>& expected) {
  BOOST_TEST(names_of(contenders(settings)) == expected, boost::test_tools::per_element());
}

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

BOOST_AUTO_TEST_CASE(every_variant_has_memory_of_its_own_and_a_pool_takes_steps) {
  settings.variants = {"plain", "pooled"};
  check_device_bytes((32 + 32) * mib, "2");
  workload.chunk_bytes = 5 * mib;  // 9 MiB with the result
  check_device_bytes((36 + 64) * mib, "2");
}

BOOST_AUTO_TEST_CASE(more_operations_than_a_graph_takes_in_seconds_are_refused) {
  settings.variants = {"plain"};
  workload.chunk_bytes = workload.result_bytes = 4;
  workload.bytes = 4 * 25'000;
  BOOST_TEST(refused(256 * mib) == "(not refused)");
  workload.bytes += 4;
  BOOST_TEST(contains(refused(256 * mib), "25001 chunks at depth 1 make 100004 operations"));
}

BOOST_AUTO_TEST_CASE(a_pool_for_each_lane_takes_a_step_for_each_lane) {
  settings.variants = {"pooled"};
  workload.pool.per_lane = true;
  check_device_bytes(4 * 32 * mib, "1");
  workload.chunk_bytes = 40 * mib;
  workload.bytes = 16 * 40 * mib;
  check_device_bytes(4 * 64 * mib, "1");
}

BOOST_AUTO_TEST_CASE(every_policy_makes_a_further_variant) {
  settings.variants = {"plain", "pooled"};
  settings.policies = parse_policies("--pool", "default/threshold=0/pools=lane");
  check_device_bytes((32 + 32 + 32 + 4 * 32) * mib, "4");
  BOOST_TEST(contains(refused(0), "fewer variants or pool policies"));
  settings.policies.clear();
  BOOST_TEST(refused(0).ends_with("fewer variants"), refused(0));
}

BOOST_AUTO_TEST_CASE(only_memory_that_is_pinned_is_called_so) {
  settings.variants = {"plain"};
  workload.bytes = 1ull << 60;
  workload.chunk_bytes = workload.result_bytes = 1ull << 50;
  for (const HostMemory kind :
       {HostMemory::pinned, HostMemory::write_combined, HostMemory::registered}) {
    workload.host_memory = kind;
    BOOST_TEST(contains(refused(UINT64_MAX), " of host memory, most of it pinned, and "));
  }
  workload.host_memory = HostMemory::pageable;
  BOOST_TEST(contains(refused(UINT64_MAX), " of host memory, and "), refused(UINT64_MAX));
}

BOOST_AUTO_TEST_CASE(the_limit_is_measured_once) {
  BOOST_TEST(part_of_run(0, 1).limit);
  BOOST_TEST(part_of_run(0, 5).limit);
  BOOST_TEST(!part_of_run(1, 5).limit);
  BOOST_TEST(!part_of_run(4, 5).limit);
}

BOOST_AUTO_TEST_CASE(set_ups_of_one_or_five_processes_are_enough_for_an_interval) {
  BOOST_TEST(part_of_run(0, 1).fewest_prices >= 6u);
  std::uint32_t of_five = 0;
  for (std::uint32_t process = 0; process < 5; ++process) {
    of_five += part_of_run(process, 5).fewest_prices;
  }
  BOOST_TEST(of_five >= 6u);
}

BOOST_AUTO_TEST_SUITE_END()
