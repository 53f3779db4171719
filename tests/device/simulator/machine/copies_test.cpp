#include <boost/test/unit_test.hpp>
#include <cstring>

#include "common/device/flavour/flavour.hpp"
#include "common/measure/gpu/recording.hpp"
#include "tests/device/simulator/runtime/rules.hpp"

using namespace trilane;
using namespace trilane::simulator::rules;
using trilane::simulator::Hazard;
using trilane::simulator::machine;

BOOST_FIXTURE_TEST_SUITE(copies, Fresh)

namespace {

constexpr std::size_t size = 8;

/// Returns device memory full of one letter.
DeviceBuffer device_of(char letter) {
  DeviceBuffer memory = make_device_buffer(size);
  check(cudaMemset(memory.get(), letter, size));
  check(cudaDeviceSynchronize());
  return memory;
}

PinnedBuffer pinned_of(char letter) {
  PinnedBuffer memory = make_pinned_buffer(size);
  std::memset(memory.get(), letter, size);
  return memory;
}

/// Returns the content, one letter for all bytes.
std::string content(const void* memory) {
  const std::string text(static_cast<const char*>(memory), size);
  return text == std::string(size, text[0]) ? text.substr(0, 1) : text;
}

std::string content(const DeviceBuffer& memory) {
  std::string text(size, '?');
  check(cudaMemcpy(text.data(), memory.get(), size, cudaMemcpyDeviceToHost));
  return content(text.data());
}

}  // namespace

// Runtime API 13.0, "API synchronization behavior", is what "the section" means here.

// As the measured driver does: in virtual time it always waits.
BOOST_AUTO_TEST_CASE(the_clock_has_a_copy_to_pageable_memory_end_before_the_call_does) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    start(usual(seed));
    const Stream stream = make_stream();
    const DeviceBuffer memory = device_of('d');
    std::string out(size, 'o');
    check(cudaMemcpyAsync(out.data(), memory.get(), size, cudaMemcpyDeviceToHost, stream.get()));
    const double end = stream.get()->tail.front()->finished_us;
    BOOST_TEST(end > 0);
    BOOST_TEST(now_us() == end);
    check(cudaStreamSynchronize(stream.get()));
  }
}

