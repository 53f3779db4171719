#include "common/device/simulator/operations/device_operation.hpp"

#include "tests/device/simulator/machine/operations.hpp"

namespace trilane::simulator {

BOOST_AUTO_TEST_SUITE(operation)

BOOST_AUTO_TEST_CASE(ranges_overlap_when_they_share_a_byte) {
  const int words[4] = {};
  const simulator::Range first = range_of(&words[0], 8);
  BOOST_TEST(first.size() == 8u);
  BOOST_TEST(first.overlaps(range_of(&words[1], 4)));
  BOOST_TEST(!first.overlaps(range_of(&words[2], 4)));
  BOOST_TEST(!range_of(&words[2], 4).overlaps(first));
}

BOOST_AUTO_TEST_CASE(merging_adds_what_is_not_there_yet) {
  const OperationPtr one = make_operation(1), two = make_operation(2), three = make_operation(3);
  Frontier frontier{one, two};
  merge(frontier, {two, three, three});
  BOOST_TEST((frontier == Frontier{one, two, three}));
}

BOOST_AUTO_TEST_CASE(a_description_says_what_where_and_which) {
  Task task;
  task.name = "copy in of 4096 bytes";
  const OperationPtr operation = make_operation(17, {}, task);
  operation->lane = "stream 3";
  BOOST_TEST(describe(*operation) == "copy in of 4096 bytes (stream 3, operation 17)");
}

BOOST_AUTO_TEST_CASE(only_the_hosts_end_of_a_copy_may_be_pageable) {
  const auto takes = [](Kind kind, Touch touch, bool pageable = true) {
    Task task;
    task.kind = kind;
    task.pageable = pageable;
    return takes_pageable(task, touch);
  };
  BOOST_TEST(takes(Kind::copy_in, Touch::read));
  BOOST_TEST(!takes(Kind::copy_in, Touch::write));
  BOOST_TEST(!takes(Kind::copy_in, Touch::read, false));
  BOOST_TEST(takes(Kind::copy_out, Touch::write));
  BOOST_TEST(!takes(Kind::copy_out, Touch::read));
  BOOST_TEST(!takes(Kind::copy_out, Touch::write, false));
  BOOST_TEST(takes(Kind::copy_within, Touch::read));
  BOOST_TEST(takes(Kind::copy_within, Touch::write));
  BOOST_TEST(!takes(Kind::copy_within, Touch::write, false));
  BOOST_TEST(!takes(Kind::kernel, Touch::read));
  BOOST_TEST(!takes(Kind::memset, Touch::write));
  BOOST_TEST(takes(Kind::host_function, Touch::write, false));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator
