// Work on host data by all cores.
#include "common/model/workload/parallel.hpp"

#include <atomic>

#include "common/base/console/interrupt.hpp"
#include "tests/framework.hpp"

BOOST_AUTO_TEST_SUITE(parallel)

BOOST_AUTO_TEST_CASE(every_item_is_worked_on_once) {
  for (const std::size_t items : {1u, 2u, 7u, 64u, 1001u}) {
    for (const std::size_t least : {1u, 3u, 500u, 5000u}) {
      std::vector<std::atomic<int>> visits(items);
      std::atomic<bool> fit = true;
      in_parallel(items, least, [&](std::size_t first, std::size_t last) {
        if (first % least != 0 || last != std::min(items, first + least)) fit = false;
        for (std::size_t i = first; i < last; ++i) ++visits.at(i);
      });
      BOOST_TEST_CONTEXT(items << " items, " << least << " at a time") {
        for (const auto& count : visits) BOOST_TEST(count == 1);
        BOOST_TEST(fit);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(all_cores_work_on_what_is_long_enough) {
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  std::atomic<std::size_t> here = 0;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  in_parallel(cores, 1, [&](std::size_t, std::size_t) {
    ++here;
    while (here < cores && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  });
  BOOST_TEST(here == cores);  // none returned before all had begun
  BOOST_TEST((std::chrono::steady_clock::now() < end));
}

BOOST_AUTO_TEST_CASE(what_is_short_stays_in_the_callers_thread) {
  std::thread::id worked;
  in_parallel(10, 100, [&](std::size_t, std::size_t) { worked = std::this_thread::get_id(); });
  BOOST_TEST((worked == std::this_thread::get_id()));
}

BOOST_AUTO_TEST_CASE(nothing_to_do_is_not_done) {
  in_parallel(0, 1, [](std::size_t, std::size_t) { BOOST_ERROR("called"); });
}

BOOST_AUTO_TEST_CASE(an_exception_ends_the_work_and_arrives) {
  std::atomic<std::size_t> done = 0;
  const auto work = [&](std::size_t first, std::size_t last) {
    if (first == 3) throw std::runtime_error("the fourth");
    done += last - first;
  };
  BOOST_CHECK_THROW(in_parallel(1'000'000, 1, work), std::runtime_error);
  BOOST_TEST(done < 1'000'000u);
}

BOOST_AUTO_TEST_CASE(a_signal_ends_the_work) {
  const InterruptGuard guard;
  std::atomic<std::size_t> done = 0;
  const auto work = [&](std::size_t, std::size_t) {
    if (++done == 1) raise(SIGTERM);
  };
  BOOST_CHECK_THROW(in_parallel(1'000'000, 1, work), Interrupted);
  BOOST_TEST(done < 1'000'000u);
}

BOOST_AUTO_TEST_SUITE_END()
