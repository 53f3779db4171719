#include "common/device/flavour/flavour.hpp"
#include "common/measure/gpu/recording.hpp"
#include "tests/device/simulator/runtime/host_kit.hpp"

namespace trilane::simulator::rules {

BOOST_FIXTURE_TEST_SUITE(copies, Fresh)

namespace {

/// Returns the content, one letter for all bytes.
std::string content(const void* memory) {
  const std::string text(static_cast<const char*>(memory), bytes);
  return text == std::string(bytes, text[0]) ? text.substr(0, 1) : text;
}

std::string content(const DeviceBuffer& memory) {
  std::string text(bytes, '?');
  check(cudaMemcpy(text.data(), memory.get(), bytes, cudaMemcpyDeviceToHost));
  return content(text.data());
}

}  // namespace

// Runtime API 13.0, "API synchronization behavior", is what "the section" means here.

// As the measured driver does: in virtual time it always waits.
BOOST_AUTO_TEST_CASE(the_clock_has_a_copy_to_pageable_memory_end_before_the_call_does) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    start(usual(seed));
    const Stream stream = make_stream();
    const DeviceBuffer memory = device('d');
    std::string out(bytes, 'o');
    check(cudaMemcpyAsync(out.data(), memory.get(), bytes, cudaMemcpyDeviceToHost, stream.get()));
    const double end = stream.get()->tail.front()->finished_us;
    BOOST_TEST(end > 0);
    BOOST_TEST(now_us() >= end);
    check(cudaStreamSynchronize(stream.get()));
  }
}

TRILANE_OUTCOMES(a_captured_copy_reads_pageable_memory_at_each_launch, "23") {
  const Stream stream = make_stream();
  const DeviceBuffer memory = make_device_buffer(bytes);
  std::string in(bytes, '1');
  const Graph graph = capture([&](cudaStream_t origin) {
    check(cudaMemcpyAsync(memory.get(), in.data(), bytes, cudaMemcpyHostToDevice, origin));
  });
  const GraphExec executable = instantiate(graph.get());
  std::string seen;
  for (const char letter : {'2', '3'}) {
    in.assign(bytes, letter);
    check(cudaGraphLaunch(executable.get(), stream.get()));
    check(cudaStreamSynchronize(stream.get()));
    seen += content(memory);
  }
  BOOST_TEST(found() == "none");
  return seen;
}

// The documentation does not say whether a launch waits; the measured driver always does.
BOOST_AUTO_TEST_CASE(
    the_clock_has_copies_of_a_graph_to_pageable_memory_end_before_the_launch_does) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    start(usual(seed));
    const Stream stream = make_stream();
    const DeviceBuffer memory = device('d');
    std::string out(bytes, 'o');
    const Graph graph = capture([&](cudaStream_t origin) {
      mark('a', origin);
      check(cudaMemcpyAsync(out.data(), memory.get(), bytes, cudaMemcpyDeviceToHost, origin));
    });
    const GraphExec executable = launched(graph, stream);
    const double end = stream.get()->tail.front()->finished_us;
    BOOST_TEST(end > 0);
    BOOST_TEST(now_us() >= end);
    check(cudaStreamSynchronize(stream.get()));
  }
}

BOOST_FIXTURE_TEST_CASE(copies_and_memsets_of_nothing_do_nothing, OneStream) {
  BOOST_TEST(cudaMemcpyAsync(nullptr, nullptr, 0, cudaMemcpyHostToDevice, stream.get()) ==
             cudaSuccess);
  BOOST_TEST(cudaMemsetAsync(nullptr, 0, 0, stream.get()) == cudaSuccess);
  BOOST_TEST(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice) == cudaSuccess);
  BOOST_TEST(stream.get()->tail.empty());
}

// Runtime API, Memory Management, cudaMemcpyAsync and cudaMemsetAsync: cudaErrorInvalidValue.
BOOST_FIXTURE_TEST_CASE(bytes_that_are_not_in_one_allocation_are_refused, OneStream) {
  const DeviceBuffer memory = make_device_buffer(bytes);
  const PinnedBuffer locked = pinned('p');
  std::string pageable(2 * bytes, 'h');
  void* const wild = reinterpret_cast<void*>(0x10);
  const auto copy = [&](void* to, const void* from, std::size_t count, cudaMemcpyKind kind) {
    return cudaMemcpyAsync(to, from, count, kind, stream.get());
  };
  const auto refused = cudaErrorInvalidValue;
  BOOST_TEST(copy(memory.get(), pageable.data(), bytes + 1, cudaMemcpyHostToDevice) == refused);
  BOOST_TEST(copy(memory.get(), locked.get(), bytes + 1, cudaMemcpyDefault) == refused);
  BOOST_TEST(copy(memory.get() + 1, locked.get(), bytes, cudaMemcpyHostToDevice) == refused);
  BOOST_TEST(copy(nullptr, locked.get(), bytes, cudaMemcpyHostToDevice) == refused);
  BOOST_TEST(copy(memory.get(), wild, bytes, cudaMemcpyHostToDevice) == refused);
  BOOST_TEST(copy(wild, memory.get(), bytes, cudaMemcpyDeviceToHost) == refused);
  BOOST_TEST(copy(memory.get(), locked.get(), ~std::size_t{0}, cudaMemcpyDefault) == refused);
  BOOST_TEST(cudaMemsetAsync(memory.get(), 0, bytes + 1, stream.get()) == refused);
  BOOST_TEST(cudaMemsetAsync(pageable.data(), 0, bytes, stream.get()) == refused);
  BOOST_TEST(cudaMemsetAsync(nullptr, 0, bytes, stream.get()) == refused);
  BOOST_TEST(stream.get()->tail.empty());
}

