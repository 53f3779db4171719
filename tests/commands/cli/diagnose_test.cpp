// trilane diagnose: from a recording's file to words, a file and a timeline, without a device.
#include "common/application/iteration/recording_file.hpp"
#include "tests/application/pipelines/recorded_chunks.hpp"
#include "tests/base/mentions.hpp"
#include "tests/commands/cli/program.hpp"

BOOST_FIXTURE_TEST_SUITE(diagnose_command, Workplace)

Outcome diagnose(const Words& words) { return run_without_gpu(joined({"diagnose"}, words)); }

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

BOOST_AUTO_TEST_CASE(a_recording_is_diagnosed_on_any_machine) {
  write_recording();
  const Outcome plain = diagnose({"app.json"}).ended(0);
  BOOST_TEST(plain.err == "");
  BOOST_TEST(contains(plain.out, "An iteration takes 50.0 us (3 calls, 412 iterations seen)."));
  BOOST_TEST(contains(plain.out, "idle 60% of 50.0 us: "));
  BOOST_TEST(contains(plain.out, "- Certain: copy host to device at call 0"));
  BOOST_TEST(contains(plain.out, " diagnose app.json --all, --calls or --races; trilane report "));
  BOOST_TEST(!contains(plain.out, "pipeline"));
  const Outcome markdown = diagnose({"app.json", "--markdown"});
  BOOST_TEST(contains(markdown.out, "### Diagnosis: ./app --fast"));
}

BOOST_AUTO_TEST_CASE(each_page_is_an_option_away) {
  write_recording();
  const char* const all = "(3 calls, 412 iterations seen). The GPU is idle 60% of 50.0 us";
  const char* const calls = "| call 0 | copy host to device |";
  const struct {
    Words options;
    bool all, calls, races;
  } cases[]{{{}, false, false, false},
            {{"--all"}, true, false, true},
            {{"--calls"}, false, true, false},
            {{"--races"}, false, false, true},
            {{"--all", "--calls"}, true, true, true}};
  for (const auto& [options, has_all, has_calls, has_races] : cases) {
    const Outcome text = diagnose(joined({"app.json"}, options)).ended(0);
    const Outcome page = diagnose(joined({"app.json", "--markdown"}, options)).ended(0);
    BOOST_TEST(contains(text.out, all) == has_all);
    BOOST_TEST(contains(page.out, calls) == has_calls);
    BOOST_TEST(contains(page.out, "### Races") == has_races);
    BOOST_TEST(contains(page.out, "**Answer**") == options.empty());
  }
}

BOOST_AUTO_TEST_CASE(files_hold_the_diagnosis_and_the_timeline) {
  write_recording();
  BOOST_TEST(diagnose({"app.json", "--json", "d.json", "--trace", "t.json"}).code == 0);
  BOOST_TEST(contains(content_of_file("d.json"), "\"schema\": \"trilane diagnosis\""));
  BOOST_TEST(contains(content_of_file("t.json"), "\"traceEvents\""));
  BOOST_TEST(contains(content_of_file("t.json"), "cuMemsetD8Async"));
  BOOST_TEST(diagnose({"app.json", "--json", "old"}).code == 2);
  BOOST_TEST(diagnose({"app.json", "--json", "app.json", "--force"}).code == 2);
}

BOOST_AUTO_TEST_CASE(only_a_simulated_device_predicts) {
  write_recording();
  const Outcome outcome = diagnose({"app.json", "--all", "--json", "d.json"}).ended(0);
  BOOST_TEST(outcome.err == "");
  BOOST_TEST(contains(diagnose({"app.json"}).out, "\nSimulated  same calls ") == is_simulated());
  for (const char* part :
       {"Simulated times: NVIDIA H200 (profile of ", "The same calls: simulated "}) {
    BOOST_TEST(contains(outcome.out, part) == is_simulated());
  }
  const std::string races = diagnose({"app.json", "--races"}).out;
  BOOST_TEST(contains(on_one_line(races), "in any legal order of the simulated device") ==
             is_simulated());
  for (const char* part : {"\"simulated_times\"", "\"profile\": \"NVIDIA H200 (profile of "}) {
    BOOST_TEST(contains(content_of_file("d.json"), part) == is_simulated());
  }
  const Outcome with_profile = diagnose({"app.json", "--profile", "missing.json"}).ended(2);
  if (!is_simulated()) BOOST_TEST(with_profile.says("only trilane-sim has this option"));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_predicted_is_said_beside_the_diagnosis,
                     *boost::unit_test::precondition(for_the_simulated_device)) {
  Recorded a;
  a.add(CallKind::host_function, "cuLaunchHostFunc");
  a.memset(Recorded::free_one, Recorded::device);
  a.recording.iteration_us = {50};
  a.recording.recorded = 1;
  std::ofstream("app.json") << recording_to_json(a.recording);
  const Outcome outcome = diagnose({"app.json"}).ended(0);
  BOOST_TEST(contains(outcome.out, "Nothing is predicted: cuLaunchHostFunc: "));
}

