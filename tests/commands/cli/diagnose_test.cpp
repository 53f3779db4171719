// trilane diagnose: a recording's file to words, a file and a timeline, without a device.
#include <boost/test/unit_test.hpp>
#include <fstream>

#include "common/application/recording/file/recording_file.hpp"
#include "tests/application/diagnosis/recorded.hpp"
#include "tests/commands/cli/program.hpp"

using namespace trilane;

namespace {

Outcome diagnose(std::vector<std::string> words) {
  words.insert(words.begin(), "diagnose");
  return run_program(words, {.gpu = false});
}

/// A copy that races with a memset, in app.json.
void write_recording() {
  Recorded a;
  a.copy(Recorded::free_one, Recorded::pinned, Recorded::device);
  a.at(0, 5, 10, 20);
  a.memset(Recorded::free_two, Recorded::device);
  a.at(5, 5, 15, 2);
  a.synchronize();
  a.at(10, 25);
  a.recording.iteration_us = {50};
  a.recording.recorded = 1;
  std::ofstream("app.json") << recording_to_json(a.recording);
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string content(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(diagnose_command)

BOOST_AUTO_TEST_CASE(a_recording_is_diagnosed_on_any_machine) {
  const Workplace workplace;
  write_recording();
  const Outcome plain = diagnose({"app.json"});
  BOOST_TEST(plain.code == 0);
  BOOST_TEST(plain.err == "");
  BOOST_TEST(holds(plain.out, "Iteration: 3 calls, 50.0 us (412 seen). The GPU is idle 60% of it"));
  BOOST_TEST(holds(plain.out, "Certain: copy host to device #0"));
  const Outcome markdown = diagnose({"app.json", "--markdown"});
  BOOST_TEST(holds(markdown.out, "### Diagnosis: ./app --fast"));
}

BOOST_AUTO_TEST_CASE(files_hold_the_diagnosis_and_the_timeline) {
  const Workplace workplace;
  write_recording();
  BOOST_TEST(diagnose({"app.json", "--json", "d.json", "--trace", "t.json"}).code == 0);
  BOOST_TEST(holds(content("d.json"), "\"schema\": \"trilane diagnosis\""));
  BOOST_TEST(holds(content("t.json"), "\"traceEvents\""));
  BOOST_TEST(holds(content("t.json"), "cuMemsetD8Async"));
  BOOST_TEST(diagnose({"app.json", "--json", "old"}).code == 2);
  BOOST_TEST(diagnose({"app.json", "--json", "app.json", "--force"}).code == 2);
}

BOOST_AUTO_TEST_CASE(only_a_simulated_device_predicts) {
  const Workplace workplace;
  write_recording();
  const Outcome outcome = diagnose({"app.json", "--json", "d.json"});
  BOOST_TEST(outcome.code == 0);
  BOOST_TEST(outcome.err == "");
  for (const char* part :
       {"Simulated times: NVIDIA H200 (profile of ", "The same calls: simulated "}) {
    BOOST_TEST(holds(outcome.out, part) == is_simulated());
  }
  BOOST_TEST(holds(outcome.out, "in any legal order of the simulated device") == is_simulated());
  for (const char* part : {"\"simulated_times\"", "\"profile\": \"NVIDIA H200 (profile of "}) {
    BOOST_TEST(holds(content("d.json"), part) == is_simulated());
  }
  const Outcome with_profile = diagnose({"app.json", "--profile", "missing.json"});
  BOOST_TEST(with_profile.code == 2);
  if (!is_simulated()) BOOST_TEST(with_profile.says("only trilane-sim has this option"));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_predicted_is_said_beside_the_diagnosis,
                     *boost::unit_test::precondition(for_the_simulated_device)) {
  const Workplace workplace;
  Recorded a;
  a.add(CallKind::host_function, "cuLaunchHostFunc");
  a.memset(Recorded::free_one, Recorded::device);
  a.recording.iteration_us = {50};
  a.recording.recorded = 1;
  std::ofstream("app.json") << recording_to_json(a.recording);
  const Outcome outcome = diagnose({"app.json"});
  BOOST_TEST_CONTEXT(outcome.err) BOOST_TEST(outcome.code == 0);
  BOOST_TEST(holds(outcome.out, "Nothing is predicted: cuLaunchHostFunc: "));
}

BOOST_AUTO_TEST_CASE(a_bad_file_is_refused_in_one_line) {
  const Workplace workplace;
  std::ofstream("bad.json") << "{\"schema\": \"trilane-results\"}";
  for (const char* file : {"bad.json", "missing.json", "folder"}) {
    const Outcome refused = diagnose({file});
    BOOST_TEST(refused.code == 2);
    BOOST_TEST(refused.says("diagnose '" + std::string(file) + "'"));
    BOOST_TEST(refused.says("give a file that trilane record --save wrote"));
    BOOST_TEST(std::ranges::count(refused.err, '\n') == 1);
  }
  BOOST_TEST(diagnose({}).code == 2);
}

BOOST_AUTO_TEST_SUITE_END()
