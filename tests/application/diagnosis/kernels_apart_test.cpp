// Kernels that could run beside others and do not: ordered, one hardware queue, or no room.
#include "common/application/diagnosis/diagnosis_page.hpp"
#include "tests/application/diagnosis/recorded.hpp"

BOOST_AUTO_TEST_SUITE(kernels_apart)

using R = Recorded;

/// Adds a kernel of `blocks` blocks of 256 threads. Ten multiprocessors hold 512 threads each.
void add(Recorded& a, std::uint32_t stream, std::uint32_t memory, double begins, double runs,
         std::uint32_t blocks = 4) {
  const double issued = static_cast<double>(a.recording.calls.size());
  RecordedCall& kernel = a.kernel(stream, {memory});
  kernel.grid = {blocks, 1, 1};
  kernel.block = {256, 1, 1};
  a.at(issued, 1, begins, runs);
  a.recording.machine.multiprocessors = {10, 512, 8, 1 << 16, 1 << 16, 1024};
  a.recording.iteration_us = {200};
}

std::vector<CallFinding> apart(const Recorded& a) {
  auto all = findings_of(a);
  std::erase_if(all, [](const CallFinding& f) { return f.kind != FindingKind::kernels_apart; });
  return all;
}

/// Returns the reason for the only finding; none: there is none.
Obstacle reason(const Recorded& a) {
  const auto all = apart(a);
  BOOST_TEST(all.size() <= 1u);
  return all.empty() ? Obstacle::none : all[0].obstacle;
}

BOOST_AUTO_TEST_CASE(kernels_of_one_stream_that_use_different_data) {
  Recorded a;
  add(a, R::free_one, R::device, 5, 40);
  add(a, R::free_one, R::other_device, 46, 30);
  const auto all = apart(a);
  BOOST_REQUIRE_EQUAL(all.size(), 1u);
  BOOST_TEST((all[0].obstacle == Obstacle::same_stream));
  BOOST_TEST(all[0].gain_us.value() == 30.0);  // the shorter one
  BOOST_TEST(
      sentence_on(all[0]) ==
      "At most 30.0 us: let the kernel run beside kernel scale (4 blocks of 256 threads), which "
      "uses other data: use a second stream, and events where one needs the other's data: "
      "cuLaunchKernel (call 1).");
  a.recording.calls[1].uses[0].memory = R::device;
  BOOST_TEST((reason(a) == Obstacle::none));
}

BOOST_AUTO_TEST_CASE(a_chain_by_data_bounds_the_gain) {
  Recorded a;
  for (const auto& [memory, begins] :
       {std::pair{R::device, 5}, {R::other_device, 46}, {R::device, 87}, {R::other_device, 128}}) {
    add(a, R::free_one, memory, begins, 40);
  }
  const auto all = apart(a);
  BOOST_REQUIRE_EQUAL(all.size(), 1u);
  BOOST_TEST(all[0].count == 3u);
  BOOST_TEST(all[0].gain_us.value() == 80.0);       // two chains of 80 us
  a.recording.calls[1].uses[0].memory = R::device;  // and only the last one is apart
  BOOST_REQUIRE_EQUAL(apart(a).size(), 1u);
  BOOST_TEST(apart(a)[0].count == 1u);
}

BOOST_AUTO_TEST_CASE(an_event_that_the_data_does_not_need_is_named) {
  Recorded a;
  add(a, R::free_one, R::device, 5, 40);
  a.record(1, R::free_one);
  a.at(1, 1);
  a.wait(1, R::free_two);
  a.at(2, 1);
  add(a, R::free_two, R::other_device, 47, 30);
  const auto all = apart(a);
  BOOST_REQUIRE_EQUAL(all.size(), 1u);
  BOOST_TEST((all[0].obstacle == Obstacle::order));
  BOOST_TEST(all[0].delayed == "cuStreamWaitEvent (call 2)");
}

BOOST_AUTO_TEST_CASE(without_an_order_a_queue_or_the_room_keeps_them_apart) {
  const auto two = [](std::uint32_t blocks, double begins) {
    Recorded a;
    add(a, R::free_one, R::device, 5, 40, blocks);
    add(a, R::free_two, R::other_device, begins, 30);
    return a;
  };
  BOOST_TEST((reason(two(4, 45)) == Obstacle::queue));
  BOOST_TEST((reason(two(20, 45)) == Obstacle::threads));
  BOOST_TEST((reason(two(10, 45)) == Obstacle::none));  // half of each multiprocessor is free
  BOOST_TEST((reason(two(4, 7)) == Obstacle::none));    // side by side
  BOOST_TEST((reason(two(4, 12)) == Obstacle::none));   // the tracer's delay
  BOOST_TEST((reason(two(4, 30)) == Obstacle::none));   // the first one still runs
  Recorded unknown = two(4, 45);
  unknown.recording.machine.multiprocessors.reset();
  BOOST_TEST((reason(unknown) == Obstacle::none));
  Recorded registers = two(10, 45);
  registers.recording.kernels[0].registers = 129;  // 136 for each thread
  BOOST_TEST((reason(registers) == Obstacle::registers));
  registers.recording.kernels[0].registers = 128;
  BOOST_TEST((reason(registers) == Obstacle::none));
  Recorded shared = two(10, 45);
  shared.recording.calls[0].shared_bytes = 40 << 10;
  shared.recording.calls[1].shared_bytes = (22 << 10) + 1;  // and 1 KiB for either
  BOOST_TEST((reason(shared) == Obstacle::shared_memory));
  BOOST_TEST(sentence_on(apart(shared)[0]) ==
             "At most 30.0 us: let the kernel run beside kernel scale (10 blocks of 256 threads): "
             "let its blocks take less shared memory, as they leave no room for another kernel's: "
             "cuLaunchKernel (call 1).");
  shared.recording.calls[1].shared_bytes -= 1;
  BOOST_TEST((reason(shared) == Obstacle::none));
  Recorded blocks = two(80, 45);
  for (auto& call : blocks.recording.calls) call.block = {32, 1, 1};
  BOOST_TEST((reason(blocks) == Obstacle::blocks));
}

BOOST_AUTO_TEST_SUITE_END()
