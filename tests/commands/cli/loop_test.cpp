// trilane loop as a user runs it: lanes that restart.
#include "tests/commands/cli/program.hpp"

namespace {

Outcome loop(const Words& more) { return run_without_gpu(joined({"loop"}, more)); }

/// Checks that the error is reported if the call occurs.
Outcome lost_at(std::uint64_t call, const Words& words) {
  const Outcome outcome =
      loop(joined(words, {"--items", "2", "--fault", std::to_string(call) + "=700"}));
  BOOST_TEST_CONTEXT(outcome.command_line << "\n" << outcome.out << outcome.err) {
    BOOST_TEST((outcome.code == 0 || outcome.code == 1));
    // A run that only failed to release something has warned, with code 0.
    BOOST_TEST(
        (outcome.code == 0 || contains(outcome.out + outcome.err, "cudaErrorIllegalAddress")));
  }
  return outcome;
}

const std::vector<Refused> refused{
    {{"swarn"}, "'swarn'", "did you mean 'swarm'?"},
    {{"pair", "--teller", "event_poled"}, "--teller 'event_poled'", "did you mean 'event_polled'?"},
    {{"--teller", "event_polled,event_polled"}, "'event_polled'", "more than once"},
    {{"--kernel-time", "50"}, "--kernel-time '50'", "write it like 250us"},
    {{"--kernel-time", "50us,"}, "--kernel-time ''", "write it like 250us"},
    {{"--kernel-time", "none"}, "--kernel-time 'none'", "write it like 250us"},
    {{"--kernel-time", "1ms,1000us"}, "--kernel-time '1000us'", "more than once"},
    {{"--analysis-time", "0us"}, "--analysis-time '0us'", "must be more than 0"},
    {{"--analysis-time", "none,none"}, "--analysis-time 'none'", "more than once"},
    {{"--analysis-time", "1s"}, "--analysis-time '1s'", "at most 0.1 s"},
    {{"--kernel-time", "1us,2us,3us,4us", "--analysis-time", "1us,2us,3us,4us"},
     "32 combinations",
     "name fewer"},
    {{"--items", "0"}, "--items '0'", "from 1 to 1000"},
    {{"--lanes", "1025"}, "--lanes '1025'", "from 1 to 1024"},
    {{"--time", "5"}, "--time '5'", "write it like 250us"}};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(loop_command_lines, Workplace)

BOOST_AUTO_TEST_CASE(what_is_no_good_is_refused_in_one_line) {
  for (const auto& [words, value, way_out] : refused) check_refused(loop(words), value, way_out);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(simulated_loop, Workplace,
                         *boost::unit_test::precondition(for_the_simulated_device))

BOOST_AUTO_TEST_CASE(both_loops_run_with_a_verdict_and_every_item_checked) {
  const Outcome outcome = loop({"--json", "loop.json"});
  BOOST_TEST_CONTEXT(outcome.out << outcome.err) {
    BOOST_TEST_REQUIRE(outcome.code == 0);
    BOOST_TEST(outcome.out.starts_with("Simulated NVIDIA H200"));
    for (const char* part : {"pair: 2 lanes, 16 KiB in, 4 KiB out, kernel of 1.00 ms",
                             "swarm: 8 lanes, 16 KiB in, 4 KiB out, kernel of 50.0 us",
                             "Use event_polled + ", "items checked, none lost, none wrong.",
                             "host_function: not modelled: when the thread of host functions"}) {
      BOOST_TEST(contains(outcome.out, part), part);
    }
    BOOST_TEST(outcome.out.find("Use event_polled") < outcome.out.find("restart by"));
  }
  const auto results = boost::json::parse(content_of_file("loop.json"));
  BOOST_TEST(results.at("schema").as_string() == "trilane-loops");
  BOOST_TEST_REQUIRE(results.at("loops").as_array().size() == 2u);
  const auto& first = results.at("loops").at(0).at("measurements").at(0);
  BOOST_TEST(first.at("teller").as_string() == "event_polled");
  BOOST_TEST(first.at("status").as_string() == "ok");
  BOOST_TEST(first.at("turns").as_array().size() == 20u);
}

BOOST_AUTO_TEST_CASE(the_same_seed_gives_the_same_page) {
  const Words words{"swarm", "--items", "5", "--seed", "7"};
  BOOST_TEST(loop(words).out == loop(words).out);
}

BOOST_AUTO_TEST_CASE(several_times_make_a_map_and_all_adds_the_tables) {
  const Words words{"swarm",    "--items",         "5",        "--kernel-time",
                    "10us,1ms", "--analysis-time", "none,50us"};
  const Outcome brief = loop(words).ended(0);
  for (const char* part : {"swarm: 8 lanes", "kernel   no analysis", "10.0 us  event_polled",
                           "1.00 ms  event_polled"}) {
    BOOST_TEST(contains(brief.out, part), brief.out);
  }
  BOOST_TEST(!contains(brief.out, "restart by"));
  const Outcome full = loop(joined(words, {"--all"}));
  for (const char* part : {"kernel   no analysis", "kernel of 10.0 us\n",
                           "kernel of 1.00 ms, analysis of 50.0 us\n", "restart by"}) {
    BOOST_TEST(contains(full.out, part), full.out);
  }
}

BOOST_AUTO_TEST_CASE(an_illegal_address_ends_the_loop_with_its_error) {
  std::uint64_t met = 1, beyond = 1;
  for (; lost_at(beyond, {"pair"}).code != 0; beyond *= 2) {
    met = beyond;
    if (beyond > 1 << 20) throw std::runtime_error("every run fails");
  }
  BOOST_TEST(met > 250u);  // turns were hit, too
  while (beyond - met > 50) {
    const std::uint64_t middle = met + (beyond - met) / 2;
    (lost_at(middle, {"pair"}).code == 0 ? beyond : met) = middle;
  }
  const Outcome later = lost_at(beyond + 500, {"pair", "swarm", "--json", "loop.json"}).ended(1);
  BOOST_TEST_INFO_SCOPE(later.command_line << "\n" << later.out << later.err);
  BOOST_TEST(contains(later.out, "Use event_polled"));  // pair's verdict survives
  BOOST_TEST(contains(later.out, "cudaErrorIllegalAddress"));
  BOOST_TEST(boost::json::parse(content_of_file("loop.json")).at("loops").as_array().size() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(planted_loops, Workplace, *boost::unit_test::precondition(has_gpu))

BOOST_AUTO_TEST_CASE(the_watchdog_ends_every_notification_s_loop_after_an_illegal_address) {
  for (const char* notification :
       {"event_polled", "host_function", "thread_spinning", "thread_blocking", "event_blocking",
        "word_by_kernel", "word_by_driver"}) {
    const Outcome outcome =
        run_program({"loop", "swarm", "--teller", std::string("illegal_") + notification, "--items",
                     "20", "--processes", "1", "--time", "10ms"},
                    {.program = "TRILANE_PLANTED"});
    BOOST_TEST_INFO_SCOPE(notification << ": " << outcome.out << outcome.err);
    BOOST_TEST(outcome.code == 1);
    BOOST_TEST(contains(outcome.out, "failed: cudaErrorIllegalAddress"));
    BOOST_TEST(contains(outcome.out, "not run: the device was lost"));
  }
}

BOOST_AUTO_TEST_SUITE_END()
