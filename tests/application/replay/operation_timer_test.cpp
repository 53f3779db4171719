// Operations are held back while they are issued, and timed without the host.
#include "common/application/replay/operation_timer.hpp"

#include "common/application/replay/measure_replay.hpp"
#include "common/base/text/exit_code.hpp"
#include "tests/application/replay/replayed.hpp"

BOOST_AUTO_TEST_SUITE(operation_timer)

constexpr double operation_us = 10;  // on the fake driver

struct Working : Program {
  const std::uint64_t in = pinned(bytes), log = pageable(bytes);
  const std::uint64_t a = device(bytes), b = device(bytes);
  const CUstream one = stream();
  Kernel& sum = kernel(3, add_numbers);

  Taken take_one() {
    return take([this](std::uint32_t turn) {
      numbers_at(in)[0] = turn;
      copy(a, in, bytes, one);
      launch(sum, {b, a, 1}, one);
      copy_and_wait(log, b, bytes);
    });
  }
};

bool is_open() { return std::atomic_ref(*state().gate).load() >= state().opens_at; }

BOOST_AUTO_TEST_CASE(a_replay_times_what_the_host_does_not_wait_for) {
  Working program;
  Taken taken = program.take_one();
  DeviceLengths lengths;
  const auto measure = [&] {
    lengths.clear();
    return measure_replay(
               taken.iteration, taken.before, {.seconds = 0.02}, [] {},
               [&](const DeviceLengths& us) { lengths = us; })
        .refusal;
  };
  BOOST_TEST(measure() == "");
  BOOST_REQUIRE(lengths.size() == 3u);
  BOOST_TEST(lengths[0].value() == operation_us, boost::test_tools::tolerance(1e-3));
  BOOST_TEST(lengths[1].value() == operation_us, boost::test_tools::tolerance(1e-3));
  BOOST_TEST(!lengths[2]);
  taken.iteration.recording.calls[1].device_us = 7;  // traced
  BOOST_TEST(measure() == "");
  BOOST_TEST(lengths.empty());
}

BOOST_AUTO_TEST_CASE(an_operation_is_held_back_until_its_call_has_returned) {
  const Program program;
  const CUstream stream = make_stream(CU_STREAM_NON_BLOCKING);
  OperationTimer timer(1);
  bool open = true;
  timer.time(0, stream, [&] { open = is_open(); });
  BOOST_TEST(!open);
  BOOST_TEST(is_open());
  BOOST_CHECK_THROW(timer.time(0, stream, [] { throw std::runtime_error("planted"); }),
                    std::runtime_error);
  BOOST_TEST(is_open());
}

BOOST_AUTO_TEST_CASE(a_call_that_waits_for_the_device_goes_on_and_nothing_is_timed) {
  const Program program;
  const CUstream stream = make_stream(CU_STREAM_NON_BLOCKING);
  OperationTimer timer(2);
  timer.time(0, stream, [] {
    while (!is_open()) std::this_thread::yield();
  });
  state().gate = nullptr;
  timer.time(1, stream, [] {});
  BOOST_TEST((state().gate == nullptr));  // not held back
  BOOST_TEST((wait_for(stream) == CUDA_SUCCESS));
  timer.end_pass();
  for (const auto& length : timer.lengths()) BOOST_TEST(!length);
}

BOOST_AUTO_TEST_CASE(an_older_driver_times_nothing_and_replays_all_the_same) {
  Working program;
  const Taken taken = program.take_one();
  state().is_older = true;
  bool timed = false;
  const ReplayRecord record = measure_replay(
      taken.iteration, taken.before, {.seconds = 0.02}, [] {},
      [&](const DeviceLengths& us) { timed = !us.empty(); });
  BOOST_TEST(record.refusal == "");
  BOOST_TEST(!timed);
}

BOOST_AUTO_TEST_SUITE_END()
