// A bench whose variants are elsewhere: requests arrive, and a failure affects only one variant.
#include "common/measure/harness/apart_bench.hpp"

#include <sys/socket.h>

#include <list>

#include "common/base/console/interrupt.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/measure/harness/measure_alone.hpp"
#include "tests/base/refusal.hpp"
#include "tests/measure/harness/fake_bench.hpp"

BOOST_AUTO_TEST_SUITE(variants_in_processes_of_their_own)

/// Calls the variants of one bench, each served by a thread.
struct Fixture {
  explicit Fixture(std::vector<double> passes_us) {
    for (const double us : passes_us) {
      auto [ours, theirs] = make_channels();
      workers.channels.push_back(std::move(ours));
      benches.push_back(nullptr);
      auto& place = benches.back();
      threads.emplace_back([this, us, &place, channel = std::move(theirs)]() mutable {
        serve(channel, [&](std::uint32_t workload, std::uint32_t rounds) {
          if (on_open) on_open(us, workload, rounds);
          auto bench = std::make_unique<FakeBench>(std::vector{us});
          place = bench.get();
          if (on_made) on_made(us, *bench);
          return bench;
        });
      });
    }
    workers.how_it_ended = [](std::size_t) { return "was ended by signal 9"; };
  }
  ~Fixture() {
    workers.channels.clear();
    for (std::thread& thread : threads) thread.join();
  }

  ApartBench bench(std::uint32_t workload = 0, std::uint32_t rounds = 1) {
    return ApartBench(workers, workload, rounds, [this] {
      ++drawn;
      on_draw();
    });
  }

  /// Measures all of them, one after the other, each for 80 ms.
  void measure(Comparison& comparison) {
    ApartBench all = bench();
    for (std::size_t v = 0; v < comparison.measurements.size(); ++v) {
      measure_alone(all, comparison, v, 0.08, listener);
    }
    conclude(comparison, listener);
  }

  HarnessListener listener;
  Workers workers;
  std::list<FakeBench*> benches;  // of the latest workload; asked only between calls
  std::vector<std::thread> threads;
  std::function<void(double, std::uint32_t, std::uint32_t)> on_open;
  std::function<void(double, FakeBench&)> on_made;
  int drawn = 0;
  std::function<void()> on_draw = [] {};
};

BOOST_AUTO_TEST_CASE(a_process_opens_the_workload_with_its_number_and_rounds_when_it_is_set_up) {
  Fixture fixture({10, 20});
  std::vector<std::tuple<double, std::uint32_t, std::uint32_t>> opened;
  fixture.on_open = [&](double us, std::uint32_t workload, std::uint32_t rounds) {
    opened.emplace_back(us, workload, rounds);
  };
  ApartBench bench = fixture.bench(3, 7);
  BOOST_TEST(opened.empty());
  bench.set_up(1);
  BOOST_TEST((opened == std::vector{std::tuple(20.0, 3u, 7u)}));
}

BOOST_AUTO_TEST_CASE(processes_that_have_started_have_opened_nothing) {
  Fixture fixture({10, 20, 30});
  bool any = false;
  fixture.on_open = [&](auto...) { any = true; };
  shutdown(fixture.workers.channels[1].socket(), SHUT_RDWR);  // nor is one awaited that is gone
  wait_for_start(fixture.workers);
  BOOST_TEST(!any);
  BOOST_TEST(fixture.bench().set_up(2) == 5);
  BOOST_TEST(any);
}

BOOST_AUTO_TEST_CASE(a_turn_comes_back_with_all_its_samples) {
  Fixture fixture({10, 20});
  ApartBench bench = fixture.bench();
  BOOST_TEST(bench.set_up(1) == 5);
  BOOST_TEST(bench.pass(1) == 20);
  const auto samples = bench.turn(1, {.untimed = 3, .samples = 4, .batch = 2});
  BOOST_TEST_REQUIRE(samples.size() == 4u);
  BOOST_TEST(samples[0].host_us == 8);
  BOOST_TEST(samples[3].wall_us >= 20);
  BOOST_TEST(bench.evidence(1).at(0).value == 4u);
  BOOST_TEST(bench.tear_down(1) == 7);
  const FakeBench& asked = *fixture.benches.back();
  BOOST_TEST(asked.count("pass", 0) == 4u);
  BOOST_TEST((asked.batches == std::set{2u}));
  BOOST_TEST(fixture.benches.front() == nullptr);  // was never asked
}

BOOST_AUTO_TEST_CASE(what_a_variant_could_not_open_fails_its_set_up_and_no_other) {
  Fixture fixture({10, 20, 30});
  fixture.on_open = [](double us, std::uint32_t, std::uint32_t) {
    if (us == 10) throw OutOfMemory("no memory for ten");
    if (us == 20) throw std::runtime_error("no luck");
  };
  ApartBench bench = fixture.bench();
  BOOST_TEST(refusal<OutOfMemory>([&] { bench.set_up(0); }) == "no memory for ten");
  BOOST_CHECK_THROW(bench.set_up(1), std::runtime_error);
  BOOST_TEST(bench.set_up(2) == 5);
}

BOOST_AUTO_TEST_CASE(a_variant_alone_is_checked_on_new_input_before_and_after_its_turn) {
  Fixture fixture({400});
  Comparison comparison = comparison_of(1);
  fixture.measure(comparison);
  const Measurement& m = comparison.measurements[0];
  BOOST_TEST((m.status == Status::ok));
  BOOST_TEST(m.checked_passes == 2u);
  BOOST_TEST(fixture.drawn == 2);
  BOOST_TEST(m.setup_us == 5);
  BOOST_TEST(m.first_pass_us == 400);
  BOOST_TEST(m.teardown_us == 7);
  BOOST_TEST(m.samples.size() == 75u);
  BOOST_TEST(m.evidence.at(0).value == 4u);
  std::vector<std::string> kinds;
  for (const auto& [what, variant] : fixture.benches.front()->calls) {
    if (kinds.empty() || kinds.back() != what) kinds.push_back(what);
  }
  const std::vector<std::string> wanted{"set up", "pass",   "check", "evidence", "pass",
                                        "sample", "device", "check", "tear down"};
  BOOST_TEST(kinds == wanted, boost::test_tools::per_element());
  BOOST_TEST(comparison.stopped == "time");
  BOOST_TEST(comparison.rounds == 1u);
}

BOOST_AUTO_TEST_CASE(a_comparison_goes_on_without_a_process_that_ended) {
  Fixture fixture({1000, 20, 30});
  Comparison comparison = comparison_of(3);
  shutdown(fixture.workers.channels[1].socket(), SHUT_RDWR);
  fixture.measure(comparison);
  BOOST_TEST((comparison.measurements[1].status == Status::failed));
  BOOST_TEST(comparison.measurements[1].message ==
             "the process of this variant was ended by signal 9");
  BOOST_TEST((comparison.measurements[0].status == Status::ok));
  BOOST_TEST((comparison.measurements[2].status == Status::ok));
  BOOST_TEST(comparison.measurements[2].wall.has_value());
  BOOST_TEST(comparison.stopped == "time");
}

BOOST_AUTO_TEST_CASE(wrong_data_takes_only_its_variant_out_and_it_is_torn_down) {
  Fixture fixture({1000, 20});
  fixture.on_made = [](double us, FakeBench& made) {
    if (us == 20) made.wrong = [](std::size_t) { return std::string("wrong data"); };
  };
  Comparison comparison = comparison_of(2);
  fixture.measure(comparison);
  BOOST_TEST((comparison.measurements[1].status == Status::failed));
  BOOST_TEST(comparison.measurements[1].message == "wrong data");
  BOOST_TEST(comparison.measurements[1].samples.empty());
  BOOST_TEST(comparison.measurements[1].teardown_us == 7);
  BOOST_TEST((comparison.measurements[0].status == Status::ok));
}

BOOST_AUTO_TEST_CASE(a_variant_that_goes_wrong_during_its_turn_fails_the_last_check) {
  Fixture fixture({1000});
  fixture.on_made = [](double, FakeBench& made) {
    made.wrong = [&made](std::size_t) {
      return made.count("sample", 0) > 0 ? std::string("late") : std::string();
    };
  };
  Comparison comparison = comparison_of(1);
  fixture.measure(comparison);
  BOOST_TEST((comparison.measurements[0].status == Status::failed));
  BOOST_TEST(comparison.measurements[0].message == "late");
  BOOST_TEST(comparison.stopped == "error");
}

BOOST_AUTO_TEST_CASE(after_an_interrupt_a_variant_was_not_run) {
  Fixture fixture({1000});
  fixture.listener.interrupted = [] { return true; };
  Comparison comparison = comparison_of(1);
  fixture.measure(comparison);
  BOOST_TEST((comparison.measurements[0].status == Status::not_run));
  BOOST_TEST(comparison.measurements[0].samples.empty());
  BOOST_TEST(comparison.stopped == "interrupted");
}

BOOST_AUTO_TEST_CASE(input_that_cannot_be_drawn_is_no_fault_of_a_variant) {
  Fixture fixture({1000});
  fixture.on_draw = [] { throw std::runtime_error("not deterministic"); };
  Comparison comparison = comparison_of(1);
  BOOST_CHECK_THROW(fixture.measure(comparison), std::runtime_error);
  BOOST_TEST((comparison.measurements[0].status == Status::ok));
  fixture.on_draw = [] { throw Interrupted(); };
  fixture.listener.interrupted = [] { return true; };
  fixture.measure(comparison);
  BOOST_TEST((comparison.measurements[0].status == Status::not_run));
}

