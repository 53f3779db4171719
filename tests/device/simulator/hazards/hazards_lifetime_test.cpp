#include "common/device/simulator/hazards/hazards.hpp"

#include "tests/device/simulator/machine/operations.hpp"

namespace trilane::simulator {

BOOST_FIXTURE_TEST_SUITE(hazards_of_lifetimes, IssuedLanes)

namespace {

/// Allocates and frees until memory begins where the released `block` did.
Block allocate_again(Issuer& issuer, const Block& block, Place place) {
  for (;;) {
    const Block again = issuer.allocate(block.range.size(), place);
    if (again.range == block.range) return again;
    issuer.memory.release(reinterpret_cast<void*>(again.range.begin));
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(memory_in_stream_order_is_used_between_allocation_and_release) {
  take("stream 1", pool.range);
  write("stream 1", pool.range);
  wait("stream 2", tails["stream 1"][0]);
  read("stream 2", pool.range);
  wait("stream 1", tails["stream 2"][0]);
  give("stream 1", pool.range);
  take("stream 1", part_of(pool, 0, 512));
  BOOST_TEST(take_names() == "");
  read("stream 1", part_of(pool, 0, 8));  // a new life: what was written before is gone
  BOOST_TEST(take_names() == "uninitialised read");
}

BOOST_AUTO_TEST_CASE(a_use_that_is_not_ordered_after_the_allocation_is_found) {
  write("stream 2", pool.range);
  BOOST_TEST(take_names() == "use before allocation");  // there is none at all
  take("stream 1", pool.range);
  write("stream 2", pool.range);
  BOOST_TEST(take_names() == "use before allocation");
}

BOOST_AUTO_TEST_CASE(a_use_after_the_release_or_in_no_order_with_it_is_found) {
  take("stream 1", pool.range);
  wait("stream 2", write("stream 1", pool.range));
  give("stream 1", pool.range);
  read("stream 1", pool.range);
  BOOST_TEST(take_names() == "use after free");
  read("stream 2", pool.range);
  BOOST_TEST(take_names() == "use after free");
}

BOOST_AUTO_TEST_CASE(a_release_that_does_not_wait_for_the_last_use_is_found) {
  take("stream 1", pool.range);
  wait("stream 2", write("stream 1", pool.range));
  read("stream 2", part_of(pool, 8, 8));
  give("stream 1", pool.range);
  BOOST_TEST_REQUIRE(hazards.reports().size() == 1u);
  BOOST_TEST(hazards.reports()[0].text ==
             "release (stream 1, operation 4) releases what kernel (stream 2, operation 3) reads, "
             "with no order between them: " +
                 describe(part_of(pool, 8, 8), Place::pool));
  BOOST_TEST(take_names() == "free before last use");
  take("stream 1", pool.range);  // and the next life must not begin before that use, either
  BOOST_TEST(take_names() == "unordered");
}

BOOST_AUTO_TEST_CASE(a_release_that_is_not_ordered_after_the_allocation_is_found) {
  take("stream 1", pool.range);
  give("stream 2", pool.range);
  BOOST_TEST(take_names() == "use before allocation");
}

BOOST_AUTO_TEST_CASE(a_second_release_is_found_and_one_of_what_was_never_allocated) {
  give("stream 1", pool.range);
  BOOST_TEST(take_names() == "double free");
  take("stream 1", pool.range);
  give("stream 1", pool.range);
  BOOST_TEST(take_names() == "");
  give("stream 1", pool.range);
  BOOST_TEST(take_names() == "double free");
  give("stream 2", pool.range);
  BOOST_TEST(take_names() == "double free");
  give("stream 1", {64, 128});
  BOOST_TEST(take_names() == "double free");
}

BOOST_AUTO_TEST_CASE(memory_is_allocated_again_only_after_its_release) {
  take("stream 1", pool.range);
  give("stream 1", pool.range);
  take("stream 2", pool.range);
  BOOST_TEST(take_names() == "unordered");
}

BOOST_AUTO_TEST_CASE(the_host_frees_only_what_it_knows_to_be_done_with) {
  const OperationPtr first = write("stream 1", device.range);
  hazards.released_by_host(part_of(device, 0, 1024), order, "cudaFree");
  BOOST_TEST_REQUIRE(hazards.reports().size() == 1u);
  BOOST_TEST(hazards.reports()[0].text ==
             "cudaFree before the host has waited for memset (stream 1, operation 1): " +
                 text_of(part_of(device, 0, 1024)));
  BOOST_TEST(take_names() == "free before last use");
  order.host_waited_for(*first);
  hazards.released_by_host(part_of(device, 1024, 3072), order, "cudaFree");
  BOOST_TEST(take_names() == "");
  hazards.released_by_host(device.range, order, "cudaFree");
  BOOST_TEST(take_names() == "double free");
}

BOOST_AUTO_TEST_CASE(the_host_frees_nothing_whose_allocation_it_does_not_know_to_be_done) {
  take("stream 1", pool.range);
  hazards.released_by_host(pool.range, order, "cudaFree");
  BOOST_TEST(take_names() == "free before last use");
}

BOOST_AUTO_TEST_CASE(a_use_of_what_the_host_has_freed_is_found_until_it_is_allocated_anew) {
  order.host_waited_for(*write("stream 1", device.range));
  hazards.released_by_host(device.range, order, "cudaFree");
  memory.release(reinterpret_cast<void*>(device.range.begin));
  read("stream 1", part_of(device, 16, 16));
  BOOST_TEST_REQUIRE(hazards.reports().size() == 1u);
  BOOST_TEST(hazards.reports()[0].text ==
             "kernel (stream 1, operation 2) reads what cudaFree has released: " +
                 text_of(part_of(device, 16, 16)));
  BOOST_TEST(take_names() == "use after free");
  give("stream 1", device.range);
  BOOST_TEST(take_names() == "double free");
  const Block again = allocate_again(*this, device, Place::device);
  write("stream 1", part_of(again, 0, 8));
  BOOST_TEST(take_names() == "");
  read("stream 1", part_of(again, 8, 8));
  BOOST_TEST(take_names() == "uninitialised read");
}

BOOST_AUTO_TEST_CASE(what_went_back_to_the_driver_has_no_past_when_it_comes_again) {
  take("stream 1", pool.range);
  give("stream 1", pool.range);
  memory.release(reinterpret_cast<void*>(pool.range.begin));
  take("stream 2", allocate_again(*this, pool, Place::graph).range);
  BOOST_TEST(take_names() == "");
}

BOOST_AUTO_TEST_CASE(the_programs_own_memory_comes_and_goes) {
  std::vector<std::byte> own(64);
  const simulator::Range range = range_of(own.data(), own.size());
  memory.register_host(own.data(), own.size());
  hazards.allocated(memory.find(own.data()));
  const OperationPtr copy = issue("stream 1", "copy", {{range, Touch::read}}, Kind::copy_in);
  hazards.released_by_host(range, order, "cudaHostUnregister");
  BOOST_TEST(take_names() == "free before last use");
  order.host_waited_for(*copy);
  hazards.released_by_host(range, order, "cudaHostUnregister");
  memory.release(own.data());
  issue("stream 2", "copy", {{range, Touch::write}}, Kind::copy_out, true);
  BOOST_TEST(take_names() == "");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator
