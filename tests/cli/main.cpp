// Tests of the programs from outside. Where every chosen test was skipped, for want of a GPU, the
// exit code is 77, which ctest shows as a skip; Boost.Test alone would report success.
#define BOOST_TEST_NO_MAIN
#define BOOST_TEST_ALTERNATIVE_INIT_API
#include <boost/test/results_collector.hpp>
#include <boost/test/unit_test.hpp>

namespace unit_test = boost::unit_test;

namespace {

bool init() { return true; }

bool all_skipped() {
  const auto id = unit_test::framework::master_test_suite().p_id;
  const auto& results = unit_test::results_collector.results(id);
  return results.p_test_cases_skipped > 0 && results.p_test_cases_passed == 0 &&
         results.p_test_cases_failed == 0;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int skipped = 77;
  const int code = unit_test::unit_test_main(&init, argc, argv);
  return code == 0 && all_skipped() ? skipped : code;
}
