// trilane show: results again from their file, without a device.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "tests/commands/cli/program.hpp"

using namespace trilane;

BOOST_FIXTURE_TEST_SUITE(simulated_show, Workplace,
                         *boost::unit_test::precondition(for_the_simulated_device))

namespace {

const Words small{"--preset", "search,launch", "--variant", "streams,graph", "--time", "10ms"};

Outcome run(const Words& more) { return run_program(joined(small, more), {.gpu = false}); }

Outcome show(const Words& words) { return run_program(joined({"show"}, words), {.gpu = false}); }

/// Returns what comes before the line that says how to see more.
std::string without_more(const std::string& screen) {
  return screen.substr(0, screen.find("\nMore "));
}

std::size_t widest(const std::string& text) {
  std::size_t width = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) width = std::max(width, line.size());
  return width;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_screen_of_a_run_can_be_had_again_with_more_behind_it) {
  const Outcome first = run({"--json", "r.json"}).ended(0);
  const Outcome again = show({"r.json"});
  BOOST_TEST(again.out == first.out);
  BOOST_TEST(contains(again.out, "trilane-sim show r.json [PRESET] --bounds"));
  BOOST_TEST(first.out.find("search") < first.out.find("launch"));  // as they were given
  for (const auto& [option, words] : {std::pair<const char*, const char*>{"--all", "submit"},
                                      {"--bounds", "efficiency"},
                                      {"--setup", "set-up"},
                                      {"--timeline", "was traced"}}) {
    const Outcome more = show({"r.json", "launch", option});
    BOOST_TEST_INFO_SCOPE(option << more.err << more.out);
    BOOST_TEST(more.code == 0);
    BOOST_TEST(contains(more.out, words));
    BOOST_TEST(contains(more.out, "launch"));
    BOOST_TEST(!contains(more.out, "search"));
    BOOST_TEST(widest(more.out) <= 100u);
  }
  BOOST_TEST(contains(show({"r.json", "--all", "--markdown"}).out, "| variant"));
  const Outcome quiet = show({"r.json", "--quiet"});
  BOOST_TEST(contains(quiet.out, "Graph?"));
  BOOST_TEST(quiet.out.size() < again.out.size());
}

BOOST_AUTO_TEST_CASE(the_last_run_is_shown_without_a_file) {
  setenv("XDG_STATE_HOME", std::filesystem::current_path().c_str(), 1);
  const Outcome none = show({}).ended(2);
  BOOST_TEST(none.says("cannot be read"));
  const Outcome first = run({});
  BOOST_TEST(contains(first.out, "trilane-sim show [PRESET] --bounds"));
  BOOST_TEST(show({}).out == first.out);
  BOOST_TEST(contains(show({"launch"}).out, "Answer"));
  BOOST_TEST(without_more(show({"trilane/last.json"}).out) == without_more(first.out));
}

BOOST_AUTO_TEST_CASE(what_is_not_there_is_refused) {
  BOOST_TEST(run({"--json", "r.json"}).code == 0);
  check_refused(show({"none.json"}), "show 'none.json'");
  check_refused(show({"old"}), "give a file that trilane run, ask or loop --json wrote");
  check_refused(show({"folder"}), "show 'folder': cannot be read");
  check_refused(show({"r.json", "balanced"}), "'balanced'");
  check_refused(show({"r.json", "lanch"}), "did you mean 'launch'?");
}

BOOST_AUTO_TEST_SUITE_END()
