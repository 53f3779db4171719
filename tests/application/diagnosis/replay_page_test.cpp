// The words on a replay, and its file.
#include "common/application/diagnosis/diagnosis_page.hpp"

#include "common/application/iteration/recording_file.hpp"
#include "tests/application/iteration/made_up_replay.hpp"
#include "tests/base/refusal.hpp"

BOOST_AUTO_TEST_SUITE(replay_words)

ReplayRecord record_of(std::vector<Measurement> measurements, double application_us = 0) {
  ReplayRecord record;
  record.host_us = 41;
  record.comparison = application_us > 0 ? made_up_replay(std::move(measurements), application_us)
                                         : made_up_replay(std::move(measurements));
  return record;
}

std::string text_of(const ReplayRecord& record) { return as_text(replay_page(record)); }

/// Returns the text with one space for each blank: lines are broken at a terminal's width.
std::string single_spaced(const std::string& text) {
  return std::regex_replace(text, std::regex("[ \n]+"), " ");
}

bool says(const ReplayRecord& record, const std::string& words) {
  const std::string text = text_of(record);
  BOOST_TEST_MESSAGE(text);
  return contains(single_spaced(text), words);
}

BOOST_AUTO_TEST_CASE(the_best_change_comes_first_with_the_share_of_the_host) {
  const ReplayRecord record =
      record_of({candidate("calls", 300), candidate("graph", 100), candidate("pinned", 200)});
  BOOST_TEST(says(record, "Answer Use graph: 3.0 times as fast as the same calls ["));
  BOOST_TEST(says(record, "takes 41.0 us of an iteration (41%)."));
}

BOOST_AUTO_TEST_CASE(a_claim_about_one_of_unequal_steps_says_so) {
  ReplayRecord record = record_of({candidate("calls", 300), candidate("graph", 100)});
  BOOST_TEST(!says(record, "step"));
  record.in_kind = true;
  BOOST_TEST(says(record, "Answer For the step that was replayed: use graph: 3.0 times"));
  BOOST_TEST(says(record, "a claim is about the one that was replayed."));
}

BOOST_AUTO_TEST_CASE(without_host_functions_the_answer_is_a_bound) {
  ReplayRecord record = record_of({candidate("calls", 300), candidate("graph", 100)});
  BOOST_TEST(!says(record, "host function"));
  record.skipped_host_functions = 2;
  BOOST_TEST(says(record, "Answer Without its 2 host functions, which is a bound: use graph: 3.0"));
  record.skipped_host_functions = 1;
  BOOST_TEST(says(record, "leave out 1 host function (--skip-host-functions): a gain is a bound."));
}

BOOST_AUTO_TEST_CASE(it_says_how_near_it_comes_to_the_application) {
  const std::vector<Measurement> both{candidate("calls", 300), candidate("graph", 100)};
  BOOST_TEST(!says(record_of(both), "In the application"));
  ReplayRecord record = record_of(both, 302);
  for (std::size_t i = 0; i < 10; ++i) record.comparison->watched->times[i].us = 290;
  for (std::size_t i = 10; i < 20; ++i) record.comparison->watched->times[i].us = 314;
  BOOST_TEST(says(record,
                  "In the application an iteration takes 302 us, the mean of 40, half of "
                  "them from 299 to 305 us; the same calls, replayed, 300 us."));
  BOOST_TEST(!says(record, "What the replay lacks"));
  BOOST_TEST(!says(record, "CUPTI"));
  record.cupti_us = record.comparison->watched->cupti_us = 41;
  BOOST_TEST(says(record, "takes 261 us (without the 41.0 us that CUPTI added to it), the mean"));
  BOOST_TEST(says(record_of(both, 350), "What the replay lacks is assumed to remain with each"));
}

