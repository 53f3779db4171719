// Periods in fake sequences of calls, and in iterations of many calls.
#include "common/application/finding/iteration_finder.hpp"

#include "tests/application/finding/fake_application.hpp"

BOOST_AUTO_TEST_SUITE(iteration_finder)

constexpr std::uint64_t repetitions = 5;

/// Feeds calls, one a letter; '.' is a host wait.
class Fed {
 public:
  Fed& operator()(const std::string& calls, int times = 1) {
    for (int i = 0; i < times && !found; ++i) {
      for (const char call : calls) {
        if (found) break;
        one(static_cast<std::uint64_t>(call) * 0x9e3779b97f4a7c15u, call == '.');
      }
    }
    return *this;
  }
  void one(std::uint64_t fingerprint, bool waits) {
    found = finder.add(fingerprint, waits);
    ++fed;
  }

  IterationFinder finder{repetitions};
  std::optional<FoundPeriod> found;
  std::uint64_t fed = 0;
};

void expect(const Fed& fed, std::uint64_t calls, std::uint64_t first, std::uint64_t end) {
  BOOST_REQUIRE(fed.found.has_value());
  BOOST_TEST(fed.found->calls == calls);
  BOOST_TEST(fed.found->first == first);
  BOOST_TEST(fed.found->repeats == (end - first) / calls);
  BOOST_TEST(fed.fed == end);
}

BOOST_AUTO_TEST_CASE(a_loop_is_found_at_the_end_of_its_fifth_repetition) {
  Fed fed;
  expect(fed("abc.", 9), 4, 0, 20);
  BOOST_TEST(fed.found->waits);
}

BOOST_AUTO_TEST_CASE(four_repetitions_are_too_few) {
  Fed fed;
  BOOST_TEST(!fed("abc.", 4)("abx.").found);
}

BOOST_AUTO_TEST_CASE(setting_up_and_warming_up_come_before) {
  expect(Fed()("mmhhw.w.")("abca.", 1)("abc.", 9), 4, 13, 33);
  // Without a wait before the loop its first repetition does not begin after one. It counts all the
  // same once there are five others.
  Fed other;
  expect(other("mmh")("abc.", 9), 4, 3, 27);
}

BOOST_AUTO_TEST_CASE(several_waits_in_an_iteration) {
  expect(Fed()("s.")("ab.b.cb.", 9), 8, 2, 42);
}

BOOST_AUTO_TEST_CASE(equal_launches_between_two_waits_are_no_iteration) {
  expect(Fed()("s.")("kkkkkkkkkkkkkkkk.", 9), 17, 2, 87);
}

BOOST_AUTO_TEST_CASE(an_inner_loop_of_few_repetitions_hides_nothing) {
  Fed fed;
  const std::string outer = "k.k.k.k.d.";
  expect(fed("s.")(outer, 9), 10, 2, 52);
}

BOOST_AUTO_TEST_CASE(an_inner_loop_that_was_left_does_not_come_again_at_once) {
  Fed fed;
  fed("s.")("k.", 5);
  expect(fed, 2, 2, 12);
  fed.found.reset();
  const std::string outer = "k.k.k.k.k.k.k.k.d.";
  fed("k.k.k.d.");
  fed.finder.left();
  fed.found.reset();
  fed(outer, 9);
  BOOST_REQUIRE(fed.found.has_value());
  BOOST_TEST(fed.found->calls == outer.size());
}

BOOST_AUTO_TEST_CASE(a_loop_that_changes_shape_is_found_again_after_more_repetitions) {
  Fed fed;
  fed("abc.", 9);
  fed.finder.left();
  fed.found.reset();
  fed("ab.", 30);
  BOOST_REQUIRE(fed.found.has_value());
  BOOST_TEST(fed.found->calls == 3u);
  BOOST_TEST(fed.found->repeats == 20u);
}

