// Work on host data by all cores.
#include "common/workload/parallel.hpp"

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace trilane;

BOOST_AUTO_TEST_SUITE(parallel)

BOOST_AUTO_TEST_CASE(every_item_is_worked_on_once) {
  for (const std::size_t items : {1u, 2u, 7u, 64u, 1001u}) {
    for (const std::size_t least : {1u, 3u, 500u, 5000u}) {
      std::vector<std::atomic<int>> visits(items);
      std::atomic<std::size_t> ranges = 0, shortest = items;
      in_parallel(items, least, [&](std::size_t first, std::size_t last) {
        ++ranges;
        if (last - first < shortest) shortest = last - first;
        for (std::size_t i = first; i < last; ++i) ++visits.at(i);
      });
      BOOST_TEST_CONTEXT(items << " items, at least " << least) {
        for (const auto& count : visits) BOOST_TEST(count == 1);
        BOOST_TEST((ranges == 1u || shortest >= least));
        BOOST_TEST(ranges <= std::max(1u, std::thread::hardware_concurrency()));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(all_cores_work_on_what_is_long_enough) {
  std::mutex mutex;
  std::set<std::thread::id> threads;
  in_parallel(1'000'000, 1, [&](std::size_t, std::size_t) {
    const std::lock_guard lock(mutex);
    threads.insert(std::this_thread::get_id());
  });
  BOOST_TEST(threads.size() == std::max(1u, std::thread::hardware_concurrency()));
}

BOOST_AUTO_TEST_CASE(what_is_short_stays_in_the_callers_thread) {
  std::thread::id worked;
  in_parallel(10, 100, [&](std::size_t, std::size_t) { worked = std::this_thread::get_id(); });
  BOOST_TEST((worked == std::this_thread::get_id()));
}

BOOST_AUTO_TEST_CASE(nothing_to_do_is_an_empty_range) {
  std::size_t calls = 0;
  in_parallel(0, 1, [&](std::size_t first, std::size_t last) {
    ++calls;
    BOOST_TEST(first == last);
  });
  BOOST_TEST(calls == 1u);
}

BOOST_AUTO_TEST_CASE(an_exception_arrives_when_all_others_are_done) {
  std::atomic<std::size_t> done = 0;
  BOOST_CHECK_THROW(in_parallel(1000, 1,
                                [&](std::size_t first, std::size_t last) {
                                  if (first == 0) throw std::runtime_error("the first");
                                  done += last - first;
                                }),
                    std::runtime_error);
  const std::size_t ranges = std::max(1u, std::thread::hardware_concurrency());
  const std::size_t first_range = (1000 + ranges - 1) / ranges;
  BOOST_TEST(done == 1000 - first_range);
}

BOOST_AUTO_TEST_SUITE_END()