BOOST_AUTO_TEST_CASE(it_says_how_a_loop_that_leaves_work_behind_is_replayed) {
  ReplayRecord record = record_of({candidate("calls", 300), candidate("graph", 100)}, 300);
  BOOST_TEST(!says(record, "leaves work behind"));
  record.overlaps = true;
  BOOST_TEST(says(record, "Here each iteration is waited for, because its buffers alternate."));
  record.comparison->mode = Mode::throughput;
  BOOST_TEST(says(record, "An iteration leaves work behind"));
  BOOST_TEST(says(record, "they are issued back to back, and a time is that of a batch."));
}

BOOST_AUTO_TEST_CASE(means_and_speeds_are_those_of_the_application) {
  const ReplayRecord record =
      record_of({candidate("calls", 825), candidate("graph_set", 678)}, 679);
  BOOST_TEST(says(record, "Answer No gain is promised: the application takes 679 us"));
  BOOST_TEST(says(record, "iteration, us"));
  BOOST_TEST(says(record, "graph_set 678"));
  BOOST_TEST(!says(record, "1.2"));  // the gain over the same calls
  // 100 us that the replay lacks are added to both.
  BOOST_TEST(says(record_of({candidate("calls", 100), candidate("graph", 50)}, 200),
                  "calls 200 50.0 tie graph 150 25.0 1.33x"));
}

BOOST_AUTO_TEST_CASE(it_says_what_weakens_it_and_only_then) {
  const struct {
    void (*change)(ReplayRecord& record);
    const char* words;
  } cases[]{
      {[](auto& r) { r.beside_cupti = true; }, "CUPTI stayed in the process."},
      {[](auto& r) { r.others_stopped = true; }, "stood still during the replay"},
      {[](auto& r) { r.comparison->measurements.back().plan.model.scratch = ScratchSource::pass; },
       "memory is allocated once"},
      {[](auto& r) { r.threads = 2; }, "2 threads replayed the calls at once"},
      {[](auto& r) { r.threads = 2; }, "Answer In each of 2 threads: use graph"},
      {[](auto& r) {
         r.others_stopped = true;
         r.alone_because = "there are no streams";
       },
       "could not do so at once: there are no streams."},
      {[](auto& r) { r.beside_cupti = true, r.threads = 2; },
       "Graphs gain more: beside CUPTI, which had"},
      {[](auto& r) {
         r.beside_cupti = true, r.threads = 2;
         r.comparison->measurements.back().plan.model.issuer = Issuer::graph;
       },
       "at least: CUPTI stayed"},
      {[](auto& r) { r.queried = true; }, "polls for completion"},
      {[](auto& r) {
         r.uncertain.push_back({"device memory 2", 512, 4096});
       },
       "Not deterministic: 512 B of 4 KiB in device memory 2"}};
  for (const auto& [change, words] : cases) {
    ReplayRecord record = record_of({candidate("calls", 300), candidate("graph", 100)});
    BOOST_TEST(!says(record, words), words);
    change(record);
    BOOST_TEST(says(record, words), words);
    BOOST_TEST(says(replay_from_json(to_json(record)), words), words);
  }
}

BOOST_AUTO_TEST_CASE(it_says_what_only_one_of_several_processes_could_run) {
  ReplayRecord record = record_of({candidate("calls", 300), candidate("graph", 100)});
  BOOST_TEST(says(record,
                  "One process was measured. The intervals allow for modes and for the differences "
                  "between processes of other programs (standard deviation 10.0%)"));
  record.comparison->processes = 3;
  BOOST_TEST(
      says(record, "the differences between 3 processes, but only one of them could run graph."));
  record.comparison->measurements.back().ratio->covers = Covers::processes;
  BOOST_TEST(says(record, "the differences between 3 processes."));
}

BOOST_AUTO_TEST_CASE(a_bound_is_no_answer) {
  const ReplayRecord record = record_of(
      {candidate("calls", 300), candidate("fewer_waits", 50, Chaining::recorded_one_wait)});
  BOOST_TEST(says(record, "Nothing that was tried makes an iteration faster"));
  BOOST_TEST(says(record, "a bound: the host may need what it waits for"));
}

