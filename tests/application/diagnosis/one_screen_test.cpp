// The screen: its size, the order of its parts, which findings it shows, and the table of calls.
#include "common/application/diagnosis/diagnosis_page.hpp"

#include "common/application/diagnosis/make_diagnosis.hpp"
#include "tests/application/diagnosis/recorded.hpp"
#include "tests/application/diagnosis/screens.hpp"

BOOST_AUTO_TEST_SUITE(one_screens)

using R = Recorded;

/// A certain race, a wait, allocations by two functions, and a failed capture.
Recorded faulty() {
  Recorded a;
  a.copy(R::free_one, R::pinned, R::device).runtime = "cudaMemcpyAsync";
  a.at(0, 2, 5, 10);
  a.memset(R::free_two, R::device).runtime = "cudaMemsetAsync";
  a.at(2, 2, 7, 2);
  for (const double start : {4.0, 24.0}) {
    a.add(CallKind::allocate_async, "cuMemAllocAsync", R::free_one).runtime = "cudaMallocAsync";
    a.at(start, 9);
    a.add(CallKind::free_async, "cuMemFreeAsync", R::free_one).runtime = "cudaFreeAsync";
    a.at(start + 10, 8);
  }
  a.synchronize();
  a.at(60, 5);
  a.recording.iteration_us = {100};
  a.recording.captures =
      RecordedCaptures{31, {{"cuMemsetD8_v2", "cudaMemset", CallKind::memset, 906, 30}}};
  return a;
}

BOOST_AUTO_TEST_CASE(findings_come_by_what_they_matter_and_similar_ones_are_one) {
  Recorded a = faulty();
  check_order(flat_screen(diagnosis_of(a.recording)),
              {"- Certain: copy host to device at call 0 on stream 3 writes", "memset at call 1 on",
               "Order them by an event", "- 30 of 31 captures", "Write cudaMemsetAsync",
               "- At most 45.0 us: wait or poll later",
               "- At most 34.0 us: allocate once, before the loop, ",
               "cudaMallocAsync 2 times and cudaFreeAsync 2 times (call 2, call 3, call 4 and call "
               "5)."});
}

BOOST_AUTO_TEST_CASE(failures_of_captures_come_before_findings_and_what_runs_at_once_behind) {
  Recorded a = faulty();
  a.recording.calls.pop_back();  // one finding less, so that all are shown
  const auto noted = [](CaptureEffect effect, const char* name) {
    const CapturePlace place{.effect = effect, .stream = CaptureStream::other};
    return CaptureCall{name, "", CallKind::copy, 0, 1, place};
  };
  a.recording.captures->audit = CaptureAudit{
      .sites = {},
      .calls = {noted(CaptureEffect::left_out, "l"), noted(CaptureEffect::lost_batch, "b")},
      .source = {}};
  check_order(flat_screen(diagnosis_of(a.recording)),
              {"- 30 of 31 captures", "without an error: b at an unknown line", "- At most",
               "- Not in the captured graph: l at an unknown line"});
}

/// The costs of graphs that pile up, are launched once and never, each at a line of its own.
RecordedResources wasted_graphs() {
  RecordedResources all;
  for (const char* const function : {"pile", "once", "never"}) {
    const auto i = static_cast<std::uint32_t>(all.source.frames.size());
    all.source.frames.push_back({.function = function, .file = "a.cu", .line = 7 + i, .own = true});
    all.source.stacks.push_back({{i}});
    all.executables.push_back({.stack = i,
                               .made = 20,
                               .nodes = 30,
                               .launches = 20,
                               .instantiate_us = 20 * 90.0,
                               .launch_us = 20 * 10.0});
  }
  all.executables[0].again = 19;
  all.executables[0].bytes = 9 << 20;
  all.executables[1].destroyed = all.executables[1].once = 12;
  all.executables[2].destroyed = all.executables[2].never = 20;
  return all;
}

