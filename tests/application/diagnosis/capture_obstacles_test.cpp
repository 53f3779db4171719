// Obstacles that prevent the capture of an iteration, and reasons against its replay.
#include "common/application/iteration/capture_obstacles.hpp"

#include "common/application/diagnosis/diagnosis_page.hpp"
#include "tests/application/diagnosis/recorded.hpp"
#include "tests/base/refusal.hpp"

BOOST_AUTO_TEST_SUITE(capture_obstacle)

using R = Recorded;

std::vector<CaptureReason> reasons(const Recorded& app) {
  std::vector<CaptureReason> all;
  for (const CaptureObstacle& one : capture_obstacles(app.recording)) all.push_back(one.reason);
  return all;
}

using Reasons = std::vector<CaptureReason>;

BOOST_AUTO_TEST_CASE(what_a_capture_takes_is_none) {
  Recorded app;
  app.copy(R::free_one, R::pinned, R::device);
  app.kernel(R::free_one, {R::device});
  app.record(0, R::free_one);
  app.wait(0, R::blocking);
  app.memset(R::blocking, R::device);
  app.copy(R::free_one, R::device, R::pinned);
  app.synchronize(R::free_one);
  app.synchronize(R::legacy);  // between two graphs
  BOOST_TEST(capture_obstacles(app.recording).empty());
}

BOOST_AUTO_TEST_CASE(calls_with_one_reason_are_one_with_the_first) {
  Recorded app;
  app.kernel(R::free_one, {R::device});
  app.memset(R::legacy, R::device).runtime = "cudaMemset";
  app.kernel(R::legacy, {R::device});
  app.kernel(R::legacy, {R::device});
  const std::vector<CaptureObstacle> wanted{{CaptureReason::legacy_stream,
                                             "cudaMemset and cuLaunchKernel", CallKind::other, 1, 3,
                                             0, 0, "call 1"}};
  BOOST_TEST((capture_obstacles(app.recording) == wanted));
}

BOOST_AUTO_TEST_CASE(each_reason_is_found) {
  Recorded app;
  app.recording.streams[R::blocking_too].kind = StreamKind::per_thread;
  app.copy(R::blocking_too, R::pinned, R::device).synchronous = true;
  app.copy(R::free_one, R::pageable, R::device);
  auto& batch = app.copy(R::free_one, R::pinned, R::device);
  const std::vector<UsedRange> uses = batch.uses;
  batch.uses.insert(batch.uses.end(), uses.begin(), uses.end());
  app.add(CallKind::allocate, "cuMemAlloc");
  app.add(CallKind::free_host, "cuMemFreeHost");
  auto& lasting = app.add(CallKind::allocate_async, "cuMemAllocAsync", R::free_one);
  lasting.uses = {{R::device, 0, R::size, Use::may_use}};
  auto& fresh = app.add(CallKind::allocate_async, "cuMemAllocAsync", R::free_one);
  app.recording.memory[R::other_device].within = true;
  fresh.uses = {{R::other_device, 0, R::size, Use::may_use}};
  BOOST_TEST((reasons(app) == Reasons{CaptureReason::synchronous, CaptureReason::batch,
                                      CaptureReason::pageable, CaptureReason::allocates,
                                      CaptureReason::outlives}));
  BOOST_TEST(capture_obstacles(app.recording).back().count == 1u);
}

BOOST_AUTO_TEST_CASE(captures_that_failed_come_first_and_also_without_an_iteration) {
  Recorded app;
  app.kernel(R::legacy, {R::device});
  app.recording.captures =
      RecordedCaptures{31,
                       {{"cuMemsetD8_v2", "cudaMemset", CallKind::memset, 906, 30},
                        {"cuMemAlloc", "", CallKind::allocate, 900, 1}}};
  BOOST_TEST((reasons(app) ==
              Reasons{CaptureReason::failed, CaptureReason::failed, CaptureReason::legacy_stream}));
  const auto all = capture_obstacles(app.recording);
  BOOST_TEST(all[0].name == "cudaMemset");
  BOOST_TEST(all[0].count == 30u);
  BOOST_TEST(all[0].of == 31u);
  BOOST_TEST(all[0].code == 906u);
  BOOST_TEST(all[1].name == "cuMemAlloc");
  app.recording.found = Found::none;
  BOOST_TEST((reasons(app) == Reasons{CaptureReason::failed, CaptureReason::failed}));
}

