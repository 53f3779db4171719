// trilane report: refusals, which need neither Python nor a device.
#include <filesystem>
#include <fstream>

#include "common/application/iteration/recording_file.hpp"
#include "common/model/results/results_io.hpp"
#include "tests/application/diagnosis/recorded.hpp"
#include "tests/application/iteration/made_up_replay.hpp"
#include "tests/commands/cli/program.hpp"

using namespace trilane;

BOOST_FIXTURE_TEST_SUITE(simulated_report, Workplace,
                         *boost::unit_test::precondition(for_the_simulated_device))

namespace {

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

}  // namespace

BOOST_AUTO_TEST_CASE(what_cannot_be_made_is_said_in_a_line) {
  write_recordings();
  BOOST_TEST(run_program({"--preset", "search", "--json", "r.json"}, {.gpu = false}).code == 0);
  std::filesystem::copy_file("r.json", "packed.json.gz");
  std::ofstream("packed.html") << "a page";
  const auto refused = [&](const Words& words, const std::string& said) {
    const auto before = snapshot();
    check_refused(run_program(joined({"report"}, words), {.gpu = false}), said);
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
  refused({"damaged.recording"}, "give a file that trilane record --save wrote");
  refused({"app.recording", "old"}, "report 'old': already exists; give another");
  refused({"app.recording", "app.results", "old"}, "'old': already exists");
}

BOOST_AUTO_TEST_SUITE_END()
