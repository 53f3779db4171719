// The host and device memory that a run takes, compared with what is available.
#include <boost/test/unit_test.hpp>

#include "common/base/text/exit_code.hpp"
#include "common/base/text/size.hpp"
#include "common/measure/harness/memory_need.hpp"
#include "tests/base/refusal.hpp"
#include "tests/model/made_up_registry.hpp"

using namespace trilane;

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

struct Run : MadeUpRegistry {
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

BOOST_FIXTURE_TEST_SUITE(memory_need, Run)

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

BOOST_AUTO_TEST_SUITE_END()