BOOST_AUTO_TEST_CASE(wasted_graphs_come_before_findings_and_only_those) {
  Recorded a = faulty();
  a.recording.resources = wasted_graphs();
  // A call for each node would take 5 us on average, so a launch saves 140 us.
  const std::string text = flat_screen(diagnosis_of(a.recording));
  check_order(text, {"- 30 of 31 captures",
                     "- 20 of 20 executable graphs made at a.cu:7 pile pile up, and took 9 MiB.",
                     "- 12 of 20 executable graphs made at a.cu:8 once were launched once: making "
                     "one takes 90.0 us",
                     "- 20 of 20 executable graphs made at a.cu:9 never were never launched: "
                     "making one takes 90.0 us."});
  RecordedExecutables& pile = a.recording.resources->executables[0];
  const auto piles_up = [&] { return contains(flat_screen(diagnosis_of(a.recording)), "pile up"); };
  pile.reused = 1;
  BOOST_TEST(!piles_up());
  pile.reused = 0;
  pile.destroyed = 12;
  BOOST_TEST(!piles_up());
  pile.destroyed = 0;
  pile.again = 8;
  BOOST_TEST(!piles_up());
  pile.again = 9;
  pile.bytes = 1000;
  BOOST_TEST(!piles_up());
}

BOOST_AUTO_TEST_CASE(what_graphs_cost_is_a_table_by_line) {
  Recorded a;
  for (int i = 0; i < 2; ++i) {
    a.kernel(R::free_one, {R::device}).host_us = 4;
    a.at(10 * i, 4);
  }
  BOOST_TEST(graph_costs_page(diagnosis_of(a.recording)).empty());
  a.recording.resources = wasted_graphs();
  auto& all = a.recording.resources->executables;
  all[1].stack = all[0].stack;  // another stack of its line
  all[2].stack.reset();
  all[2].updates = 3;
  all[2].update_us = 60;
  const Diagnosis diagnosis = diagnosis_of(a.recording);
  BOOST_REQUIRE(diagnosis.executables.size() == 2u);
  BOOST_TEST(diagnosis.executables[0].costs.made == 40u);
  BOOST_TEST(diagnosis.executables[0].costs.nodes == 30u);
  // Thirty calls of 4 us instead of a launch of 10 us save 110 us, and making it takes 90 us.
  BOOST_TEST(diagnosis.executables[0].pays_after.value() == 1);
  const std::string page = as_text(graph_costs_page(diagnosis));
  check_order(page,
              {"a.cu:7 pile", " 40 ", " 12 ", " 9 MiB\n", "an unknown line", " 20 ", " 30 ",
               "a.cu:7 pile", " 90.0 ", " 40 ", " 10.0 ", "an unknown line", " 3 ", " 60.0 "});
  BOOST_TEST(!contains(page, "were launched once"));  // one launch has paid
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) BOOST_TEST(width_of(line) <= screen_width);
}

/// Two kernels, the second of which is launched early after the first, and a wait.
Recorded launched_early(std::optional<bool> waits, std::optional<bool> triggers) {
  Recorded a;
  a.recording.kernels[0].triggers_next = triggers;
  a.recording.kernels.push_back({.name = "late", .parameters = {}, .waits_for_previous = waits});
  a.kernel(R::free_one, {R::device});
  a.kernel(R::free_one, {R::device}).kernel = 1;
  a.recording.calls.back().attributes = LaunchAttributes{.programmatic = true};
  a.synchronize();
  return a;
}

