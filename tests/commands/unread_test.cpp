// Options that no chosen variant reads, with a registry of fake variants.
#include "common/commands/runs.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/base/refusal.hpp"
#include "tests/commands/words.hpp"
#include "tests/model/made_up_registry.hpp"

using namespace trilane;

namespace {

Plan whole_plan(const Workload& workload) {
  Plan plan;
  plan.calls = {{"cudaLaunchKernel", workload.depth}};
  return plan;
}

/// Besides "plain" and "pooled", which have lanes, "whole", which has none.
struct Line : MadeUpRegistry {
  Line() { const Registered<Witness> whole("whole", "no lanes", whole_plan); }

  static inline const Caller caller = made_up_caller({"plain", "pooled", "whole"});

  static std::vector<std::string> warnings(const std::string& line) {
    RunOptions options = read_options(line, caller);
    check_read(read_line(line, caller).given, options);
    return options.warnings;
  }
  static std::string refused(const std::string& line) {
    return refusal<UsageError>([&] { warnings(line); });
  }
  static void check_unread(const std::string& line, const std::vector<std::string>& expected) {
    BOOST_TEST(warnings(line) == expected, boost::test_tools::per_element());
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(unread_options, Line)

BOOST_AUTO_TEST_CASE(a_pool_policy_that_nobody_takes_memory_by_is_refused) {
  const std::string way_out =
      ": no chosen variant takes memory from a pool; choose pooled with --variant, or leave it out";
  BOOST_TEST(refused("--variant plain --pool threshold=0") == "--pool 'threshold=0'" + way_out);
  BOOST_TEST(refused("--variant plain,whole --pool default/threshold=0") ==
             "--pool 'default/threshold=0'" + way_out);
  BOOST_TEST(refused("aa plain --pool threshold=0") == "--pool 'threshold=0'" + way_out);
  for (const char* line : {"--pool threshold=0", "--variant pooled --pool threshold=0",
                           "--variant plain", "aa pooled --pool default", ""}) {
    BOOST_TEST(refused(line) == "(not refused)", line);
  }
}

BOOST_AUTO_TEST_CASE(where_no_variant_knows_pools_the_way_out_names_none) {
  std::erase_if(registry(), [](const VariantEntry& entry) { return entry.name == "pooled"; });
  BOOST_TEST(refused("--variant plain --pool default") ==
             "--pool 'default': no chosen variant takes memory from a pool; leave it out");
}

BOOST_AUTO_TEST_CASE(a_proof_needs_somebody_who_can_pay_off) {
  BOOST_TEST(contains(refused("--variant plain --reference plain --prove-break-even"),
                      "--prove-break-even: the reference is the only variant"));
  for (const char* line : {"--variant plain,whole --reference plain --prove-break-even",
                           "--variant pooled --reference pooled --pool default/threshold=0 "
                           "--prove-break-even"}) {
    BOOST_TEST(refused(line) == "(not refused)", line);
  }
}

BOOST_AUTO_TEST_CASE(lanes_and_order_change_nothing_where_nobody_has_lanes) {
  const std::string why = " changes nothing: no chosen variant has lanes";
  check_unread("--variant whole --lanes 3", {"--lanes '3'" + why});
  check_unread("--variant whole --order breadth --lanes 2 --depth 2",
               {"--lanes '2'" + why, "--order 'breadth'" + why});
  check_unread("sweep chunks=2,4 lanes=1,2 --variant whole", {"'lanes=1,2'" + why});
  for (const char* line : {"--lanes 3", "--variant plain --lanes 3 --order breadth",
                           "--variant whole --depth 3", ""}) {
    check_unread(line, {});
  }
}

BOOST_AUTO_TEST_SUITE_END()