BOOST_AUTO_TEST_CASE(a_long_turn_is_asked_for_in_parts_and_a_batch_of_long_passes_is_short) {
  Fixture fixture({1000, 30'000});
  Comparison comparison = comparison_of(2);
  comparison.batch = 10;
  ApartBench bench = fixture.bench();
  measure_alone(bench, comparison, 0, 0.42, fixture.listener);
  BOOST_TEST(comparison.batch == 10u);
  // 400 ms of samples that take 20 ms each, in parts of 100 ms.
  BOOST_TEST(comparison.measurements[0].samples.size() == 20u);
  const FakeBench& asked = *fixture.benches.front();
  std::size_t parts = 0;
  for (std::size_t i = 1; i < asked.calls.size(); ++i) {
    parts += asked.calls[i].first == "device" && asked.calls[i - 1].first == "sample" ? 1 : 0;
  }
  BOOST_TEST(parts == 4u);
  measure_alone(bench, comparison, 1, 0.42, fixture.listener);
  BOOST_TEST(comparison.batch == 1u);
}

BOOST_AUTO_TEST_CASE(only_the_first_part_of_a_turn_warms_up) {
  Fixture fixture({30'000});
  Comparison comparison = comparison_of(1);
  fixture.measure(comparison);
  BOOST_TEST(comparison.measurements[0].samples.size() == 2u);
  const FakeBench& asked = *fixture.benches.front();
  BOOST_TEST(asked.count("sample", 0) == 2u);  // each is a part
  BOOST_TEST(asked.count("pass", 0) == 3u);    // the first, one to know its length, one untimed
}

/// Measures a variant beside another GPU, which is done as soon as this one has timed its turn and
/// works on.
struct BesideAnother {
  BesideAnother() {
    const auto reached = [] { throw std::runtime_error("waits"); };
    BOOST_CHECK_THROW(other.begin(1, reached), std::runtime_error);
    bench.on_call = [this](const std::string& what, std::size_t) {
      const bool late = !m.samples.empty() && bench.count("sample", 0) > m.samples.size();
      const bool fails = what == fails_in && (late || what == "set up");
      if (late || fails) other.done(1, other_takes_part);
      if (fails) throw std::runtime_error("no luck");
    };
  }

  void measure() { measure_alone(bench, comparison, 0, 0.08, {}, {&mine, 1}); }

  Company company{2}, mine{company.file(), 2, 0}, other{company.file(), 2, 1};
  FakeBench bench{{400}};
  Comparison comparison = comparison_of(1);
  const Measurement& m = comparison.measurements[0];
  std::string fails_in;
  bool other_takes_part = true;
};

BOOST_AUTO_TEST_CASE(times_count_only_if_all_gpus_were_at_work, *boost::unit_test::timeout(60)) {
  for (const bool together : {true, false}) {
    BesideAnother gpu;
    gpu.other_takes_part = together;
    gpu.measure();
    BOOST_TEST(gpu.other.all_took_part(1) == together);
    BOOST_TEST(gpu.bench.count("sample", 0) > 75u);  // of its own turn
    BOOST_TEST(gpu.m.samples.size() == (together ? 75u : 0u));
    BOOST_TEST((gpu.m.status == (together ? Status::ok : Status::not_run)));
    if (!together) BOOST_TEST(gpu.m.message == "another GPU did not run it at the same time");
  }
}

BOOST_AUTO_TEST_CASE(a_gpu_that_fails_before_its_turn_or_after_it_did_not_take_part,
                     *boost::unit_test::timeout(60)) {
  for (const char* const call : {"set up", "sample", "check"}) {
    BOOST_TEST_CONTEXT(call) {
      BesideAnother gpu;
      gpu.fails_in = call;
      gpu.measure();
      BOOST_TEST(!gpu.other.all_took_part(1));
      if (gpu.fails_in != "set up") BOOST_TEST(gpu.bench.count("sample", 0) > 75u);
      BOOST_TEST((gpu.m.status == Status::failed));
      BOOST_TEST(gpu.m.message == "no luck");
    }
  }
}

BOOST_AUTO_TEST_CASE(each_has_its_turn_in_an_order_of_the_seed) {
  Comparison comparison = comparison_of(8);
  const auto one = order_of(comparison);
  BOOST_TEST(one == order_of(comparison), boost::test_tools::per_element());
  ++comparison.seed;
  BOOST_TEST((one != order_of(comparison)));
  BOOST_TEST(std::set(one.begin(), one.end()).size() == 8u);
}

BOOST_AUTO_TEST_SUITE_END()
