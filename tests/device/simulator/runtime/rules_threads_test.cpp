// Several concurrent host threads: real ones.
#include "common/device/flavour/flavour.hpp"
#include "common/measure/gpu/recording.hpp"
#include "tests/device/simulator/runtime/rules.hpp"

namespace trilane::simulator::rules {

BOOST_FIXTURE_TEST_SUITE(rules_threads, Fresh)

namespace {

/// Runs `work(0)` to `work(count - 1)` on separate threads, announced or not, and waits.
void at_once(unsigned count, bool announced, const std::function<void(unsigned)>& work,
             bool each_measures = false) {
  const auto announce = announced ? std::make_unique<HostThreads>(count, each_measures) : nullptr;
  std::vector<std::jthread> threads;
  for (unsigned i = 0; i < count; ++i) {
    threads.emplace_back([&work, &announce, announced, i] {
      const auto self = announced ? std::make_unique<HostThread>(*announce, i) : nullptr;
      work(i);
    });
  }
}

void on_another(const std::function<void()>& work) { std::thread(work).join(); }

cudaError_t fail_a_call() { return cudaSetDevice(7); }

}  // namespace

// Runtime API, Error Handling, cudaGetLastError: "in the same host thread". A new thread has none,
// whichever thread had its place before.
BOOST_AUTO_TEST_CASE(every_thread_has_a_last_error_of_its_own) {
  for (int i = 0; i < 20; ++i) {
    on_another([] {
      BOOST_TEST(cudaPeekAtLastError() == cudaSuccess);
      fail_a_call();
    });
  }
  BOOST_TEST(cudaPeekAtLastError() == cudaSuccess);
  fail_a_call();
  on_another([] { BOOST_TEST(cudaGetLastError() == cudaSuccess); });
  BOOST_TEST(cudaGetLastError() == cudaErrorInvalidDevice);
  BOOST_TEST(cudaGetLastError() == cudaSuccess);
}

// Runtime API, Data types, cudaErrorIllegalAddress: the process must be relaunched, so every thread
// gets it.
BOOST_FIXTURE_TEST_CASE(a_sticky_error_is_every_threads, OneStream) {
  fail(cudaErrorIllegalAddress, stream.get());
  on_another([&] { BOOST_TEST(cudaStreamSynchronize(stream.get()) == cudaErrorIllegalAddress); });
  BOOST_TEST(cudaGetLastError() == cudaErrorIllegalAddress);
  stream.release();
}

// Runtime API, cudaStreamBeginCapture, cudaStreamCaptureModeThreadLocal: threads capture at the
// same time, each on its own; the graph is whole.
BOOST_AUTO_TEST_CASE(threads_capture_side_by_side) {
  std::vector<Stream> streams;
  std::vector<cudaGraph_t> graphs(4);
  for (unsigned i = 0; i < 4; ++i) streams.push_back(make_stream());
  at_once(4, false, [&](unsigned i) {
    cudaStream_t stream = streams[i].get();
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int k = 0; k < 100; ++k) mark(static_cast<char>('a' + i), stream);
    check(cudaStreamEndCapture(stream, &graphs[i]));
  });
  for (cudaGraph_t graph : graphs) {
    std::size_t nodes = 0;
    check(cudaGraphGetNodes(graph, nullptr, &nodes));
    BOOST_TEST(nodes == 100u);
    check(cudaGraphDestroy(graph));
  }
}

// Threads on separate streams lose nothing, and nothing is found about them.
BOOST_AUTO_TEST_CASE(threads_may_use_streams_of_their_own) {
  for (const bool announced : {false, true}) {
    start();
    constexpr unsigned count = 4, passes = 100, bytes = 64;
    std::vector<Stream> streams;
    std::vector<DeviceBuffer> memory;
    std::vector<PinnedBuffer> hosts;
    for (unsigned i = 0; i < count; ++i) {
      streams.push_back(make_stream());
      memory.push_back(make_device_buffer(bytes));
      hosts.push_back(make_pinned_buffer(bytes));
      std::memset(hosts[i].get(), 'a' + static_cast<int>(i), bytes);
    }
    const std::size_t before = machine().calls.size();
    at_once(count, announced, [&](unsigned i) {
      cudaStream_t stream = streams[i].get();
      for (unsigned pass = 0; pass < passes; ++pass) {
        check(cudaMemcpyAsync(memory[i].get(), hosts[i].get(), bytes, cudaMemcpyDefault, stream));
        check(cudaMemcpyAsync(hosts[i].get(), memory[i].get(), bytes, cudaMemcpyDefault, stream));
        if (pass % 10 == i) check(cudaStreamSynchronize(stream));
      }
    });
    BOOST_TEST(machine().calls.size() - before == count * (2 * passes + passes / 10));
    check(cudaDeviceSynchronize());
    BOOST_TEST(found() == "none");
    for (unsigned i = 0; i < count; ++i) {
      const auto letter = static_cast<std::byte>('a' + i);
      BOOST_TEST(std::count(hosts[i].get(), hosts[i].get() + bytes, letter) == bytes);
    }
  }
}

// Programming Guide 2.3.5: streams order work; the issuing thread does not.
BOOST_AUTO_TEST_CASE(threads_do_not_order_what_they_issue) {
  const DeviceBuffer memory = make_device_buffer(4);
  const Stream streams[] = {make_stream(), make_stream()};
  at_once(2, true, [&](unsigned i) { use('a', memory.get(), 4, Touch::write, streams[i].get()); });
  BOOST_TEST(found() == name_of(Hazard::unordered));
  check(cudaDeviceSynchronize());
}