BOOST_AUTO_TEST_CASE(early_launches_of_kernels_that_do_not_wait_come_before_findings) {
  Recorded a = launched_early(false, true);
  const auto screen = [](const Recorded& of) { return flat_screen(diagnosis_of(of.recording)); };
  check_order(screen(a),
              {"- Nothing orders kernel late at call 1 behind the kernel before: ",
               "cudaGridDependencySynchronize", "this is a race.", "wait or poll later"});
  Recorded twice = a;
  twice.recording.calls.insert(twice.recording.calls.begin() + 2, a.recording.calls[1]);
  check_order(screen(twice), {"Nothing orders 2 launches, first kernel late at call 1, behind "});
  const std::string all = as_text(diagnosis_page(diagnosis_of(twice.recording)));
  check_order(all, {"Findings", "- Nothing orders 2 launches"});
  const auto silent = [&](const char* why, auto change) {
    Recorded other = a;
    change(other);
    BOOST_TEST(diagnosis_of(other.recording).early.empty(), why);
  };
  auto& calls = a.recording.calls;
  silent("no attribute", [](Recorded& r) { r.recording.calls[1].attributes.reset(); });
  silent("polled", [](Recorded& r) { r.recording.queried = true; });
  silent("waits", [](Recorded& r) { r.recording.kernels[1].waits_for_previous = true; });
  silent("unknown", [](Recorded& r) { r.recording.kernels[1].waits_for_previous.reset(); });
  silent("other stream", [](Recorded& r) { r.recording.calls[1].stream = R::free_two; });
  silent("after the host's wait", [&](Recorded& r) {
    r.recording.calls.insert(r.recording.calls.begin() + 1, calls.back());
  });
  silent("after a copy", [](Recorded& r) {
    r.copy(R::free_one, R::pinned, R::device);
    std::swap(r.recording.calls[0], r.recording.calls.back());
  });
  silent("by an event", [](Recorded& r) {
    r.recording.calls[1].stream = R::free_two;
    r.record(0, R::free_one);
    r.wait(0, R::free_two);
    std::rotate(r.recording.calls.begin() + 1, r.recording.calls.end() - 2,
                r.recording.calls.end());
  });
}

BOOST_AUTO_TEST_CASE(that_a_kernel_never_lets_the_next_start_early_is_only_said_on_the_whole_page) {
  const auto said = [](std::optional<bool> triggers) {
    const Diagnosis diagnosis = diagnosis_of(launched_early(true, triggers).recording);
    BOOST_TEST(!contains(flat_screen(diagnosis), "gains little"));
    return std::regex_replace(as_text(diagnosis_page(diagnosis)), std::regex("[ \n]+"), " ");
  };
  check_order(said(false), {"Findings",
                            "- Programmatic stream serialization gains little: the code "
                            "of the kernel before kernel late at call 1 never calls "});
  for (const auto triggers : {std::optional(true), std::optional<bool>()}) {
    BOOST_TEST(!contains(said(triggers), "gains little"));
  }
}

BOOST_AUTO_TEST_CASE(without_times_of_the_gpu_no_gain_is_said) {
  Recorded a = faulty();
  a.recording.calls[0].device_us = a.recording.calls[0].device_start_us = std::nullopt;
  const std::string text = flat_screen(diagnosis_of(a.recording));
  check_order(
      text,
      {"- Gain not known (times of the GPU are missing), 34.0 us in the calls: allocate once",
       "- Gain not known (times of the GPU are missing), 5.00 us in the calls: wait or poll"});
  BOOST_TEST(!contains(text, "At most"));
}

BOOST_AUTO_TEST_CASE(the_answer_names_what_no_candidate_tried) {
  const Diagnosis diagnosis = diagnosis_of(faulty().recording);
  const ReplayRecord gains = replay_with_graph(100), ties = replay_with_graph(300);
  const char* const words = " A finding below, which was not tried, could gain up to 45.0 us.";
  BOOST_TEST(contains(flat_screen(diagnosis, &ties), words));
  BOOST_TEST(!contains(flat_screen(diagnosis, &gains), words));
}

BOOST_AUTO_TEST_CASE(findings_that_do_not_fit_are_counted) {
  Diagnosis diagnosis = diagnosis_of(faulty().recording);
  diagnosis.notes.assign(4, std::string(50, 'x') + " " + std::string(40, 'y') + ".");
  diagnosis.findings.assign(1, diagnosis.findings.at(0));
  for (int i = 0; i < 10; ++i) {
    diagnosis.findings.push_back(diagnosis.findings.at(0));
    diagnosis.findings.back().kind = static_cast<FindingKind>(i);
    diagnosis.findings.back().name = std::string(90, 'f');
  }
  const std::string text = screen_of(diagnosis);
  check_screen(text);
  BOOST_TEST(contains(text, " more: see below.\n\nLimits  xxx"));
  BOOST_TEST(std::ranges::count(text, '-') >= 3);
}

BOOST_AUTO_TEST_CASE(the_answer_promises_bounds_or_refuses) {
  const Diagnosis diagnosis = diagnosis_of(faulty().recording);
  BOOST_TEST(
      contains(flat_screen(diagnosis),
               "Answer An iteration takes 100 us (7 calls, 412 iterations seen). A graph could "
               "replace 6 calls, from call 0 to call 5 (38.0 us of host time) and the host code "
               "between them; the GPU needs at least 10.0 us. GPU idle "));
  const ReplayRecord gains = replay_with_graph(100), ties = replay_with_graph(300),
                     none = refused_replay();
  const std::string promise = flat_screen(diagnosis, &gains);
  check_order(promise, {"Answer Use graph: 3.0 times as fast as the application in this process [",
                        "100 instead of 300 us", "Graphs replace 6 calls, from call 0 to call 5.",
                        "GPU idle"});
  BOOST_TEST(
      contains(flat_screen(diagnosis, &ties), "Answer Nothing that was tried makes an iteration"));
  BOOST_TEST(!contains(flat_screen(diagnosis, &ties), "Graphs replace"));
  BOOST_TEST(contains(flat_screen(diagnosis, &none),
                      "Answer Nothing is claimed: cuLaunchHostFunc: it calls a function of the "
                      "program on the host. An iteration takes 100 us"));
}

BOOST_AUTO_TEST_CASE(a_bound_is_a_part_of_the_iteration_that_was_watched) {
  Recorded a;
  a.kernel(R::free_one, {R::device});
  a.at(0, 20);
  a.synchronize();
  a.at(20, 40);
  a.recording.iteration_us = {100};
  a.recording.watched_us = {50, 50, 50};
  BOOST_TEST(contains(flat_screen(diagnosis_of(a.recording)),
                      "An iteration takes 50.0 us (2 calls, 412 iterations seen). A graph could "
                      "replace 1 call at call 0 (10.0 us of host time); that is at most 30.0 us of "
                      "the host's 50.0 us."));
}

BOOST_AUTO_TEST_CASE(a_bound_is_no_more_than_what_a_graph_replaces) {
  Recorded a;
  a.kernel(R::free_one, {R::device});
  a.at(0, 2);
  a.recording.iteration_us = {10};
  a.recording.watched_us = {50, 50, 50};
  BOOST_TEST(
      contains(flat_screen(diagnosis_of(a.recording)), "at most 10.0 us of the host's 50.0 us."));
}

BOOST_AUTO_TEST_CASE(turns_of_a_ring_are_said_with_and_without_a_replay) {
  Diagnosis diagnosis = diagnosis_of(faulty().recording);
  const ReplayRecord gains = replay_with_graph(100), ties = replay_with_graph(300);
  BOOST_TEST(!contains(flat_screen(diagnosis, &ties), "ring"));
  diagnosis.turns = 4;
  for (const ReplayRecord* replay : {&gains, &ties}) {
    BOOST_TEST(contains(flat_screen(diagnosis, replay), "An iteration is 4 turns of a ring."));
  }
  BOOST_TEST(contains(flat_screen(diagnosis), "4 turns of a ring"));
}