BOOST_AUTO_TEST_CASE(it_says_how_often_the_host_sees_results_of_several_iterations) {
  Measurement together = candidate("graph_of_4", 100);
  together.plan.iterations = 4;
  BOOST_TEST(says(record_of({candidate("calls", 300), together}),
                  "the host sees results only once per graph"));
  BOOST_TEST(!says(record_of({candidate("calls", 300), candidate("graph", 100)}), "per graph"));
}

BOOST_AUTO_TEST_CASE(it_says_what_branches_need) {
  BOOST_TEST(says(record_of({candidate("calls", 300),
                             candidate("graph_branches", 100, Chaining::recorded_memory)}),
                  "a bound: kernels may use memory that no argument points to"));
}

BOOST_AUTO_TEST_CASE(it_says_what_the_pool_must_be_set_to) {
  Measurement pool = candidate("pool", 100);
  pool.plan.model.scratch = ScratchSource::pool;
  const ReplayRecord record = record_of({candidate("calls", 300), pool});
  BOOST_TEST(says(record, "Answer Use pool: 3.0 times as fast as the same calls ["));
  BOOST_TEST(says(record, "a pool with its release threshold raised, so that it keeps its memory"));
}

BOOST_AUTO_TEST_CASE(slower_candidates_are_no_answer) {
  BOOST_TEST(says(record_of({candidate("calls", 300), candidate("graph", 310)}),
                  "Nothing that was tried makes an iteration faster"));
}

BOOST_AUTO_TEST_CASE(calls_that_fail_give_no_answer) {
  Measurement calls = candidate("calls", 300);
  calls.status = Status::failed;
  calls.message = "wrong data";
  BOOST_TEST(says(record_of({calls, candidate("graph", 100)}),
                  "The same calls could not be replayed: wrong data."));
}

BOOST_AUTO_TEST_CASE(a_refusal_claims_nothing_and_can_be_read_again) {
  ReplayRecord record;
  record.refusal = "cuMemAllocManaged: managed memory";
  BOOST_TEST(says(record, "Nothing is claimed: cuMemAllocManaged: managed memory."));
  BOOST_TEST(replay_from_json(to_json(record)).refusal == record.refusal);
  record.refused_kernel = "fmha(" + std::string(400, 'x') + ")";
  record.refusal = "it may print";
  BOOST_TEST(refusal_words(record) == "kernel " + record.refused_kernel + ": it may print");
  BOOST_TEST(refusal_words(record, 60) == "kernel fmha: it may print");
  BOOST_TEST(replay_from_json(to_json(record)).refused_kernel == record.refused_kernel);
}

BOOST_AUTO_TEST_CASE(its_file_holds_everything) {
  ReplayRecord record = record_of({candidate("calls", 300), candidate("graph", 100)});
  record.uncertain.push_back({"device memory 2", 512, 4096});
  record.snapshot_bytes = 123;
  const std::string text = to_json(record);
  const ReplayRecord read = replay_from_json(text);
  BOOST_TEST(to_json(read) == text);
  BOOST_TEST(read.host_us == 41);
  BOOST_TEST(read.comparison->measurements.size() == 2u);
  BOOST_TEST((read.comparison->workload.recorded == record.comparison->workload.recorded));
}

BOOST_AUTO_TEST_CASE(another_file_is_refused) {
  BOOST_CHECK_THROW(replay_from_json("{}"), std::invalid_argument);
  BOOST_CHECK_THROW(replay_from_json("nothing"), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(what_a_capture_breaks_on_is_said_with_what_to_write_instead) {
  const ReplayRecord record = record_of({candidate("calls", 300), candidate("graph", 100)});
  const std::vector<CaptureObstacle> obstacles{
      {CaptureReason::legacy_stream, "cudaMemset", CallKind::memset, 6, 1, 0, 0, "call 6"},
      {CaptureReason::batch, "cudaMemcpyBatchAsync", CallKind::copy, 0, 2, 0, 0, "call 0"}};
  const std::string flat = single_spaced(as_text(replay_page(record, obstacles)));
  for (const char* const words :
       {"To capture this, change cudaMemset at call 6: the legacy stream cannot be captured. Write "
        "cudaMemsetAsync on the captured stream.",
        "To capture this, change 2 calls of cudaMemcpyBatchAsync, the first at call 0: a "
        "capture fails at a batch of copies, or leaves its copies out. Write one cudaMemcpyAsync "
        "for each copy."}) {
    BOOST_TEST(contains(flat, words), words << " is not in " << flat);
  }
  BOOST_TEST(text_of(record).find("capture") == std::string::npos);
  BOOST_TEST(capture_words({{CaptureReason::legacy_stream, "f and g", CallKind::other, 0, 147, 0, 0,
                             "call 0"}})
                 .at(0) ==
             "To capture this, use a stream of your own: 147 calls of f and g, the first at call 0 "
             "are in the legacy stream, which cannot be captured. A library takes one by its "
             "set-stream call.");
}

BOOST_AUTO_TEST_CASE(captures_that_were_tried_are_said_by_line_stream_thread_and_mode) {
  Diagnosis diagnosis;
  BOOST_TEST(captures_page(diagnosis).empty());
  CaptureObstacle failed{
      CaptureReason::failed, "cudaMemset", CallKind::memset, 4, 31, 31, 906, "a.cu:7 f"};
  BOOST_TEST(capture_words({failed}).at(0) ==
             "31 of 31 captures failed at cudaMemset (a.cu:7 f, error "
             "906): it uses the legacy stream while another is captured. Write cudaMemsetAsync on "
             "the captured stream.");
  failed.where = CapturePlace{.mode = CaptureMode::per_thread,
                              .stream = CaptureStream::legacy,
                              .other_thread = true,
                              .thread = 2,
                              .begun_by = 1};
  failed.begin = "a.cu:3 main";
  diagnosis.capture = {failed, {CaptureReason::priorities}};
  diagnosis.captures = {{"a.cu:3 main", CaptureMode::per_thread, 31, 31, 0}};
  const std::string flat = single_spaced(as_text(captures_page(diagnosis)));
  for (const char* const words :
       {"a.cu:3 main thread-local 31 31 0",
        "failed at cudaMemset (a.cu:7 f, on the legacy stream, by thread 2, error 906): it uses "
        "the legacy stream while another is captured. Use a stream of your own there, made with "
        "cudaStreamNonBlocking. Begun at a.cu:3 main, by thread 1, thread-local "
        "mode."}) {
    BOOST_TEST(contains(flat, words), words << " is not in " << flat);
  }
  BOOST_TEST(!contains(flat, "priorities"));
  failed.code = 904;
  failed.fork = "a.cu:5 main";
  BOOST_TEST(contains(capture_words({failed}).at(0),
                      ": the stream that was forked at a.cu:5 main is not joined. Let"));
}

BOOST_AUTO_TEST_CASE(every_obstacle_and_code_has_words_of_its_own) {
  std::set<std::string> all;
  for (const CaptureReason reason :
       {CaptureReason::legacy_stream, CaptureReason::synchronous, CaptureReason::batch,
        CaptureReason::pageable, CaptureReason::allocates, CaptureReason::outlives,
        CaptureReason::priorities}) {
    all.insert(capture_words({{reason, "f", CallKind::copy, 0, 1}}).at(0));
  }
  for (const std::uint32_t code : {1u, 900u, 902u, 903u, 904u, 905u, 906u, 907u, 908u}) {
    all.insert(
        capture_words({{CaptureReason::failed, "f", CallKind::copy, std::nullopt, 1, 1, code}})
            .at(0));
  }
  for (const CaptureEffect effect : {CaptureEffect::refused, CaptureEffect::lost_batch,
                                     CaptureEffect::left_out, CaptureEffect::allocates}) {
    CaptureObstacle noted{CaptureReason::noted, "f", CallKind::copy, std::nullopt, 1, 1, 900};
    noted.where = CapturePlace{.effect = effect};
    all.insert(capture_words({noted}).at(0));
  }
  all.insert(capture_words({{.count = 2}}).at(0));
  BOOST_TEST(all.size() == 21u);
}

BOOST_AUTO_TEST_SUITE_END()