BOOST_AUTO_TEST_CASE(what_broke_captures_on_the_legacy_stream_is_said_once) {
  Recorded app;
  app.kernel(R::free_one, {R::device});
  app.memset(R::legacy, R::device).runtime = "cudaMemset";
  app.kernel(R::legacy, {R::device});
  app.recording.captures =
      RecordedCaptures{31, {{"cuMemsetD8_v2", "cudaMemset", CallKind::memset, 906, 31}}};
  const auto all = capture_obstacles(app.recording);
  BOOST_REQUIRE(all.size() == 2u);
  BOOST_TEST((all[0].reason == CaptureReason::failed && all[0].call == 1u));
  BOOST_TEST(all[0].place == "call 1");
  BOOST_TEST(all[1].name == "cuLaunchKernel");
}

/// Captures with the calls, which were all made at "run.cpp:9 step".
RecordedCaptures captures_of(std::vector<CaptureCall> failed, std::vector<CaptureCall> calls) {
  const RecordedFrame frame{.function = "step", .file = "run.cpp", .line = 9, .own = true};
  return {40, std::move(failed),
          CaptureAudit{.sites = {},
                       .calls = std::move(calls),
                       .source = {.frames = {frame}, .stacks = {{{0}}}, .shared = 0}}};
}

BOOST_AUTO_TEST_CASE(what_captures_left_out_comes_behind_failures_and_is_said_once) {
  Recorded app;
  app.kernel(R::free_one, {R::device});
  const auto call = [](CaptureEffect effect, const char* name) {
    return CaptureCall{name, "", CallKind::kernel,
                       0,    3,  CapturePlace{.effect = effect, .stack = 0}};
  };
  app.recording.captures =
      captures_of({call(CaptureEffect::broke, "f"), call(CaptureEffect::broke, "g")},
                  {call(CaptureEffect::allocates, "a"), call(CaptureEffect::left_out, "l"),
                   call(CaptureEffect::left_out, "m"), call(CaptureEffect::refused, "r"),
                   call(CaptureEffect::refused, "s"), call(CaptureEffect::lost_batch, "b")});
  const auto all = capture_obstacles(app.recording);
  std::vector<CaptureEffect> effects;
  for (const CaptureObstacle& one : all) {
    effects.push_back(one.where->effect);
    BOOST_TEST((one.reason == (one.where->effect == CaptureEffect::broke ? CaptureReason::failed
                                                                         : CaptureReason::noted)));
  }
  using enum CaptureEffect;
  BOOST_TEST(
      (effects == std::vector{broke, broke, refused, refused, lost_batch, left_out, allocates}));
  BOOST_TEST(all[5].name == "l and m");
  BOOST_TEST(all[5].count == 6u);
  BOOST_TEST(all[0].place == "run.cpp:9 step");
  app.recording.captures = captures_of({}, {});
  BOOST_TEST(reasons(app).empty());
  app.recording.captures->audit->unheard = 2;
  BOOST_TEST((reasons(app) == Reasons{CaptureReason::failed}));
}

BOOST_AUTO_TEST_CASE(calls_at_one_line_are_one_though_their_stacks_differ) {
  Recorded app;
  app.kernel(R::free_one, {R::device});
  const auto call = [](const char* runtime, std::uint32_t stack) {
    return CaptureCall{"cuMemsetD8_v2",
                       runtime,
                       CallKind::memset,
                       906,
                       3,
                       CapturePlace{.begun_by = stack, .stack = stack, .begin = stack}};
  };
  RecordedCaptures captures =
      captures_of({call("", 0), call("cudaMemset", 1), call("cudaMemset", 2)}, {});
  RecordedSource& source = captures.audit->source;
  source.frames.push_back({.module = "app", .offset = 7});  // of the runtime
  source.frames.push_back({.function = "step", .file = "run.cpp", .line = 10, .own = true});
  source.stacks.push_back({{0, 1}});
  source.stacks.push_back({{2}});
  app.recording.captures = captures;
  const auto all = capture_obstacles(app.recording);
  BOOST_REQUIRE(all.size() == 2u);
  BOOST_TEST(all[0].name == "cudaMemset");
  BOOST_TEST(all[0].place == "run.cpp:9 step");
  BOOST_TEST(all[0].count == 6u);
  BOOST_TEST(all[1].place == "run.cpp:10 step");
  BOOST_TEST(all[1].count == 3u);
}