BOOST_AUTO_TEST_CASE(of_a_wait_that_was_not_judged_it_is_not_said_that_nothing_could_gain) {
  Recorded a;
  a.kernel(R::free_one, {R::device});
  a.at(0, 2, 5, 50);
  const char* const nothing = "- No finding could gain 1% of that time.";
  a.recording.iteration_us = {100};
  BOOST_TEST(contains(flat_screen(diagnosis_of(a.recording)), nothing));
  a.record(1, R::free_one);
  a.synchronize();
  a.at(30, 60);
  const std::string text = flat_screen(diagnosis_of(a.recording));
  BOOST_TEST(!contains(text, nothing));
  BOOST_TEST(contains(text,
                      "- Not judged, because times of events may be read behind it: "
                      "cuCtxSynchronize (call 2), 60.0 us in the calls."));
  const ReplayRecord ties = replay_with_graph(300);
  BOOST_TEST(!contains(flat_screen(diagnosis_of(a.recording), &ties), "A finding below"));
}

BOOST_AUTO_TEST_CASE(what_the_gpu_needs_explains_a_slow_replay) {
  Diagnosis diagnosis = diagnosis_of(faulty().recording);
  ReplayRecord slow;
  slow.comparison = made_up_replay({candidate("calls", 500), candidate("graph", 300)}, 250);
  diagnosis.graph.least_us = 400;
  BOOST_TEST(contains(flat_screen(diagnosis, &slow), "the GPU needs 400 us for them."));
}

BOOST_AUTO_TEST_CASE(no_name_is_long_enough_to_cut_the_bound_away) {
  Diagnosis diagnosis = diagnosis_of(faulty().recording);
  diagnosis.graph.first = "a.py:1 " + std::string(300, 'f');
  diagnosis.graph.last = "b.py:2 " + std::string(300, 'g');
  diagnosis.graph.least_us.reset();
  ReplayRecord none;
  none.refusal = "it may print from the device";
  none.refused_kernel = "fmha_f32(Attention<float, Sm80, " + std::string(300, 'x') + ">::Params)";
  const char* const bound = "; that is at most 95.0 us of the host's 100 us. GPU";
  check_order(flat_screen(diagnosis, &none),
              {"Nothing is claimed: kernel fmha_f32: it may print from the device. An iteration "
               "takes 100 us (7 calls, 412 iterations seen). A graph could replace 6 calls, from "
               "a.py:1 ... to b.py:2 ... (38.0 us",
               bound});
  std::string words;
  for (int i = 0; i < 100; ++i) words += "word ";
  for (const std::string& long_text : {std::string(300, 'y'), words}) {
    none.refusal = diagnosis.range = long_text;
    check_order(flat_screen(diagnosis, &none), {"An iteration, the range", "A graph could", bound});
    check_screen(screen_of(diagnosis, &none));
  }
}

BOOST_AUTO_TEST_CASE(what_a_capture_breaks_on_counts_if_a_graph_is_advised) {
  Recorded a;
  a.kernel(R::legacy, {R::device}).runtime = "cudaLaunchKernel";
  a.memset(R::legacy, R::device).runtime = "cudaMemset";
  a.recording.iteration_us = {100};
  const Diagnosis diagnosis = diagnosis_of(a.recording);
  const ReplayRecord gains = replay_with_graph(100), ties = replay_with_graph(300);
  const char* const words =
      "- To capture this, change 2 calls of cudaLaunchKernel and cudaMemset, the first at call 0: "
      "the legacy stream cannot be captured. Give it the captured stream,";
  BOOST_TEST(contains(flat_screen(diagnosis, &gains), words));
  BOOST_TEST(contains(flat_screen(diagnosis), words));
  BOOST_TEST(!contains(flat_screen(diagnosis, &ties), "To capture this"));
}

BOOST_AUTO_TEST_CASE(without_an_iteration_or_calls_it_says_why_and_what_to_do) {
  Recorded a = faulty();
  a.recording.found = Found::none;
  a.recording.iterations = 0;
  a.recording.why_none = "no call repeats";
  BOOST_TEST(contains(flat_screen(diagnosis_of(a.recording)),
                      "Answer No iteration was found: no call repeats. Let the loop repeat more "
                      "often, or name an NVTX range around one iteration: --iteration NAME."));
  check_screen(screen_of(diagnosis_of(a.recording)));
  a.recording.calls.clear();
  BOOST_TEST(contains(flat_screen(diagnosis_of(a.recording)), "The recording has no calls"));
}

