// The walk over all choices meets every legal order exactly once.
#include "tests/device/simulator/timing/choices.hpp"

namespace trilane::simulator {

BOOST_AUTO_TEST_SUITE(choices)

namespace {

/// The predecessors of each operation; a linear extension is an order that respects them.
using Before = std::vector<std::vector<std::size_t>>;

bool is_legal(const std::string& order, const Before& before) {
  const auto place = [&](std::size_t operation) {
    return order.find(static_cast<char>('a' + operation));
  };
  for (std::size_t later = 0; later < before.size(); ++later) {
    for (const std::size_t earlier : before[later]) {
      if (place(earlier) >= place(later)) return false;
    }
  }
  return order.size() == before.size();
}

/// Runs them by a schedule with every sequence of choices.
std::multiset<std::string> orders_of(const Before& before) {
  std::multiset<std::string> orders;
  const auto choices = std::make_shared<Choices>();
  ChosenDraw draw(choices);
  do {
    std::string order;
    Schedule schedule(
        [&](Operation& operation) { order += static_cast<char>('a' + operation.number); });
    Frontier all;
    for (const std::vector<std::size_t>& earlier : before) {
      const auto operation = std::make_shared<Operation>();
      operation->number = all.size();
      for (const std::size_t index : earlier) operation->after.push_back(all[index]);
      all.push_back(operation);
    }
    for (const OperationPtr& operation : all) schedule.add(operation);
    schedule.run_until(all, draw);
    orders.insert(order);
  } while (choices->next());
  return orders;
}

}  // namespace

// The numbers of linear extensions are those of the literature: binomials and multinomials for
// chains, Euler's zigzag numbers, the hook length formula for grids and trees.
BOOST_AUTO_TEST_CASE(every_legal_order_of_a_small_graph_comes_exactly_once) {
  const auto test = [](const char* name, const Before& before, std::size_t known) {
    BOOST_TEST_CONTEXT(name) {
      const auto orders = orders_of(before);
      BOOST_TEST(orders.size() == known);
      BOOST_TEST(std::set(orders.begin(), orders.end()).size() == known);
      for (const std::string& order : orders) BOOST_TEST(is_legal(order, before), order);
    }
  };
  test("one chain of 4", {{}, {0}, {1}, {2}}, 1);
  test("two chains of 4", {{}, {0}, {1}, {2}, {}, {4}, {5}, {6}}, 70);
  test("three chains of 2", {{}, {0}, {}, {2}, {}, {4}}, 90);
  test("three chains of 3", {{}, {0}, {1}, {}, {3}, {4}, {}, {6}, {7}}, 1680);
  test("an event between two chains of 3", {{}, {0}, {1}, {}, {3, 1}, {4}}, 10);
  test("5 that nothing orders", {{}, {}, {}, {}, {}}, 120);
  test("the letter N", {{}, {}, {0}, {0, 1}}, 5);
  test("diamond", {{}, {0}, {0}, {1, 2}}, 2);
  test("two before two", {{}, {}, {0, 1}, {0, 1}}, 4);
  test("zigzag of 5", {{}, {}, {}, {0, 1}, {1, 2}}, 16);
  test("grid of 3 by 3", {{}, {0}, {1}, {0}, {1, 3}, {2, 4}, {3}, {4, 6}, {5, 7}}, 42);
  test("binary tree of 7", {{}, {0}, {0}, {1}, {1}, {2}, {2}}, 80);
}

BOOST_AUTO_TEST_CASE(runs_must_depend_on_their_choices_alone) {
  Choices choices;
  choices.choose(2);
  choices.choose(3);
  BOOST_TEST(choices.next());
  BOOST_CHECK_THROW(choices.next(), std::logic_error);
  choices.choose(2);
  BOOST_CHECK_THROW(choices.choose(2), std::logic_error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator
