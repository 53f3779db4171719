// trilane report: refusals, which need neither Python nor a device.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "common/application/iteration/recording_file.hpp"
#include "common/model/results/results_io.hpp"
#include "tests/application/diagnosis/recorded.hpp"
#include "tests/application/iteration/made_up_replay.hpp"
#include "tests/base/refusal.hpp"
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
  for (const auto& [words, code, said] :
       {std::tuple<std::vector<std::string>, int, std::string>{
            {"report", "none.json"}, 2, "report 'none.json': cannot be read"},
        {{"report", "old"}, 2, "give a file that trilane run --json wrote"},
        {{"report", "r.json", "old"}, 2, "report 'old': already exists; give another name or"},
        {{"report", "packed.json.gz"}, 2, "report 'packed.html': already exists; give another"},
        {{"report", "r.json", "--answers", "r.json"},
         2,
         "--answers 'r.json': answers file: .schema is"},
        {{"report", "r.json", "--loop", "none.json"}, 2, "give a file that trilane loop --json"},
        {{"report", "r.json", "--loop", ""}, 2, "names no file; give one"},
        {{"report"}, 2, "report needs one word more"},
        {{"report", "r.json", "a.html", "more.html"},
         2,
         "'more.html': holds neither results nor a"},
        {{"report", "r.json", "a.html", "more", "words"}, 2, "stray word 'words'"},
        {{"report", "r.json", "r.json"}, 2, "report 'r.json': holds what 'r.json' does; name one"},
        {{"report", "app.recording", "app.recording"}, 2, "holds what 'app.recording' does"},
        {{"report", "r.json", "a.html", "app.recording"}, 2, "'a.html': is the page; name it last"},
        {{"report", "app.recording", "r.json"},
         2,
         "report 'r.json': is not from a replay; name a file"},
        {{"report", "r.json", "app.recording"},
         2,
         "report 'r.json': is not from a replay; name a file"},
        {{"report", "app.recording", "other.results"},
         2,
         "is of './other', 9 calls, and 'app.recording' of './app --fast', 1 call; name the two"},
        {{"report", "app.recording", "more.results"}, 2, "is of './app --fast', 2 calls, and"},
        {{"report", "app.recording", "--trace", "t.json"}, 2, "the timeline is the recording's"},
        {{"report", "damaged.recording"}, 2, "give a file that trilane record --save wrote"},
        {{"report", "app.recording", "old"}, 2, "report 'old': already exists; give another"},
        {{"report", "app.recording", "app.results", "old"}, 2, "'old': already exists"}}) {
    const auto before = snapshot();
    const Outcome outcome = run_program(words, {.gpu = false});
    BOOST_TEST_CONTEXT(outcome.command_line << outcome.err) {
      BOOST_TEST(outcome.code == code);
      BOOST_TEST(outcome.says(said));
      BOOST_TEST(std::ranges::count(outcome.err, '\n') == 1);
      BOOST_TEST((snapshot() == before));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