BOOST_AUTO_TEST_CASE(limits_are_named_in_two_lines) {
  Recorded a = faulty();
  a.recording.refusals = {{"cuMemMap", "it maps memory", 3}, {"cuMemUnmap", "it maps memory", 3}};
  BOOST_TEST(contains(flat_screen(diagnosis_of(a.recording)),
                      "Limits Cannot be replayed: cuMemMap and cuMemUnmap (it maps memory). More"));
  const ReplayRecord gains = replay_with_graph(100), none = refused_replay();
  for (const ReplayRecord* replay : {&gains, &none}) {  // it ran without them, or said so itself
    BOOST_TEST(!contains(flat_screen(diagnosis_of(a.recording), replay), "Cannot be replayed"));
  }
}

BOOST_AUTO_TEST_CASE(what_other_threads_take_is_not_said_if_they_were_replayed_at_once) {
  Diagnosis diagnosis = diagnosis_of(faulty().recording);
  diagnosis.findings = {CallFinding{
      .kind = FindingKind::other_threads, .name = "3 other threads", .us = 40, .gain_us = 40}};
  ReplayRecord replay = replay_with_graph(100);
  BOOST_TEST(contains(flat_screen(diagnosis, &replay), "stand still: 3 other threads."));
  replay.threads = 4;
  BOOST_TEST(!contains(flat_screen(diagnosis, &replay), "3 other threads"));
  BOOST_TEST(contains(flat_screen(diagnosis, &replay), "Answer In each of 4 threads: use graph"));
}

BOOST_AUTO_TEST_CASE(a_limit_is_whole_or_only_counted) {
  Diagnosis diagnosis = diagnosis_of(faulty().recording);
  const auto limits = [&](std::vector<std::string> notes, const ReplayRecord* replay = nullptr) {
    diagnosis.notes = std::move(notes);
    const std::string text = flat_screen(diagnosis, replay);
    return text.substr(text.find("Limits"));
  };
  const std::string wide = std::string(100, 'x') + ". " + std::string(100, 'y') + ".";
  BOOST_TEST(limits({wide, "It is short.", wide}).starts_with("Limits It is short. 2 more. More"));
  BOOST_TEST(limits({wide, wide}).starts_with("Limits 2 limits: see --all. More"));
  for (auto weakens : {&ReplayRecord::beside_cupti, &ReplayRecord::others_stopped,
                       &ReplayRecord::queried, &ReplayRecord::in_kind}) {
    ReplayRecord replay = replay_with_graph(100);
    replay.*weakens = true;
    BOOST_TEST(limits({}, &replay).starts_with("Limits " + reservations_on(replay).at(0)));
  }
}

BOOST_AUTO_TEST_CASE(the_limits_say_what_the_times_are_of) {
  Diagnosis diagnosis = diagnosis_of(faulty().recording);
  diagnosis.notes.clear();
  diagnosis.reconstruction = Reconstruction{.used = true, .period_us = 100, .fitted = true};
  BOOST_TEST(
      contains(flat_screen(diagnosis), "Gaps between copies and kernels are fitted to the "));
  diagnosis.reconstruction->fitted = false;
  BOOST_TEST(!contains(flat_screen(diagnosis), "fitted"));
  diagnosis.reconstruction->used = false;
  BOOST_TEST(contains(flat_screen(diagnosis), "and own code holds the recorder's."));
}

BOOST_AUTO_TEST_CASE(a_table_has_a_line_for_each_call) {
  const Recorded a = faulty();
  const std::string text = as_text(calls_page(a.recording));
  BOOST_TEST(std::ranges::count(text, '\n') == 3 + 7);
  check_order(text, {"call 0", "copy host to device", "3", "0", "2", "5", "10", "\n", "call 6",
                     "cuCtxSynchronize"});
  BOOST_TEST(!contains(text, "where"));
}

BOOST_AUTO_TEST_SUITE_END()
