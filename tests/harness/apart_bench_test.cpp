// A bench whose variants are elsewhere: what is asked arrives, what fails fails alone.
#include "common/harness/apart/apart_bench.hpp"

#include <sys/socket.h>

#include <boost/test/unit_test.hpp>
#include <list>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "common/harness/apart/serve.hpp"
#include "common/text/exit_code.hpp"
#include "tests/harness/fake_bench.hpp"

using namespace trilane;

namespace {

/// Calls the variants of one bench through, each of which a thread serves.
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
    return ApartBench(workers, workload, rounds, [this] { ++drawn; });
  }

  Workers workers;
  std::list<FakeBench*> benches;  // of the latest workload; asked only between calls
  std::vector<std::thread> threads;
  std::function<void(double, std::uint32_t, std::uint32_t)> on_open;
  std::function<void(double, FakeBench&)> on_made;
  int drawn = 0;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(variants_in_processes_of_their_own)

BOOST_AUTO_TEST_CASE(each_opens_the_workload_with_its_number_and_rounds) {
  Fixture fixture({10, 20});
  std::vector<std::pair<std::uint32_t, std::uint32_t>> opened;
  std::mutex mutex;
  fixture.on_open = [&](double, std::uint32_t workload, std::uint32_t rounds) {
    const std::scoped_lock lock(mutex);
    opened.emplace_back(workload, rounds);
  };
  fixture.bench(3, 7);
  BOOST_TEST((opened == std::vector<std::pair<std::uint32_t, std::uint32_t>>(2, {3, 7})));
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
  BOOST_TEST(bench.evidence(0).at(0).value == 4u);
  BOOST_TEST(bench.tear_down(1) == 7);
  const FakeBench& asked = *fixture.benches.back();
  BOOST_TEST(asked.count("pass", 0) == 4u);
  BOOST_TEST((asked.batches == std::set{2u}));
  BOOST_TEST(fixture.benches.front()->count("pass", 0) == 0u);
}

BOOST_AUTO_TEST_CASE(input_is_drawn_once_and_taken_by_all) {
  Fixture fixture({10, 20});
  ApartBench bench = fixture.bench();
  bench.new_input();
  BOOST_TEST(fixture.drawn == 1);
  for (const FakeBench* of : fixture.benches) BOOST_TEST(of->count("input", 99) == 1u);
}

BOOST_AUTO_TEST_CASE(what_a_variant_could_not_open_fails_its_set_up_and_no_other) {
  Fixture fixture({10, 20, 30});
  fixture.on_open = [](double us, std::uint32_t, std::uint32_t) {
    if (us == 10) throw OutOfMemory("no memory for ten");
    if (us == 20) throw std::runtime_error("no luck");
  };
  ApartBench bench = fixture.bench();
  BOOST_CHECK_EXCEPTION(bench.set_up(0), OutOfMemory, [](const OutOfMemory& error) {
    return error.what() == std::string("no memory for ten");
  });
  BOOST_CHECK_THROW(bench.set_up(1), std::runtime_error);
  BOOST_TEST(bench.set_up(2) == 5);
}

BOOST_AUTO_TEST_CASE(a_comparison_goes_on_without_a_process_that_ended) {
  Fixture fixture({1000, 20, 30});
  ApartBench bench = fixture.bench();
  Comparison comparison = comparison_of(3);
  shutdown(fixture.workers.channels[1].socket(), SHUT_RDWR);
  run_comparison(bench, comparison, {.seconds = 1e-3, .apart = true}, {});
  BOOST_TEST((comparison.measurements[1].status == Status::failed));
  BOOST_TEST(comparison.measurements[1].message ==
             "the process of this variant was ended by signal 9");
  BOOST_TEST((comparison.measurements[0].status == Status::ok));
  BOOST_TEST(comparison.measurements[2].ratio.has_value());
  BOOST_TEST(comparison.stopped == "time");
}

BOOST_AUTO_TEST_CASE(wrong_data_takes_only_its_variant_out) {
  Fixture fixture({1000, 20});
  fixture.on_made = [](double us, FakeBench& made) {
    if (us == 20) made.wrong = [](std::size_t) { return std::string("wrong data"); };
  };
  ApartBench bench = fixture.bench();
  Comparison comparison = comparison_of(2);
  run_comparison(bench, comparison, {.seconds = 1e-3, .apart = true}, {});
  BOOST_TEST((comparison.measurements[1].status == Status::failed));
  BOOST_TEST(comparison.measurements[1].message == "wrong data");
  BOOST_TEST((comparison.measurements[0].status == Status::ok));
}

BOOST_AUTO_TEST_SUITE_END()