BOOST_AUTO_TEST_CASE(addresses_that_do_not_match_the_direction_are_refused) {
  const DeviceBuffer memory = make_device_buffer(bytes);
  const PinnedBuffer locked = pinned('p');
  std::string host(bytes, 'h');
  const auto copy = [&](void* to, const void* from, int kind) {
    return cudaMemcpyAsync(to, from, bytes, static_cast<cudaMemcpyKind>(kind), nullptr);
  };
  BOOST_TEST(copy(host.data(), memory.get(), cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  BOOST_TEST(copy(memory.get(), host.data(), cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  BOOST_TEST(copy(memory.get(), host.data(), cudaMemcpyDeviceToDevice) == cudaErrorInvalidValue);
  BOOST_TEST(copy(memory.get(), locked.get(), cudaMemcpyHostToHost) == cudaErrorInvalidValue);
  constexpr int none = 7;  // the largest value that the type can hold
  BOOST_TEST(copy(memory.get(), locked.get(), none) == cudaErrorInvalidMemcpyDirection);
  BOOST_TEST(copy(memory.get(), locked.get(), cudaMemcpyDeviceToDevice) == cudaSuccess);
  check(cudaDeviceSynchronize());
}

BOOST_AUTO_TEST_CASE(released_memory_is_not_copied_from_or_to) {
  DeviceBuffer memory = make_device_buffer(bytes);
  PinnedBuffer locked = pinned('p');
  const DeviceBuffer other = make_device_buffer(bytes);
  void *const gone = memory.get(), *const gone_too = locked.get();
  memory.reset();
  locked.reset();
  const auto refused = [](cudaError_t code) {
    BOOST_TEST(code == cudaErrorInvalidValue);
    BOOST_TEST(found() == name_of(Hazard::use_after_free));
    forget();
  };
  refused(cudaMemcpy(gone, other.get(), bytes, cudaMemcpyDeviceToDevice));
  refused(cudaMemset(gone, 0, bytes));
  refused(cudaMemcpy(other.get(), gone_too, bytes, cudaMemcpyHostToDevice));
  refused(cudaMemcpyAsync(other.get(), gone, bytes, cudaMemcpyDefault, nullptr));
}

BOOST_AUTO_TEST_CASE(timed_passes_move_no_data_and_take_the_same_time) {
  double taken[2];
  for (const bool timed : {false, true}) {
    start();
    const Stream stream = make_stream();
    const DeviceBuffer memory = device('d');
    const PinnedBuffer locked = pinned('p');
    std::string pageable(bytes, 'h');
    const double before = now_us();
    {
      std::optional<TimedOnly> timed_only;
      if (timed) timed_only.emplace();
      check(cudaMemcpyAsync(memory.get(), pageable.data(), bytes, cudaMemcpyDefault, stream.get()));
      check(cudaMemcpyAsync(locked.get(), memory.get(), bytes, cudaMemcpyDefault, stream.get()));
      check(cudaStreamSynchronize(stream.get()));
    }
    taken[timed ? 1 : 0] = now_us() - before;
    BOOST_TEST(content(locked.get()) == (timed ? "p" : "h"));
    check(cudaMemset(locked.get(), 's', bytes));
    BOOST_TEST(content(locked.get()) == "s");
  }
  BOOST_TEST(taken[0] == taken[1]);
}

BOOST_FIXTURE_TEST_CASE(what_was_issued_before_a_timed_pass_still_moves_its_data, OneStream) {
  const DeviceBuffer memory = device('d');
  const PinnedBuffer locked = pinned('p');
  check(cudaMemcpyAsync(locked.get(), memory.get(), bytes, cudaMemcpyDeviceToHost, stream.get()));
  const TimedOnly timed_only;
  check(cudaStreamSynchronize(stream.get()));
  BOOST_TEST(content(locked.get()) == "d");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator::rules
