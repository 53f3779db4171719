#include "common/device/simulator/hazards/order.hpp"

#include "common/model/workload/random.hpp"
#include "tests/device/simulator/machine/operations.hpp"

namespace trilane::simulator {

BOOST_AUTO_TEST_SUITE(order)

namespace {

OperationPtr placed(OperationOrder& order, Frontier after = {}) {
  const OperationPtr operation = make_operation(0, std::move(after));
  order.place(*operation);
  return operation;
}

bool before(const OperationPtr& first, const OperationPtr& second) {
  return OperationOrder::before(first->position, second->position);
}

/// The relation by its definition: given pairs, and what follows from them.
class Reachability {
 public:
  /// Adds an operation after those with these indices, and after all their predecessors.
  void add(const std::vector<std::size_t>& after) {
    std::vector<bool> row(rows_.size() + 1, false);
    for (const std::size_t earlier : after) {
      row[earlier] = true;
      for (std::size_t i = 0; i < earlier; ++i) row[i] = row[i] || rows_[earlier][i];
    }
    rows_.push_back(row);
  }
  bool before(std::size_t first, std::size_t second) const {
    return first < second && rows_[second][first];
  }

 private:
  std::vector<std::vector<bool>> rows_;  // [second][first]
};

}  // namespace

BOOST_AUTO_TEST_CASE(an_operation_comes_after_what_it_waits_for_and_what_that_waits_for) {
  OperationOrder order;
  const OperationPtr first = placed(order), second = placed(order, {first});
  const OperationPtr third = placed(order, {second}), other = placed(order);
  BOOST_TEST(before(first, third));
  BOOST_TEST(!before(third, first));
  BOOST_TEST(!before(first, other));
  BOOST_TEST(!before(other, third));
}

BOOST_AUTO_TEST_CASE(no_operation_comes_before_itself) {
  OperationOrder order;
  const OperationPtr operation = placed(order);
  BOOST_TEST(!before(operation, operation));
}

BOOST_AUTO_TEST_CASE(what_the_host_waited_for_comes_before_all_that_it_issues_later) {
  OperationOrder order;
  const OperationPtr first = placed(order), second = placed(order, {first});
  const OperationPtr third = placed(order, {second}), unordered = placed(order);
  order.host_waited_for(*second);
  BOOST_TEST(order.host_knows(first->position));
  BOOST_TEST(order.host_knows(second->position));
  BOOST_TEST(!order.host_knows(third->position));
  BOOST_TEST(!before(second, unordered));
  const OperationPtr later = placed(order);
  BOOST_TEST(before(first, later));
  BOOST_TEST(before(second, later));
  BOOST_TEST(!before(third, later));
}

BOOST_AUTO_TEST_CASE(clocks_stay_short_over_thousands_of_streams_that_the_host_waits_for) {
  OperationOrder order;
  OperationPtr last;
  for (int stream = 0; stream < 3000; ++stream) {
    last = placed(order, {placed(order), placed(order)});
    order.host_waited_for(*last);
  }
  BOOST_TEST(last->position.clock.size() <= 2u);
}

BOOST_AUTO_TEST_CASE(clocks_stay_short_over_forks_and_joins_that_nobody_waits_for) {
  OperationOrder order;
  OperationPtr origin = placed(order);
  for (int pass = 0; pass < 1000; ++pass) {
    Frontier lanes;
    for (int lane = 0; lane < 4; ++lane) lanes.push_back(placed(order, {placed(order, {origin})}));
    origin = placed(order, lanes);
  }
  BOOST_TEST(origin->position.clock.size() == 4u);
}

BOOST_AUTO_TEST_CASE(it_is_the_relation_that_reachability_defines) {
  Random random(1);
  for (int round = 0; round < 60; ++round) {
    OperationOrder order;
    Reachability truth;
    Frontier all;
    std::vector<std::size_t> host;  // indices that it has waited for
    const std::size_t density = 1 + random.below(4);
    for (std::size_t i = 0; i < 60; ++i) {
      std::vector<std::size_t> after;
      for (std::size_t n = random.below(density + 1); n > 0 && i > 0; --n) {
        after.push_back(i - 1 - random.below(std::min<std::size_t>(i, 12)));
      }
      Frontier frontier;
      for (const std::size_t earlier : after) merge(frontier, {all[earlier]});
      all.push_back(placed(order, frontier));
      after.insert(after.end(), host.begin(), host.end());
      truth.add(after);
      if (random.below(8) == 0) {
        host.push_back(random.below(i + 1));
        order.host_waited_for(*all[host.back()]);
      }
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t j = 0; j < all.size(); ++j) {
        BOOST_TEST_REQUIRE(before(all[i], all[j]) == truth.before(i, j));
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator
