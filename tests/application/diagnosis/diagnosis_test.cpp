// A whole diagnosis: its words, its file, its trace.
#include "common/application/diagnosis/diagnosis_page.hpp"
#include "common/application/diagnosis/make_diagnosis.hpp"
#include "common/base/text/page.hpp"
#include "tests/application/diagnosis/recorded.hpp"
#include "tests/base/refusal.hpp"

BOOST_AUTO_TEST_SUITE(diagnoses)

using R = Recorded;

/// 100 us: a pageable copy in [0, 30], a kernel, a copy out that races with a memset, a wait.
Recorded typical() {
  Recorded a;
  a.copy(R::free_one, R::pageable, R::device).runtime = "cudaMemcpyAsync";
  a.at(0, 30, 20, 8);
  a.kernel(R::free_one, {R::device}).runtime = "cudaLaunchKernel";
  a.recording.calls.back().arguments = {Variation::constant, Variation::changes};
  a.at(35, 5, 42, 20);
  a.copy(R::free_one, R::device, R::pinned).runtime = "cudaMemcpyAsync";
  a.at(42, 3, 63, 7);
  a.memset(R::free_two, R::device, 1024).runtime = "cudaMemsetAsync";
  a.at(46, 3, 50, 2);
  a.synchronize();
  a.recording.calls.back().runtime = "cudaDeviceSynchronize";
  a.at(50, 25);
  a.recording.iteration_us = {100};
  a.recording.refusals = {{"cuMemAllocManaged", "managed memory moves by itself", 3}};
  a.recording.machine.gpu = "NVIDIA H200";
  return a;
}

std::string screen(const Recorded& a) { return as_text(diagnosis_page(diagnosis_of(a.recording))); }

BOOST_AUTO_TEST_CASE(the_answer_comes_first) {
  const Diagnosis diagnosis = diagnosis_of(typical().recording);
  BOOST_TEST(iteration_words(diagnosis) ==
             "An iteration takes 100 us (5 calls, 412 iterations seen).");
  BOOST_TEST(contains(screen(typical()),
                      "The GPU is idle 65% of 100 us: own code\n30.0 us, blocking copy 22.0 us, "
                      "launching 5.00 us"));
  BOOST_TEST(graph_words(diagnosis) ==
             "A graph could replace 3 calls, from call 1 to call 3 (11.0 us of host time) and the "
             "host code between them; the GPU needs at least 27.0 us.");
}

BOOST_AUTO_TEST_CASE(the_screen_has_findings_races_and_refusals) {
  const std::string text = screen(typical());
  for (const char* part :
       {"Certain: copy device to host at call 2 on stream 3 reads bytes 1024..4095 of memory 2",
        "while memset at call 3 on stream 4 writes them: no order between them",
        "it copies 4 KiB of pageable memory", "Cannot be replayed: cuMemAllocManaged, 3 times",
        "part of the critical path", "kernel scale"}) {
    BOOST_TEST(contains(text, part), part << " in\n" << text);
  }
}

BOOST_AUTO_TEST_CASE(without_device_times_the_host_s_view_remains) {
  Recorded a = typical();
  for (RecordedCall& call : a.recording.calls) call.device_start_us = call.device_us = std::nullopt;
  const Diagnosis diagnosis = diagnosis_of(a.recording);
  BOOST_TEST(!diagnosis.device);
  BOOST_TEST(diagnosis.races.size() == 3u);
  BOOST_TEST(!contains(screen(a), "The GPU is idle"));
  BOOST_TEST(contains(graph_words(diagnosis), "; that is at most "));
  BOOST_TEST(contains(screen(a), "The recording has no device times"));
  BOOST_TEST(contains(screen(a), "record --no-replay measures them"));
  a.recording.broken.emplace();
  BOOST_TEST(!contains(screen(a), "record --no-replay"));
}

BOOST_AUTO_TEST_CASE(a_segment_without_an_iteration_or_without_calls_is_said) {
  Recorded a = typical();
  a.recording.found = Found::none;
  a.recording.why_none = "no call repeats";
  BOOST_TEST(contains(screen(a), "No iteration was measured: no call repeats. Each takes"));
  a.recording.iterations = 0;
  BOOST_TEST(contains(
      screen(a), "No iteration was found: no call repeats. Let the loop repeat more often, or"));
  a.recording.calls.clear();
  BOOST_TEST(contains(screen(a), "The recording has no calls"));
}

BOOST_AUTO_TEST_CASE(of_steps_in_kind_the_spread_is_said) {
  Recorded a = typical();
  a.recording.found = Found::in_kind;
  a.recording.unequal = UnequalSteps{.calls = 2, .others = 3};
  a.recording.watched_us = {80, 90, 100, 110, 120};
  BOOST_TEST(contains(iteration_words(diagnosis_of(a.recording)),
                      "Steps repeat in kind, not in size: half of them take 90.0 us to 110 us, and "
                      "2 of 5 calls differ in size or kernel; 3 steps had other calls. Times are "
                      "of the median step."));
  a.recording.unequal->others = 0;
  BOOST_TEST(!contains(iteration_words(diagnosis_of(a.recording)), "other calls"));
}

BOOST_AUTO_TEST_CASE(turns_of_a_ring_are_told_by_what_differs_in_events_alone) {
  Recorded a;
  for (const std::uint32_t event : {0u, 1u, 2u}) {
    a.kernel(R::free_one, {R::device});
    a.record(event, R::free_one);
    a.wait_on_host((event + 1) % 3);
  }
  a.recording.iteration_us = {100};
  const auto says = [&](const char* words) {
    return contains(iteration_words(diagnosis_of(a.recording)), words);
  };
  BOOST_TEST(says("(9 calls, 3 turns of a ring, 412 iterations seen)"));
  a.recording.calls[3].grid = {2, 1, 1};
  BOOST_TEST(says("(9 calls, 412"));
  a.recording.calls[3].grid.clear();
  a.recording.found = Found::range;
  BOOST_TEST(says("(9 calls, 412"));
}

BOOST_AUTO_TEST_CASE(tables_fit_the_screen) {
  Recorded a = typical();
  a.recording.kernels[0].name = std::string(100, 'k');
  RecordedFrame frame{
      .function = std::string(50, 'f'), .file = "long_name_of_a_file.cu", .line = 1};
  frame.module = "app";
  frame.own = true;
  a.recording.source = RecordedSource{{frame}, {{{0}}}, 0};
  for (RecordedCall& call : a.recording.calls) {
    call.stack = 0;
    call.start_us += 12345;
    if (call.device_start_us) *call.device_start_us += 12345;
  }
  a.recording.iteration_us = {23456};
  const Page calls = calls_page(a.recording);
  for (const std::string& text : {screen(a), as_text(calls)}) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) BOOST_TEST(width_of(line) <= 100u, line);
  }
  BOOST_TEST(contains(as_text(calls), "stream"));
}

BOOST_AUTO_TEST_CASE(without_causes_there_is_no_colon) {
  Recorded a = typical();
  a.recording.calls.resize(2);
  a.at(0, 2, 0, 100);
  a.recording.calls.erase(a.recording.calls.begin());
  BOOST_TEST(contains(screen(a), "The GPU is idle 0% of 100 us."));
}

BOOST_AUTO_TEST_CASE(what_cupti_adds_is_said) {
  Recorded a = typical();
  BOOST_TEST(!contains(screen(a), "CUPTI"));
  a.recording.cupti_us = 22.75;
  BOOST_TEST(contains(screen(a), "makes an iteration 22.8 us longer"));
}

BOOST_AUTO_TEST_CASE(what_limits_the_statements_is_noted) {
  Recorded a = typical();
  a.recording.threads = 2;
  a.recording.queried = true;
  a.add(CallKind::other, "cuStreamWaitValue32");
  a.recording.found = Found::range;
  const auto notes = diagnosis_of(a.recording).notes;
  BOOST_REQUIRE(notes.size() == 4u);
  BOOST_TEST(contains(notes[0], "2 threads call the driver: the order"));
  BOOST_TEST(contains(notes[1], "between two such ranges"));
  BOOST_TEST(contains(notes[2], "polls for completion"));
  BOOST_TEST(contains(notes[3], "every race is called possible"));
}

BOOST_AUTO_TEST_CASE(whose_calls_are_recorded_is_noted) {
  Recorded a = typical();
  a.recording.threads = 2;
  a.recording.issuing = {.in_turns = true};
  BOOST_TEST(contains(diagnosis_of(a.recording).notes[0], "2 threads make the calls, in turns"));
  a.recording.threads = 1;
  a.recording.issuing = {.thread = 2, .others = 3};
  BOOST_TEST(contains(diagnosis_of(a.recording).notes[0],
                      "that of thread 2, by the order of first calls. Calls of 3 other threads"));
  BOOST_TEST(contains(graph_words(diagnosis_of(a.recording)), "replace 3 calls of thread 2, from"));
}

BOOST_AUTO_TEST_CASE(what_other_threads_take_is_a_finding) {
  Recorded a = typical();
  a.recording.watched_us = {100, 110, 120};
  a.recording.issuing = {.thread = 1, .others = 3, .alone_us = {60, 70, 80}};
  const auto taken = [&] {
    return std::ranges::count(diagnosis_of(a.recording).findings, FindingKind::other_threads,
                              &CallFinding::kind);
  };
  BOOST_REQUIRE(taken() == 1);
  const std::vector<CallFinding> findings = diagnosis_of(a.recording).findings;
  BOOST_TEST(std::ranges::is_sorted(findings, std::greater{}, &CallFinding::gain_us));
  BOOST_TEST(contains(screen(a), "At most 40.0 us: make fewer calls in each"));
  BOOST_TEST(contains(screen(a), "3 other threads."));
  a.recording.issuing->alone_us = {60, 70, 110};  // three quarters are no longer apart
  a.recording.watched_us = {90, 100, 120};
  BOOST_TEST(taken() == 1);
  a.recording.issuing->alone_us = {60, 99, 119};
  BOOST_TEST(taken() == 0);
  a.recording.issuing->alone_us.clear();
  BOOST_TEST(taken() == 0);
}

BOOST_AUTO_TEST_CASE(the_file_has_everything) {
  const auto file = boost::json::parse(to_json(diagnosis_of(typical().recording))).as_object();
  BOOST_TEST(file.at("schema").as_string() == "trilane diagnosis");
  BOOST_TEST(file.at("races").at(0).at("certain").as_bool());
  BOOST_TEST(file.at("device").at("causes").at(0).at("use").as_string() == "own code");
  BOOST_TEST(file.at("varying").at(0).at("changing").as_int64() == 1);
}

BOOST_AUTO_TEST_CASE(the_trace_has_streams_as_lanes) {
  const VariantTrace trace = trace_of(typical().recording);
  const TracedPass& pass = trace.shown();
  BOOST_TEST(pass.event_us == 100);
  BOOST_TEST(pass.records.calls.size() == 5u);
  BOOST_REQUIRE(pass.records.operations.size() == 4u);
  BOOST_TEST((pass.records.operations[0].activity == Activity::copy_in));
  BOOST_TEST(pass.records.operations[1].name == "scale");
  BOOST_TEST(pass.records.operations[2].label.lane == R::free_two);
  BOOST_TEST((pass.records.operations[3].activity == Activity::copy_out));
}

BOOST_AUTO_TEST_SUITE_END()