BOOST_AUTO_TEST_CASE(a_chunked_pipeline_becomes_a_pipeline_file) {
  RecordedChunks a;
  a.depth_first();
  std::ofstream("app.json") << recording_to_json(a.recording);
  BOOST_TEST(contains(diagnose({"app.json"}).out, "--as-pipeline FILE"));
  BOOST_TEST(contains(diagnose({"app.json", "--all"}).out,
                      "An iteration is a chunked pipeline, 8 chunks of"));
  const Outcome bare = diagnose({"app.json", "--as-pipeline", "bare.json"}).ended(0);
  BOOST_TEST(
      contains(bare.out, "8 chunks of 4096 items, 2 lanes, depth-first: copy in in, memset"));
  BOOST_TEST(contains(bare.out, "Fill in the file of the kernels, or name it with --kernel FILE"));
  BOOST_TEST(contains(bare.out, "trilane record --with-data"));
  const Outcome unfilled = run_program({"plan", "--pipeline", "bare.json"}).ended(2);
  BOOST_TEST(unfilled.says("bare.json:14: stage 3: \"file\" must end in .cu"));
  a.add_values();
  a.recording.memory[RecordedChunks::pinned].kind = MemoryKind::pageable;
  std::ofstream("app.json") << recording_to_json(a.recording);
  std::filesystem::create_directory("made");
  std::ofstream("app.cu") << "// mix";
  const Outcome full =
      diagnose({"app.json", "--as-pipeline", "made/full.json", "--kernel", "app.cu"}).ended(0);
  BOOST_TEST(!contains(full.out, "Fill in"));
  BOOST_TEST(contains(full.out, "trilane run --pipeline made/full.json --host-memory pageable"));
  BOOST_TEST(contains(content_of_file("made/full.json"), "\"file\": \"../app.cu\""));
  BOOST_TEST(run_program({"plan", "--pipeline", "made/full.json"}).code == 0);
  const Outcome out = diagnose({"app.json", "--as-pipeline", "-"});
  BOOST_TEST(out.out.starts_with("{\n  \"name\": \"app\",\n  \"chunks\": 8,"));
}

BOOST_AUTO_TEST_CASE(a_pipeline_of_a_recording_runs_on_the_simulated_device,
                     *boost::unit_test::precondition(for_the_simulated_device)) {
  RecordedChunks a;
  a.last_items = 1000;
  a.depth_first().add_values();
  std::ofstream("app.json") << recording_to_json(a.recording);
  std::ofstream("app.cu") << "// mix";
  BOOST_TEST(diagnose({"app.json", "--as-pipeline", "p.json", "--kernel", "app.cu"}).code == 0);
  const Outcome check = run_program({"pipeline", "check", "p.json"}).ended(0);
  BOOST_TEST(contains(check.out, "in in, inout out, n, 0.1"), check.out);
  const Outcome run = run_program({"run", "--pipeline", "p.json", "--check", "--time", "100ms"});
  BOOST_TEST(run.code == 0, run.err);
}

BOOST_AUTO_TEST_CASE(what_is_no_pipeline_is_refused_in_one_line) {
  write_recording();
  const auto refused = [](const Words& words, const std::string& why) {
    check_refused(diagnose(joined({"app.json"}, words)), why);
    BOOST_TEST(!std::filesystem::exists("p.json"));
  };
  std::ofstream("app.c") << "";
  refused(
      {"--as-pipeline", "p.json"},
      "'app.json' is no chunked pipeline: copy host to device at call 0: no kernel of its chunk");
  refused({"--as-pipeline", "app.json", "--force"}, "app.json");
  refused({"--as-pipeline", ""}, "--as-pipeline");
  refused({"--kernel", "app.cu"}, "belongs to a pipeline file; add --as-pipeline FILE");
  refused({"--as-pipeline", "p.json", "--kernel", "app.c"}, "must end in .cu");
  refused({"--as-pipeline", "p.json", "--kernel", "none.cu"}, "is not a file");
}

BOOST_AUTO_TEST_CASE(a_bad_file_is_refused_in_one_line) {
  std::ofstream("bad.json") << "{\"schema\": \"trilane-results\"}";
  for (const char* file : {"bad.json", "missing.json", "folder"}) {
    check_refused(diagnose({file}), "diagnose '" + std::string(file) + "'",
                  "give a file that trilane record --save wrote");
  }
  BOOST_TEST(diagnose({}).code == 2);
}

BOOST_AUTO_TEST_SUITE_END()
