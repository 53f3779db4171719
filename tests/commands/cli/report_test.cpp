// trilane report: refusals, which need neither Python nor a device.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "tests/commands/cli/program.hpp"
#include "tests/text/refusal.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(simulated_report, *boost::unit_test::precondition(for_the_simulated_device))

BOOST_AUTO_TEST_CASE(what_cannot_be_made_is_said_in_a_line) {
  const Workplace workplace;
  BOOST_TEST(run_program({"--preset", "search", "--json", "r.json"}, {.gpu = false}).code == 0);
  for (const auto& [words, code, said] :
       {std::tuple<std::vector<std::string>, int, std::string>{
            {"report", "none.json"}, 2, "report 'none.json': cannot be read"},
        {{"report", "old"}, 2, "give a file that trilane run --json wrote"},
        {{"report", "r.json", "old"}, 2, "report 'old': is already there; give another name or"},
        {{"report", "r.json", "--answers", "r.json"},
         2,
         "--answers 'r.json': answers file: .schema is"},
        {{"report", "r.json", "--loop", "none.json"}, 2, "give a file that trilane loop --json"},
        {{"report", "r.json", "--loop", ""}, 2, "names no file; give one"},
        {{"report"}, 2, "report needs one word more"},
        {{"report", "r.json", "a.html", "more"}, 2, "stray word 'more'"}}) {
    const auto before = workplace.snapshot();
    const Outcome outcome = run_program(words, {.gpu = false});
    BOOST_TEST_CONTEXT(outcome.command_line << outcome.err) {
      BOOST_TEST(outcome.code == code);
      BOOST_TEST(outcome.says(said));
      BOOST_TEST(std::ranges::count(outcome.err, '\n') == 1);
      BOOST_TEST((workplace.snapshot() == before));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
