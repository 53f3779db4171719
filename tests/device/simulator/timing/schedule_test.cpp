#include "common/device/simulator/timing/schedule.hpp"

#include "tests/device/simulator/machine/operations.hpp"

namespace trilane::simulator {

BOOST_AUTO_TEST_SUITE(schedule)

namespace {

using Numbers = std::vector<std::uint64_t>;
using Edges = std::vector<std::pair<std::size_t, std::size_t>>;

/// Chooses as scripted, otherwise the first, and keeps the numbers of alternatives.
class Script : public Draw {
 public:
  explicit Script(std::vector<std::size_t> choices = {}) : choices_(std::move(choices)) {}
  std::size_t next_operation(std::size_t count) override {
    counts.push_back(count);
    return counts.size() <= choices_.size() ? choices_[counts.size() - 1] : 0;
  }
  bool may() override { return false; }

  std::vector<std::size_t> counts;

 private:
  std::vector<std::size_t> choices_;
};

/// Operations 1 to `count`; the second of each edge waits for the first.
struct Setup {
  Setup(std::size_t count, const Edges& edges) {
    for (std::size_t i = 1; i <= count; ++i) all.push_back(make_operation(i));
    for (const auto& [first, second] : edges) all[second - 1]->after.push_back(all[first - 1]);
    for (const OperationPtr& operation : all) schedule.add(operation);
  }

  Numbers ran;
  Frontier all;
  Schedule schedule{[this](Operation& operation) { ran.push_back(operation.number); }};
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_chain_runs_in_its_order_and_without_a_draw) {
  Setup setup(4, {{1, 2}, {2, 3}, {3, 4}});
  Script script;
  setup.schedule.run_until({setup.all[3]}, script);
  BOOST_TEST(setup.ran == (Numbers{1, 2, 3, 4}), boost::test_tools::per_element());
  BOOST_TEST(script.counts.empty());
  BOOST_TEST(!setup.schedule.step(script));  // nothing is left
}

BOOST_AUTO_TEST_CASE(the_draw_chooses_among_what_is_ready_by_number) {
  Setup setup(5, {{2, 1}, {2, 4}});
  Script script({1, 0, 2});  // of 2, 3 and 5; of 2 and 5; of 1, 4 and 5
  setup.schedule.run_until(setup.all, script);
  BOOST_TEST(setup.ran == (Numbers{3, 2, 5, 1, 4}), boost::test_tools::per_element());
  BOOST_TEST(script.counts == (std::vector<std::size_t>{3, 2, 3, 2}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_same_seed_gives_the_same_order_and_another_one_another) {
  const auto order_of = [](std::uint64_t seed) {
    Setup setup(30, {{1, 30}});
    RandomDraw draw(seed);
    setup.schedule.run_until(setup.all, draw);
    return setup.ran;
  };
  BOOST_TEST(order_of(1) == order_of(1), boost::test_tools::per_element());
  BOOST_TEST((order_of(1) != order_of(2)));
}

BOOST_AUTO_TEST_CASE(it_stops_when_the_targets_are_done_and_keeps_the_rest) {
  Setup setup(4, {{1, 2}, {3, 4}});
  Script script({1});
  setup.schedule.run_until({setup.all[0]}, script);
  BOOST_TEST(setup.ran == (Numbers{3, 1}), boost::test_tools::per_element());
  setup.schedule.run_until({setup.all[0]}, script);
  BOOST_TEST(setup.ran.size() == 2u);
  setup.schedule.run_until(setup.all, script);
  BOOST_TEST(setup.ran == (Numbers{3, 1, 2, 4}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_step_runs_one_operation_if_there_is_one) {
  Setup setup(2, {{1, 2}});
  Script script;
  BOOST_TEST(setup.schedule.step(script));
  BOOST_TEST(setup.all[0]->done);
  BOOST_TEST(!setup.all[1]->done);
  BOOST_TEST(setup.schedule.step(script));
  BOOST_TEST(!setup.schedule.step(script));
}

BOOST_AUTO_TEST_CASE(a_step_may_be_kept_from_some_operations) {
  Setup setup(5, {{1, 5}});
  Script script({1});
  const auto is_even = [](const Operation& operation) { return operation.number % 2 == 0; };
  BOOST_TEST(setup.schedule.step(script, is_even));
  BOOST_TEST(setup.schedule.step(script, is_even));
  BOOST_TEST(!setup.schedule.step(script, is_even));
  BOOST_TEST(setup.ran == (Numbers{4, 2}), boost::test_tools::per_element());
  BOOST_TEST(script.counts == (std::vector<std::size_t>{2}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_operation_may_come_after_what_is_done) {
  Setup setup(1, {});
  Script script;
  setup.schedule.run_until(setup.all, script);
  setup.schedule.add(make_operation(2, setup.all));
  BOOST_TEST(setup.schedule.step(script));
  BOOST_TEST(setup.ran == (Numbers{1, 2}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_an_operation_throws_rises_and_leaves_it_done) {
  Schedule schedule([](Operation& operation) {
    if (operation.number == 1) throw std::runtime_error("an error");
  });
  const OperationPtr first = make_operation(1), second = make_operation(2, {first});
  schedule.add(first);
  schedule.add(second);
  Script script;
  BOOST_CHECK_THROW(schedule.run_until({second}, script), std::runtime_error);
  BOOST_TEST(first->done);
  schedule.run_until({second}, script);
  BOOST_TEST(second->done);
}

BOOST_AUTO_TEST_CASE(waiting_for_what_was_never_added_is_an_error_and_no_endless_loop) {
  Schedule schedule([](Operation&) {});
  Script script;
  BOOST_CHECK_THROW(schedule.run_until({make_operation(1)}, script), std::logic_error);
}

BOOST_AUTO_TEST_CASE(what_is_done_keeps_nothing_alive) {
  Schedule schedule([](Operation&) {});
  OperationPtr last = make_operation(1);
  const std::weak_ptr<Operation> first = last;
  schedule.add(last);
  for (std::uint64_t i = 2; i <= 10; ++i) {
    last = make_operation(i, {last});
    schedule.add(last);
  }
  Script script;
  schedule.run_until({last}, script);
  BOOST_TEST(first.expired());
}

BOOST_AUTO_TEST_CASE(a_long_chain_is_run_or_given_up_without_deep_recursion) {
  for (const bool run : {true, false}) {
    Schedule schedule([](Operation&) {});
    OperationPtr last = make_operation(1);
    schedule.add(last);
    for (std::uint64_t i = 2; i <= 200000; ++i) {
      last = make_operation(i, {last});
      schedule.add(last);
    }
    Script script;
    if (run) schedule.run_until({last}, script);
    BOOST_TEST(last->done == run);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator
