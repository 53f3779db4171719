// trilane show and trilane report: results again from their file, without a device. Reports are
// only refused here, which needs no Python.
#include "common/application/iteration/recording_file.hpp"
#include "common/model/results/results_io.hpp"
#include "tests/application/diagnosis/recorded.hpp"
#include "tests/application/iteration/made_up_replay.hpp"
#include "tests/commands/cli/program.hpp"

BOOST_FIXTURE_TEST_SUITE(simulated_show, Workplace,
                         *boost::unit_test::precondition(for_the_simulated_device))

const Words small{"--preset", "search,launch", "--variant", "streams,graph", "--time", "10ms"};

Outcome run(const Words& more) { return run_without_gpu(joined(small, more)); }

Outcome show(const Words& words) { return run_without_gpu(joined({"show"}, words)); }

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
  check_refused(show({"old"}), "give a file that trilane run, ask, loop or calibrate wrote");
  BOOST_TEST(run_program({"calibrate", "profile.json"}).code == 0);
  BOOST_TEST(contains(show({"profile.json"}).ended(0).out, "NVIDIA H200 (simulated): calibrated "));
  check_refused(show({"profile.json", "launch"}), "names nothing in a profile");
  std::ofstream("broken") << R"({"schema": "trilane-profile", "schema_version": 1})";
  check_refused(show({"broken"}), "show 'broken': .");
  check_refused(show({"folder"}), "show 'folder': cannot be read");
  check_refused(show({"r.json", "balanced"}), "'balanced'");
  check_refused(show({"r.json", "lanch"}), "did you mean 'launch'?");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(simulated_report, Workplace,
                         *boost::unit_test::precondition(for_the_simulated_device))

void write_replay(const char* path, const char* application, std::uint64_t calls) {
  Results results;
  results.comparisons = {made_up_replay({candidate("calls", 300), candidate("graph", 100)})};
  results.comparisons.front().workload.name = application;
  results.comparisons.front().workload.recorded->calls = calls;
  std::ofstream(path) << to_json(results);
}

/// Writes a recording of one call, one without a list of calls, and results of replays.
void write_recordings() {
  Recorded app;
  app.synchronize();
  app.recording.recorded = 1;
  const std::string text = recording_to_json(app.recording);
  std::ofstream("app.recording") << text;
  std::ofstream("damaged.recording")
      << std::string(text).replace(text.find("\"calls\""), 7, "\"c\"");
  write_replay("app.results", "./app --fast", 1);
  write_replay("more.results", "./app --fast", 2);
  write_replay("other.results", "./other", 9);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_made_is_said_in_a_line) {
  write_recordings();
  BOOST_TEST(run_without_gpu({"--preset", "search", "--json", "r.json"}).code == 0);
  std::filesystem::copy_file("r.json", "packed.json.gz");
  std::ofstream("packed.html") << "a page";
  const auto refused = [&](const Words& words, const std::string& said) {
    const auto before = snapshot();
    check_refused(run_without_gpu(joined({"report"}, words)), said);
    BOOST_TEST((snapshot() == before));
  };
  refused({"none.json"}, "report 'none.json': cannot be read");
  refused({"old"}, "give a file that trilane run --json wrote");
  refused({"r.json", "old"}, "report 'old': already exists; give another name or");
  refused({"packed.json.gz"}, "report 'packed.html': already exists; give another");
  refused({"r.json", "--answers", "r.json"}, "--answers 'r.json': answers file: .schema is");
  refused({"r.json", "--loop", "none.json"}, "give a file that trilane loop --json");
  refused({"r.json", "--loop", ""}, "names no file; give one");
  refused({}, "report needs one word more");
  refused({"r.json", "a.html", "more.html"}, "'more.html': holds neither results nor a");
  refused({"r.json", "a.html", "more", "words"}, "stray word 'words'");
  refused({"r.json", "r.json"}, "report 'r.json': holds what 'r.json' does; name one");
  refused({"app.recording", "app.recording"}, "holds what 'app.recording' does");
  refused({"r.json", "a.html", "app.recording"}, "'a.html': is the page; name it last");
  refused({"app.recording", "r.json"}, "report 'r.json': is not from a replay; name a file");
  refused({"r.json", "app.recording"}, "report 'r.json': is not from a replay; name a file");
  refused({"app.recording", "other.results"},
          "is of './other', 9 calls, and 'app.recording' of './app --fast', 1 call; name the two");
  refused({"app.recording", "more.results"}, "is of './app --fast', 2 calls, and");
  refused({"app.recording", "--trace", "t.json"}, "the timeline is the recording's");
  BOOST_TEST(run_without_gpu({"merge", "r.json", "--json", "fleet.json.gz"}).code == 0);
  refused({"fleet.json.gz", "old"}, "report 'old': already exists; give another");
  refused({"fleet.json.gz", "fleet.json.gz"}, "holds what 'fleet.json.gz' does");
  refused({"damaged.recording"}, "give a file that trilane record --save wrote");
  refused({"app.recording", "old"}, "report 'old': already exists; give another");
  refused({"app.recording", "app.results", "old"}, "'old': already exists");
}

BOOST_AUTO_TEST_SUITE_END()
