// The log of phases: which listeners get which phases, and that nothing happens otherwise.
#include "common/measure/gpu/runtime/phase.hpp"

#include "common/device/flavour/flavour.hpp"
#include "tests/framework.hpp"

BOOST_AUTO_TEST_SUITE(phases)

void last(double us) {
  const double start = now_us();
  while (now_us() - start < us) {
  }
}

void check_names(const PhaseLog& log, const std::vector<std::string>& wanted) {
  std::vector<std::string> names;
  for (const auto& [name, us] : log.times()) names.emplace_back(name);
  BOOST_TEST(names == wanted, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(times_of_one_name_add_up_in_the_order_of_first_ends) {
  const PhaseLog log;
  for (const char* name : {"streams", "allocation", "streams"}) {
    const Phase phase(name);
    last(200);
  }
  check_names(log, {"streams", "allocation"});
  BOOST_TEST(log.times()[0].second >= 400);
  BOOST_TEST(log.times()[1].second >= 200);
}

BOOST_AUTO_TEST_CASE(a_phase_within_another_belongs_to_that) {
  const PhaseLog log;
  {
    const Phase outer("capture");
    const Phase inner("pool allocation");
    last(200);
  }
  const Phase open("upload");  // has not ended: not told yet
  check_names(log, {"capture"});
}

BOOST_AUTO_TEST_CASE(nobody_else_is_heard) {
  { const Phase before("before"); }
  const PhaseLog log;
  std::thread([] { const Phase elsewhere("in another thread"); }).join();
  { const Phase now("now"); }
  check_names(log, {"now"});
}

BOOST_AUTO_TEST_CASE(after_a_log_nothing_is_logged_until_the_next) {
  { const PhaseLog log; }
  { const Phase unheard("unheard"); }
  const PhaseLog log;
  BOOST_TEST(log.times().empty());
}

BOOST_AUTO_TEST_CASE(a_log_within_another_takes_its_phases_and_gives_the_thread_back) {
  const PhaseLog outer;
  { const Phase before("before"); }
  {
    const Phase open("open");
    const PhaseLog inner;
    { const Phase within("within"); }
    check_names(inner, {"within"});
  }
  { const Phase after("after"); }
  check_names(outer, {"before", "open", "after"});
}

BOOST_AUTO_TEST_SUITE_END()
