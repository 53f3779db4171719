// Processes that work at the same time: here, threads.
#include "common/base/system/company.hpp"

#include "tests/framework.hpp"

#include <atomic>
#include <thread>

namespace trilane {
namespace {

BOOST_AUTO_TEST_SUITE(company)

BOOST_AUTO_TEST_CASE(a_step_begins_when_all_have_reached_it) {
  constexpr std::uint32_t members = 3;
  constexpr std::uint64_t steps = 200;
  Company company(members);
  std::array<std::atomic<std::uint64_t>, members> at{};
  std::atomic<bool> early = false;
  std::vector<std::thread> threads;
  for (std::uint32_t number = 0; number < members; ++number) {
    threads.emplace_back([&, number] {
      Company mine(company.file(), members, number);
      for (std::uint64_t step = 1; step <= steps; ++step) {
        at[number] = step;
        mine.begin(step, std::this_thread::yield);
        for (const auto& other : at) early = early || other < step;
        mine.complete(step);
      }
    });
  }
  for (std::thread& one : threads) one.join();
  BOOST_TEST(!early);
}

BOOST_AUTO_TEST_CASE(others_work_until_they_have_completed_the_step_or_left) {
  Company company(3);
  Company one(company.file(), 3, 0), two(company.file(), 3, 1);
  const auto fail = [] { throw std::runtime_error("waits"); };
  BOOST_CHECK_THROW(one.begin(1, fail), std::runtime_error);
  company.leaves(2);
  two.complete(1);
  one.begin(1, fail);
  one.complete(1);
  BOOST_TEST(!one.others_work(1));
  BOOST_CHECK_THROW(one.begin(2, fail), std::runtime_error);
  BOOST_TEST(one.others_work(2));
  BOOST_CHECK_THROW(two.begin(5, fail), std::runtime_error);  // it skipped steps
  one.begin(3, fail);
  one.complete(3);
  BOOST_TEST(!one.others_work(3));
  company.leaves(1);
  one.begin(9, fail);
}

BOOST_AUTO_TEST_CASE(a_step_counts_only_if_all_took_part) {
  Company company(2);
  Company one(company.file(), 2, 0), two(company.file(), 2, 1);
  const auto step = [&](std::uint64_t number, bool takes_part) {
    one.complete(number);
    two.complete(number, takes_part);
    two.complete(number, !takes_part);  // it is completed
    const bool all = one.all_took_part(number);
    BOOST_TEST(two.all_took_part(number) == all);
    return all;
  };
  BOOST_TEST(step(1, true));
  BOOST_TEST(!step(2, false));
  two.complete(3, false);  // ahead of the other
  BOOST_TEST(!one.all_took_part(2));
  one.complete(3);
  BOOST_TEST(!one.all_took_part(3));
  BOOST_TEST(step(4, true));
  company.leaves(1);
  BOOST_TEST(!one.all_took_part(4));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace trilane