BOOST_AUTO_TEST_CASE(a_period_whose_symbols_are_all_common_is_found_by_the_z_function) {
  // Each of two symbols occurs 500 times at random.
  std::mt19937_64 random(7);
  std::vector<std::uint64_t> period;
  for (int i = 0; i < 1000; ++i) period.push_back(random() % 2);
  PeriodFinder finder(repetitions, 1 << 16);
  std::uint64_t found = 0, fed = 0;
  finder.left(100);  // chance makes short periods
  while (found != period.size() && fed < 60'000) found = finder.add(period[fed++ % period.size()]);
  BOOST_TEST(found == period.size());
  BOOST_TEST(fed <= 3 * repetitions * period.size());
}

BOOST_AUTO_TEST_CASE(a_loop_of_100_000_calls) {
  Fed fed;
  for (std::uint64_t i = 0; !fed.found && i < 700'000; ++i) {
    const std::uint64_t call = i % 100'000;
    fed.one((call * call + 1) * 0x9e3779b97f4a7c15u, call == 99'999);
  }
  expect(fed, 100'000, 0, 500'000);
}

BOOST_AUTO_TEST_CASE(a_loop_of_waits_only_of_100_000_calls) {
  Fed fed;
  for (std::uint64_t i = 0; !fed.found && i < 700'000; ++i) {
    fed.one((i % 100'000 + 1) * 0x9e3779b97f4a7c15u, true);
  }
  BOOST_REQUIRE(fed.found.has_value());
  BOOST_TEST(fed.found->calls == 100'000u);
  // The place of the last occurrence of a call may be lost, but never that of all.
  BOOST_TEST(fed.fed < 500'100u);
}

BOOST_AUTO_TEST_CASE(a_loop_without_a_wait_is_found_when_no_wait_has_come_for_long) {
  Fed fed;
  fed("s.")("abcd", 2499);
  BOOST_TEST(!fed.found);
  fed("abcd", 2);
  BOOST_REQUIRE(fed.found.has_value());
  BOOST_TEST((fed.found->calls == 4u && !fed.found->waits));
}

BOOST_AUTO_TEST_CASE(random_calls_have_no_period_and_take_bounded_memory) {
  std::mt19937_64 random(1);
  Fed fed;
  for (int i = 0; i < 3'000'000 && !fed.found; ++i) fed.one(random(), random() % 4 == 0);
  BOOST_TEST(!fed.found);
  BOOST_TEST(!fed.finder.nearest());
}

BOOST_AUTO_TEST_CASE(a_loop_is_found_after_more_calls_than_are_kept) {
  std::mt19937_64 random(1);
  Fed fed;
  for (int i = 0; i < 1'500'000; ++i) fed.one(random(), random() % 4 == 0);
  const std::uint64_t before = fed.fed;
  fed(".")("abc.", 9);
  BOOST_REQUIRE(fed.found.has_value());
  BOOST_TEST(fed.fed == before + 21);
}

BOOST_AUTO_TEST_CASE(the_nearest_candidate_says_where_it_broke) {
  Fed fed;
  fed("s.")("abc.", 4)("abx.")("q.r.")("abc.", 2);
  BOOST_REQUIRE(!fed.found);
  const auto nearest = fed.finder.nearest();
  BOOST_REQUIRE(nearest.has_value());
  BOOST_TEST(nearest->calls == 4u);
  BOOST_TEST(nearest->repeats == 4u);
  BOOST_TEST(nearest->at == 2u);
  BOOST_TEST(nearest->got == 20u);
  BOOST_TEST(nearest->expected == 16u);
  BOOST_TEST(!nearest->lasts);
}

BOOST_AUTO_TEST_CASE(a_loop_that_ends_too_early_is_a_candidate) {
  Fed fed;
  fed("s.")("abc.", 3);
  const auto nearest = fed.finder.nearest();
  BOOST_REQUIRE(nearest.has_value());
  BOOST_TEST((nearest->calls == 4u && nearest->lasts));
  Fed without_wait;
  without_wait("abc", 50);
  BOOST_REQUIRE(without_wait.finder.nearest().has_value());
  BOOST_TEST(without_wait.finder.nearest()->calls == 3u);
  BOOST_TEST(without_wait.finder.nearest()->repeats == 50u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(long_iterations)

/// Makes `calls` calls, the last of them a wait; each iteration is the same.
void iterate_long(FakeApplication& app, std::uint64_t calls) {
  for (std::uint64_t i = 1; i < calls; ++i) app.memset(device_in, 4 * i);
  app.synchronize();
}

/// Returns how many times it repeated before it was found; 0: not found in 30 times.
int repetitions_needed(ReadyApplication& app, std::uint64_t calls) {
  for (int i = 1; i <= 30; ++i) {
    iterate_long(app, calls);
    if (app.stage == ListeningStage::confirm) return i;
  }
  return 0;
}

BOOST_AUTO_TEST_CASE(of_ten_thousand_calls_five_repetitions_are_enough) {
  ReadyApplication app;
  BOOST_TEST(repetitions_needed(app, 10'000) == 5);
}

BOOST_AUTO_TEST_CASE(longer_ones_are_found_when_they_have_repeated_as_often_once_more) {
  ReadyApplication app;
  BOOST_TEST(repetitions_needed(app, 30'000) == 8);
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST((recording.found == Found::repeats));
  BOOST_TEST(recording.calls.size() == 30'000u);
  BOOST_TEST((recording.calls.back().kind == CallKind::synchronize_stream));
}

BOOST_AUTO_TEST_CASE(one_that_ends_too_soon_is_told_how_often_it_has_to_repeat) {
  ReadyApplication app;
  for (int i = 0; i < 6; ++i) iterate_long(app, 30'000);
  BOOST_TEST(app.recorder.recording().why_none ==
             "30000 calls repeat, and that many must repeat 10 times");
}

BOOST_AUTO_TEST_CASE(of_one_that_is_too_long_to_keep_it_is_said) {
  ReadyApplication app;
  BOOST_TEST(repetitions_needed(app, 130'000) == 0);
  const std::string why = app.recorder.recording().why_none;
  BOOST_TEST(why == "an iteration of 130000 calls repeats, but 600000 calls are kept at most");
}

/// Two calls, again and again without a wait, and then a slow wait.
void run_ahead(FakeApplication& app, int times, double wait_us) {
  for (int i = 0; i < times; ++i) {
    app.memset(device_out, 4096);
    app.launch(10, {device_out, device_in, 0, 0, 3, 0});
  }
  app.call_us = wait_us;
  app.synchronize();
  app.call_us = 2;
}

BOOST_AUTO_TEST_CASE(without_an_iteration_the_slowest_loop_without_a_wait_is_shown_with_its_wait) {
  ReadyApplication app;
  run_ahead(app, 40, 5000);
  app.launch(11, {device_out, device_in, 0, 0, 3, 0});
  run_ahead(app, 60, 100);
  app.synchronize();
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST((recording.found == Found::none));
  BOOST_TEST(recording.iterations == 40u);
  BOOST_REQUIRE(recording.calls.size() == 81u);
  BOOST_TEST((recording.calls.front().kind == CallKind::memset));
  BOOST_TEST(recording.calls.back().host_us == 5000);
  BOOST_TEST(recording.why_none ==
             "2 calls repeat 40 times, but none waits: without a wait, 10000 calls are needed");
}

BOOST_AUTO_TEST_CASE(a_loop_within_one_that_repeats_too_seldom_comes_before_frees_at_the_end) {
  ReadyApplication app;
  for (int level = 0; level < 3; ++level) {
    app.memset(device_out, 4096);
    for (int i = 0; i < 100; ++i) app.launch(10, {device_out, device_in, 0, 0, 3, 0});
  }
  app.synchronize();
  app.call_us = 100;
  for (int i = 0; i < 22; ++i) app.free(device_in + 4096 * i);
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST(recording.calls.size() == 100u);
  BOOST_TEST((recording.calls.front().kind == CallKind::kernel));
  BOOST_TEST(recording.why_none ==
             "one call repeats 100 times, but never waits: without a wait, 10000 calls are needed");
}

BOOST_AUTO_TEST_CASE(a_loop_of_few_calls_is_not_worth_showing) {
  ReadyApplication app;
  run_ahead(app, 9, 5000);
  BOOST_TEST(app.recorder.recording().iterations == 0u);
  BOOST_TEST(app.recorder.recording().calls.size() == 25u);
}

BOOST_AUTO_TEST_SUITE_END()