BOOST_AUTO_TEST_CASE(each_error_has_its_remedy_by_kind_stream_and_thread) {
  const auto check = [](std::uint32_t code, CallKind kind, const std::string& remedy,
                        CapturePlace place = {}) {
    const CaptureObstacle failed{.kind = kind, .code = code, .where = place};
    const std::string words = capture_words({failed}).at(0);
    BOOST_TEST(contains(words, ". " + remedy), remedy << " is not in " << words);
  };
  const CapturePlace there{.other_thread = true}, loads{.loads = true};
  const CapturePlace legacy{.stream = CaptureStream::legacy};
  check(900, CallKind::allocate, "Allocate once, before the capture, and free after");
  check(900, CallKind::free, "Allocate once, before the capture, and free after");
  check(900, CallKind::synchronize_stream, "Wait or ask after the capture");
  check(900, CallKind::query, "Wait or ask after the capture");
  check(900, CallKind::copy, "Write cudaMemcpyAsync on the captured stream.");
  check(900, CallKind::host_function, "Move it before or after the capture.");
  check(900, CallKind::allocate, "Begin the capture with cudaStreamCaptureModeThreadLocal", there);
  check(900, CallKind::other, "Launch each kernel once before the capture", loads);
  check(900, CallKind::other, "Use a stream of your own there", legacy);
  check(900, CallKind::other, "Move it before or after the capture.");
  check(902, CallKind::other, "Capture both streams as one");
  check(903, CallKind::other, "End it where it began.");
  check(904, CallKind::other, "Let the first stream wait for an event");
  check(905, CallKind::wait_event, "Record the event within it.");
  check(906, CallKind::memset, "Write cudaMemsetAsync on the captured stream.");
  check(906, CallKind::memset, "Use a stream of your own there", there);
  check(907, CallKind::query, "Wait or ask after the capture");
  check(908, CallKind::other, "End it in the same thread, or begin it with");
  check(901, CallKind::kernel, "Check the result of each call.");
}

BOOST_AUTO_TEST_CASE(priorities_are_said_where_they_differ_from_the_launch_streams) {
  Recorded app;
  app.recording.streams[R::free_one].priority = -5;
  app.copy(R::free_one, R::pinned, R::device);
  app.kernel(R::free_one, {R::device});
  BOOST_TEST(reasons(app).empty());
  app.kernel(R::free_two, {R::device});
  BOOST_TEST((reasons(app) == Reasons{CaptureReason::priorities}));
  app.recording.calls.back().attributes = LaunchAttributes{.priority = -5};
  BOOST_TEST(reasons(app).empty());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(replays_that_are_not_possible)

BOOST_AUTO_TEST_CASE(an_iteration_that_repeats_may_be_replayed) {
  Recorded made;
  made.kernel(Recorded::blocking, {Recorded::device, Recorded::pinned});
  made.synchronize(Recorded::blocking);
  BOOST_TEST(why_no_replay(made.recording).empty());
}

void in_turns(Recorded& made) {
  made.recording.threads = 2;
  made.recording.contexts = 1;
  made.recording.issuing = {.in_turns = true};
}

BOOST_AUTO_TEST_CASE(what_keeps_a_replay_away_is_named) {
  using R = Recorded;
  const struct {
    void (*change)(Recorded& made);
    const char* why;
  } cases[]{
      {[](Recorded& made) {
         made.kernel(R::blocking, {R::device, R::other_device});
       },
       "cuLaunchKernel of scale: it uses managed memory, which moves by itself; use cudaMalloc "
       "and copies"},
      {[](Recorded& made) { made.copy(R::blocking, R::device, R::other_device); },
       "cuMemcpyAsync: it uses managed memory, which moves by itself; use cudaMalloc "
       "and copies"},
      {[](Recorded& made) {
         made.add(CallKind::host_function, "cuLaunchHostFunc").refusal = "it calls the program";
       },
       "cuLaunchHostFunc: it calls the program"},
      {[](Recorded& made) { made.recording.broken.emplace(); },
       "the loop changed while it was analysed; let it repeat unchanged for longer, or name "
       "an NVTX range around one iteration: --iteration"},
      {[](Recorded& made) {
         in_turns(made);
         made.recording.issuing->in_turns = false;  // one thread replays them in their order
       },
       ""},
      {[](Recorded& made) {
         in_turns(made);
         made.recording.contexts = 2;
       },
       "several threads make the calls, and not in one context"},
      {[](Recorded& made) {
         in_turns(made);
         made.recording.streams.push_back({StreamKind::per_thread, 0});
       },
       "several threads make the calls, in default streams of their own"},
      {in_turns, ""},
      {[](Recorded& made) {
         made.recording.threads = 2;
         made.recording.found = Found::none;
       },
       "no iteration was found"}};
  for (const auto& [change, why] : cases) {
    Recorded made;
    made.recording.memory[R::other_device].kind = MemoryKind::managed;
    made.kernel(R::blocking, {R::device});
    BOOST_TEST(why_no_replay(made.recording) == "");
    change(made);
    BOOST_TEST(why_no_replay(made.recording) == why);
  }
}

BOOST_AUTO_TEST_SUITE_END()