TRILANE_OUTCOMES(a_captured_copy_reads_pageable_memory_at_each_launch, "23") {
  const Stream stream = make_stream();
  const DeviceBuffer memory = make_device_buffer(size);
  std::string in(size, '1');
  const Graph graph = capture([&](cudaStream_t origin) {
    check(cudaMemcpyAsync(memory.get(), in.data(), size, cudaMemcpyHostToDevice, origin));
  });
  const GraphExec executable = instantiate(graph.get());
  std::string seen;
  for (const char letter : {'2', '3'}) {
    in.assign(size, letter);
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
    const DeviceBuffer memory = device_of('d');
    std::string out(size, 'o');
    const Graph graph = capture([&](cudaStream_t origin) {
      mark('a', origin);
      check(cudaMemcpyAsync(out.data(), memory.get(), size, cudaMemcpyDeviceToHost, origin));
    });
    const GraphExec executable = launched(graph, stream);
    const double end = stream.get()->tail.front()->finished_us;
    BOOST_TEST(end > 0);
    BOOST_TEST(now_us() == end);
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
  const DeviceBuffer memory = make_device_buffer(size);
  const PinnedBuffer pinned = pinned_of('p');
  std::string pageable(2 * size, 'h');
  void* const wild = reinterpret_cast<void*>(0x10);
  const auto copy = [&](void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return cudaMemcpyAsync(to, from, bytes, kind, stream.get());
  };
  const auto refused = cudaErrorInvalidValue;
  BOOST_TEST(copy(memory.get(), pageable.data(), size + 1, cudaMemcpyHostToDevice) == refused);
  BOOST_TEST(copy(memory.get(), pinned.get(), size + 1, cudaMemcpyDefault) == refused);
  BOOST_TEST(copy(memory.get() + 1, pinned.get(), size, cudaMemcpyHostToDevice) == refused);
  BOOST_TEST(copy(nullptr, pinned.get(), size, cudaMemcpyHostToDevice) == refused);
  BOOST_TEST(copy(memory.get(), wild, size, cudaMemcpyHostToDevice) == refused);
  BOOST_TEST(copy(wild, memory.get(), size, cudaMemcpyDeviceToHost) == refused);
  BOOST_TEST(copy(memory.get(), pinned.get(), ~std::size_t{0}, cudaMemcpyDefault) == refused);
  BOOST_TEST(cudaMemsetAsync(memory.get(), 0, size + 1, stream.get()) == refused);
  BOOST_TEST(cudaMemsetAsync(pageable.data(), 0, size, stream.get()) == refused);
  BOOST_TEST(cudaMemsetAsync(nullptr, 0, size, stream.get()) == refused);
  BOOST_TEST(stream.get()->tail.empty());
}

BOOST_AUTO_TEST_CASE(addresses_that_do_not_match_the_direction_are_refused) {
  const DeviceBuffer memory = make_device_buffer(size);
  const PinnedBuffer pinned = pinned_of('p');
  std::string host(size, 'h');
  const auto copy = [&](void* to, const void* from, int kind) {
    return cudaMemcpyAsync(to, from, size, static_cast<cudaMemcpyKind>(kind), nullptr);
  };
  BOOST_TEST(copy(host.data(), memory.get(), cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  BOOST_TEST(copy(memory.get(), host.data(), cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  BOOST_TEST(copy(memory.get(), host.data(), cudaMemcpyDeviceToDevice) == cudaErrorInvalidValue);
  BOOST_TEST(copy(memory.get(), pinned.get(), cudaMemcpyHostToHost) == cudaErrorInvalidValue);
  constexpr int none = 7;  // the largest value that the type can hold
  BOOST_TEST(copy(memory.get(), pinned.get(), none) == cudaErrorInvalidMemcpyDirection);
  BOOST_TEST(copy(memory.get(), pinned.get(), cudaMemcpyDeviceToDevice) == cudaSuccess);
  check(cudaDeviceSynchronize());
}

BOOST_AUTO_TEST_CASE(released_memory_is_not_copied_from_or_to) {
  DeviceBuffer memory = make_device_buffer(size);
  PinnedBuffer pinned = pinned_of('p');
  const DeviceBuffer other = make_device_buffer(size);
  void *const gone = memory.get(), *const gone_too = pinned.get();
  memory.reset();
  pinned.reset();
  const auto refused = [](cudaError_t code) {
    BOOST_TEST(code == cudaErrorInvalidValue);
    BOOST_TEST(found() == name_of(Hazard::use_after_free));
    forget();
  };
  refused(cudaMemcpy(gone, other.get(), size, cudaMemcpyDeviceToDevice));
  refused(cudaMemset(gone, 0, size));
  refused(cudaMemcpy(other.get(), gone_too, size, cudaMemcpyHostToDevice));
  refused(cudaMemcpyAsync(other.get(), gone, size, cudaMemcpyDefault, nullptr));
}

BOOST_AUTO_TEST_CASE(timed_passes_move_no_data_and_take_the_same_time) {
  double taken[2];
  for (const bool timed : {false, true}) {
    start();
    const Stream stream = make_stream();
    const DeviceBuffer memory = device_of('d');
    const PinnedBuffer pinned = pinned_of('p');
    std::string pageable(size, 'h');
    const double before = now_us();
    {
      std::optional<TimedOnly> timed_only;
      if (timed) timed_only.emplace();
      check(cudaMemcpyAsync(memory.get(), pageable.data(), size, cudaMemcpyDefault, stream.get()));
      check(cudaMemcpyAsync(pinned.get(), memory.get(), size, cudaMemcpyDefault, stream.get()));
      check(cudaStreamSynchronize(stream.get()));
    }
    taken[timed ? 1 : 0] = now_us() - before;
    BOOST_TEST(content(pinned.get()) == (timed ? "p" : "h"));
    check(cudaMemset(pinned.get(), 's', size));
    BOOST_TEST(content(pinned.get()) == "s");
  }
  BOOST_TEST(taken[0] == taken[1]);
}

BOOST_FIXTURE_TEST_CASE(what_was_issued_before_a_timed_pass_still_moves_its_data, OneStream) {
  const DeviceBuffer memory = device_of('d');
  const PinnedBuffer pinned = pinned_of('p');
  check(cudaMemcpyAsync(pinned.get(), memory.get(), size, cudaMemcpyDeviceToHost, stream.get()));
  const TimedOnly timed_only;
  check(cudaStreamSynchronize(stream.get()));
  BOOST_TEST(content(pinned.get()) == "d");
}

BOOST_AUTO_TEST_SUITE_END()
