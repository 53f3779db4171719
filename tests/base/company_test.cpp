// Processes and threads that work at the same time.
#include "common/base/system/company.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "tests/framework.hpp"

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
        mine.done(step);
        while (!mine.all_done(step)) std::this_thread::yield();
      }
    });
  }
  for (std::thread& one : threads) one.join();
  BOOST_TEST(!early);
}

BOOST_AUTO_TEST_CASE(others_work_until_they_have_timed_the_step_or_left) {
  Company company(3);
  Company one(company.file(), 3, 0), two(company.file(), 3, 1);
  const auto fail = [] { throw std::runtime_error("waits"); };
  BOOST_CHECK_THROW(one.begin(1, fail), std::runtime_error);
  company.leaves(2);
  two.timed(1);
  one.begin(1, fail);
  BOOST_TEST(one.others_work(1));  // this one does, too
  one.timed(1);
  BOOST_TEST(!one.others_work(1));
  one.done(1);
  BOOST_TEST(!one.all_done(1));
  two.done(1);
  BOOST_TEST(one.all_done(1));
  BOOST_CHECK_THROW(one.begin(2, fail), std::runtime_error);
  BOOST_TEST(one.others_work(2));
  BOOST_CHECK_THROW(two.begin(5, fail), std::runtime_error);  // it skipped steps
  one.begin(3, fail);
  one.timed(3);
  BOOST_TEST(!one.others_work(3));
  company.leaves(1);
  one.begin(9, fail);
}

BOOST_AUTO_TEST_CASE(the_first_end_of_a_step_counts) {
  Company company(2);
  Company one(company.file(), 2, 0), two(company.file(), 2, 1);
  for (const bool first : {true, false}) {
    const std::uint64_t step = first ? 1 : 2;
    one.done(step);
    two.done(step, first);
    two.done(step, !first);
    two.timed(step);  // is not taken back
    BOOST_TEST(one.all_done(step));
    BOOST_TEST(one.all_took_part(step) == first);
  }
  one.done(3);
  two.done(3);
  company.leaves(1);  // after it took part
  BOOST_TEST(one.all_took_part(3));
}

constexpr std::uint32_t members = 3, whole = 3;
constexpr std::uint64_t steps = 300, killed_in = 200;

/// Returns how many statements a member makes in a step before it fails; `whole` if it does not.
/// The last member never fails, but ends. The others meet each other's failures in each place.
std::uint32_t stated(std::uint32_t member, std::uint64_t step) {
  if (member == 2) return step == killed_in ? 2 : whole;
  return static_cast<std::uint32_t>(member == 0 ? step % 4 : step / 4 % 4);
}

/// Goes through all steps as a member. Returns false if it was wrong about who took part.
bool goes_through(Company& mine, std::uint32_t member) {
  bool right = true;
  for (std::uint64_t step = 1; step <= steps; ++step) {
    const std::uint32_t place = stated(member, step);
    if (place > 0) mine.begin(step, std::this_thread::yield);
    if (place > 1) {
      mine.timed(step);
      while (mine.others_work(step)) std::this_thread::yield();
    }
    if (member == 2 && step == killed_in) return right;
    mine.done(step, place == whole);
    while (!mine.all_done(step)) std::this_thread::yield();
    bool all = step < killed_in;
    for (std::uint32_t i = 0; i < members; ++i) all = all && stated(i, step) == whole;
    right = right && mine.all_took_part(step) == all;
    mine.done(step, false);  // is always said again
  }
  return right;
}

BOOST_AUTO_TEST_CASE(threads_that_fail_or_end_keep_nobody_and_do_not_count,
                     *boost::unit_test::timeout(60)) {
  Company company(members);
  std::array<bool, members> right{};
  std::vector<std::thread> threads;
  for (std::uint32_t member = 0; member < members; ++member) {
    threads.emplace_back([&, member] {
      Company mine(company.file(), members, member);
      right[member] = goes_through(mine, member);
      company.leaves(member);
    });
  }
  for (std::thread& one : threads) one.join();
  for (const bool one : right) BOOST_TEST(one);
}

BOOST_AUTO_TEST_CASE(processes_that_fail_or_are_killed_keep_nobody_and_do_not_count) {
  Company company(members);
  for (std::uint32_t member = 0; member < members; ++member) {
    if (fork() != 0) continue;
    alarm(60);
    Company mine(company.file(), members, member);
    const bool right = goes_through(mine, member);
    if (member == 2) raise(SIGKILL);
    _exit(right ? 0 : 1);
  }
  int killed = 0, right = 0;
  for (std::uint32_t member = 0; member < members; ++member) {
    int status = 0;
    wait(&status);
    right += WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!WIFSIGNALED(status)) continue;
    killed += WTERMSIG(status) == SIGKILL;
    company.leaves(2);
  }
  BOOST_TEST(killed == 1);
  BOOST_TEST(right == 2);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace trilane
