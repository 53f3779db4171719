// The application's own time, the runtime's, and that of calls, without the cost of listening.
#include "tests/application/finding/fake_application.hpp"

namespace tt = boost::test_tools;

BOOST_AUTO_TEST_SUITE(own_times)

constexpr ListeningCosts costs{.between_us = 0.125, .within_us = 0.25};

/// An application whose calls are made in functions of the runtime. They are 1 us apart, of which
/// `outside_us` are the application's while the runtime is heard.
struct RuntimeApplication : ReadyApplication {
  using ReadyApplication::ReadyApplication;
  void step() {
    const bool heard = stage == ListeningStage::confirm;
    before.outside_us = heard ? std::optional(outside_us) : std::nullopt;
    before.outside = heard ? outside : 0;
    runtime = heard ? through : 0;
    iterate(*this);
  }
  RecordedCall recorded(std::size_t call = 2) { return recorder.recording().calls.at(call); }

  double outside_us = 0.5;
  std::uint32_t outside = 1, through = 5;
};

RecordedCall after_ten(RuntimeApplication& app) {
  for (int i = 0; i < 10; ++i) app.step();
  BOOST_TEST((app.stage == ListeningStage::watch));
  return app.recorded();
}

BOOST_AUTO_TEST_CASE(the_runtime_is_listened_to_while_an_iteration_is_confirmed) {
  RuntimeApplication app;
  for (int i = 0; i < 5; ++i) {
    BOOST_TEST((app.stage == ListeningStage::search));
    app.step();
  }
  for (int i = 0; i < 5; ++i) {
    BOOST_TEST((app.stage == ListeningStage::confirm));
    app.step();
  }
  BOOST_TEST((app.stage == ListeningStage::watch));
  RuntimeApplication other;
  for (int i = 0; i < 6; ++i) other.step();
  BOOST_TEST((other.stage == ListeningStage::confirm));
  other.memset(device_out, 64);
  BOOST_TEST((other.stage == ListeningStage::search));
}

BOOST_AUTO_TEST_CASE(the_runtime_s_time_is_told_from_the_application_s) {
  RuntimeApplication app;
  const RecordedCall call = after_ten(app);
  BOOST_TEST((call.own_us == 0.5 && call.runtime_us == 0.5 && call.call_us == 2.0));
}

BOOST_AUTO_TEST_CASE(what_is_not_known_of_the_runtime_is_left_with_the_application) {
  RuntimeApplication app;
  for (int i = 0; i < 5; ++i) app.step();
  for (int i = 0; i < 5; ++i) {
    app.before.outside_us = std::nullopt;
    iterate(app);
  }
  BOOST_TEST((app.recorded().own_us == 1.0 && !app.recorded().runtime_us));
}

BOOST_AUTO_TEST_CASE(times_in_which_the_runtime_was_heard_do_not_count_as_whole) {
  RuntimeApplication app;
  for (int i = 0; i < 5; ++i) app.step();
  app.gap_us = 30;
  app.call_us = 20;
  app.outside_us = 20;
  for (int i = 0; i < 5; ++i) app.step();
  const RecordedCall call = app.recorded();
  BOOST_TEST((call.own_us == 1.0 && call.runtime_us == 0.0 && call.call_us == 2.0));
}

BOOST_AUTO_TEST_CASE(what_listening_costs_is_left_out) {
  RuntimeApplication app;
  app.recorder.listening_costs(costs);
  const RecordedCall call = after_ten(app);
  BOOST_TEST(*call.own_us + *call.runtime_us == 1 - 0.125);
  BOOST_TEST(*call.own_us == 0.5 - 2 * 0.125);
  BOOST_TEST(*call.call_us == 2 - 0.25);
  BOOST_TEST((app.recorder.recording().listening == costs));
}

BOOST_AUTO_TEST_CASE(a_program_that_calls_the_driver_has_no_time_of_the_runtime) {
  RuntimeApplication app;
  app.recorder.listening_costs(costs);
  app.through = 0;
  app.outside_us = 0.75;  // by chance less than in the other repetitions
  const RecordedCall call = after_ten(app);
  BOOST_TEST((call.own_us == 1 - 0.125 && call.runtime_us == 0.0));
}

BOOST_AUTO_TEST_CASE(calls_that_are_not_kept_cost_as_much) {
  RuntimeApplication app;
  app.recorder.listening_costs(costs);
  app.through = 0;
  app.gap_us = 2;
  app.before.others = 2;
  app.before.listener_us = 0.0625;
  app.outside = 3;
  app.inside = 1;
  const RecordedCall call = after_ten(app);
  BOOST_TEST(*call.own_us + *call.runtime_us == 2 - 0.0625 - 3 * 0.125 - 2 * 0.25);
  BOOST_TEST(*call.own_us == 0.5 - 3 * 0.125);
  BOOST_TEST(*call.call_us == 2 - 0.25 - (0.125 + 0.25));
}

BOOST_AUTO_TEST_CASE(no_time_is_below_zero) {
  RuntimeApplication app;
  app.recorder.listening_costs({.between_us = 3, .within_us = 4});
  const RecordedCall call = after_ten(app);
  BOOST_TEST((call.own_us == 0.0 && call.runtime_us == 0.0 && call.call_us == 0.0));
}

/// Listening may cost up to twice as much between two functions of the runtime.
BOOST_AUTO_TEST_CASE(the_shortest_time_between_functions_of_the_runtime_counts_as_none) {
  for (const auto& [outside_us, own_us] :
       {std::pair{0.1, 0.0}, {0.2, 0.0}, {0.25, 0.0}, {0.375, 0.125}}) {
    RuntimeApplication app;
    app.recorder.listening_costs(costs);
    app.outside_us = outside_us;
    BOOST_TEST(*after_ten(app).own_us == own_us);
  }
  RuntimeApplication app;
  app.recorder.listening_costs(costs);
  for (int i = 0; i < 10; ++i) {
    app.outside_us = i == 7 ? 0.1875 : 0.5;
    app.step();
  }
  BOOST_TEST(*app.recorded().own_us == 0.5 - 0.1875);
}

BOOST_AUTO_TEST_CASE(names_of_the_runtime_stay_known_when_it_is_no_longer_listened_to) {
  RuntimeApplication app;
  for (int i = 0; i < 12; ++i) app.step();
  const std::string name = app.recorded().runtime;
  BOOST_TEST(!name.empty());
  app.trace();
  for (int i = 0; i < 8; ++i) app.step();
  BOOST_TEST((app.stage == ListeningStage::watch));
  BOOST_TEST(app.recorded().runtime == name);
}

BOOST_AUTO_TEST_CASE(a_range_is_timed_the_same_way) {
  RuntimeApplication app(0, {.range = "step"});
  for (int i = 0; i < 10; ++i) {
    BOOST_TEST((app.stage == (i < 5 ? ListeningStage::search : ListeningStage::confirm)));
    app.recorder.range_begins("step", app.now_us);
    app.step();
    app.stage = app.recorder.range_ends(app.now_us);
  }
  BOOST_TEST((app.stage == ListeningStage::watch));
  BOOST_TEST((app.recorded().own_us == 0.5 && app.recorded().runtime_us == 0.5));
}

BOOST_AUTO_TEST_SUITE_END()