// Announced threads take turns, and a thread without further calls is skipped. So a run can be
// repeated.
BOOST_AUTO_TEST_CASE(announced_threads_take_turns) {
  for (int again = 0; again < 20; ++again) {
    start();
    const Stream streams[] = {make_stream(), make_stream(), make_stream()};
    std::vector<std::uint64_t> numbers[3];
    at_once(3, true, [&](unsigned i) {
      if (i == 0 && again % 2 == 1) std::this_thread::yield();
      for (unsigned k = 0; k <= i; ++k) {
        mark('a', streams[i].get());
        numbers[i].push_back(streams[i].get()->tail.front()->number);
      }
    });
    BOOST_TEST((numbers[0] == std::vector<std::uint64_t>{1}));
    BOOST_TEST((numbers[1] == std::vector<std::uint64_t>{2, 4}));
    BOOST_TEST((numbers[2] == std::vector<std::uint64_t>{3, 5, 6}));
    check(cudaDeviceSynchronize());
  }
}

// Threads of a member share its turns, as a variant's threads do in a process for several GPUs.
BOOST_AUTO_TEST_CASE(threads_of_a_thread_take_its_turns) {
  for (int again = 0; again < 20; ++again) {
    start();
    std::vector<Stream> streams;
    for (int i = 0; i < 3; ++i) streams.push_back(make_stream());
    std::vector<std::uint64_t> numbers[3];
    const auto issue = [&](unsigned i) {
      for (int k = 0; k < 3; ++k) {
        mark('a', streams[i].get());
        numbers[i].push_back(streams[i].get()->tail.front()->number);
      }
    };
    at_once(2, true, [&](unsigned outer) {
      outer == 0 ? issue(0) : at_once(2, true, [&](unsigned inner) { issue(1 + inner); });
    });
    BOOST_TEST((numbers[0] == std::vector<std::uint64_t>{1, 3, 5}));
    BOOST_TEST((numbers[1] == std::vector<std::uint64_t>{2, 6, 8}));
    BOOST_TEST((numbers[2] == std::vector<std::uint64_t>{4, 7, 9}));
    check(cudaDeviceSynchronize());
  }
}

// Timed passes and hazards are those of a thread that measures, with the threads that it has.
BOOST_AUTO_TEST_CASE(each_thread_that_measures_has_its_own_timed_passes_and_hazards) {
  const Stream streams[] = {make_stream(), make_stream()};
  const DeviceBuffer memory = make_device_buffer(4);
  std::vector<std::string> found[2];
  const auto work = [&](unsigned i) {
    std::optional<TimedOnly> timed;
    if (i == 0) timed.emplace();
    at_once(1, true, [&](unsigned) {
      use(static_cast<char>('a' + i), memory.get(), 4, Touch::write, streams[i].get());
    });
    check(cudaStreamSynchronize(streams[i].get()));
    found[i] = take_hazards();
  };
  at_once(2, true, work, true);
  BOOST_TEST(found[0].size() + found[1].size() == 1u);
  BOOST_TEST(trace() == "b");
}

// A choice of this device: there is one virtual clock, so calls take their time one by one. With
// four announced threads a call moves it on by (1 + 3 * share) / 4 of its time.
BOOST_AUTO_TEST_CASE(calls_of_several_threads_share_one_clock) {
  auto settings = usual();
  settings.profile.calls_us = {{"cudaGetDevice", 2}};
  struct Case {
    bool announced;
    std::optional<double> share;
    double us;
  };
  for (const auto& [announced, share, us] :
       {Case{false, 0.5, 200}, {true, 1, 200}, {true, {}, 200}, {true, 0, 50}, {true, 0.5, 125}}) {
    settings.profile.stream.thread_share = share;
    start(settings);
    at_once(4, announced, [](unsigned) {
      int device = -1;
      for (int k = 0; k < 25; ++k) check(cudaGetDevice(&device));
    });
    BOOST_TEST(now_us() == us);
  }
}

BOOST_AUTO_TEST_CASE(a_thread_that_is_left_alone_calls_as_fast_as_one) {
  auto settings = usual();
  settings.profile.calls_us = {{"cudaGetDevice", 2}};
  settings.profile.stream.thread_share = 0;
  for (int run = 0; run < 20; ++run) {
    start(settings);
    at_once(2, true, [](unsigned thread) {
      int device = -1;
      for (unsigned k = 0; k < 10 * (thread + 1); ++k) check(cudaGetDevice(&device));
    });
    BOOST_TEST(now_us() == 2 * (10 + 10));
  }
}

// Another: threads count as one host, so what one has waited for is known to be done by all.
BOOST_AUTO_TEST_CASE(what_one_thread_has_waited_for_all_know) {
  const Stream stream = make_stream(), other = make_stream();
  const DeviceBuffer memory = make_device_buffer(4);
  use('a', memory.get(), 4, Touch::write, stream.get());
  on_another([&] { check(cudaStreamSynchronize(stream.get())); });
  use('b', memory.get(), 4, Touch::write, other.get());
  check(cudaDeviceSynchronize());
  BOOST_TEST(found() == "none");
}

// Work that threads issue in a timed pass moves no data, as with one thread.
BOOST_AUTO_TEST_CASE(timed_passes_of_threads_move_no_data) {
  const Stream streams[] = {make_stream(), make_stream()};
  {
    const TimedOnly timed_only;
    at_once(2, true, [&](unsigned i) { mark('a', streams[i].get()); });
    check(cudaDeviceSynchronize());
  }
  BOOST_TEST(trace() == "-");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator::rules
