#include "common/measure/gpu/recording.hpp"
#include "tests/device/simulator/runtime/host_kit.hpp"

namespace trilane::simulator::rules {

BOOST_AUTO_TEST_SUITE(rules_host)

namespace {

/// Returns pageable host memory, filled with one letter.
std::vector<char> pageable(char letter) { return std::vector<char>(bytes, letter); }

}  // namespace

// Runtime API, 2 API synchronization behavior, for all here. cudaMemcpy from or to pinned memory
// returns when the copy is complete, and it comes after all earlier work of blocking streams.
TRILANE_OUTCOMES(cudamemcpy_between_pinned_and_device_memory_waits, "waitedi") {
  const PinnedBuffer in = pinned('i'), out = pinned('o');
  const DeviceBuffer memory = device('d');
  const std::string inwards =
      waited([&] { check(cudaMemcpy(memory.get(), in.get(), bytes, cudaMemcpyHostToDevice)); });
  check(cudaMemcpy(out.get(), memory.get(), bytes, cudaMemcpyDeviceToHost));
  return inwards + first(out.get());
}

TRILANE_OUTCOMES(cudamemcpy_to_the_host_waits, "waitedd") {
  std::vector<char> out = pageable('o');
  const DeviceBuffer memory = device('d');
  const std::string outwards =
      waited([&] { check(cudaMemcpy(out.data(), memory.get(), bytes, cudaMemcpyDeviceToHost)); });
  return outwards + out[0];
}

// From pageable memory it waits for the stream, then returns when the bytes have been staged: the
// buffer can be reused at once.
TRILANE_OUTCOMES(cudamemcpy_from_pageable_memory_has_read_it_when_it_returns, "waitedi none") {
  std::vector<char> in = pageable('i');
  const DeviceBuffer memory = device('d');
  const std::string inwards =
      waited([&] { check(cudaMemcpy(memory.get(), in.data(), bytes, cudaMemcpyHostToDevice)); });
  in.assign(bytes, 'x');
  check(cudaDeviceSynchronize());
  return inwards + first(memory.get()) + " " + found();
}

// Then the copy to its final place may still be pending: not waiting for it is a mistake.
BOOST_AUTO_TEST_CASE(cudamemcpy_from_pageable_memory_may_return_before_the_bytes_are_there) {
  for (const bool is_pinned : {true, false}) {
    const auto body = [is_pinned] {
      const Stream stream = make_stream();
      const PinnedBuffer in = pinned('i');
      const std::vector<char> unpinned = pageable('i');
      const DeviceBuffer memory = device('d');
      const void* const from = is_pinned ? static_cast<const void*>(in.get()) : unpinned.data();
      check(cudaMemcpy(memory.get(), from, bytes, cudaMemcpyHostToDevice));
      use('a', memory.get(), bytes, Touch::read, stream.get());
      check(cudaDeviceSynchronize());
      return found();
    };
    BOOST_TEST(outcomes(body) == (is_pinned ? "none" : name_of(Hazard::unordered)));
  }
}

// From device to device memory it does not wait.
TRILANE_OUTCOMES(cudamemcpy_within_the_device_does_not_wait, "did-not-wait") {
  const DeviceBuffer from = device('f'), to = device('t');
  return waited([&] { check(cudaMemcpy(to.get(), from.get(), bytes, cudaMemcpyDeviceToDevice)); });
}

// cudaMemset does not wait, except on pinned memory.
BOOST_AUTO_TEST_CASE(cudamemset_waits_only_on_pinned_memory) {
  const auto on_device = [] {
    const DeviceBuffer memory = device('d');
    return waited([&] { check(cudaMemset(memory.get(), 0, bytes)); });
  };
  BOOST_TEST(outcomes(on_device) == "did-not-wait");
  const auto on_host = [] {
    const PinnedBuffer memory = pinned('p');
    const std::string whether = waited([&] { check(cudaMemset(memory.get(), 's', bytes)); });
    return whether + first(memory.get());
  };
  BOOST_TEST(outcomes(on_host) == "waiteds");
}

// cudaMemcpyAsync between device and pinned memory, or within the device, does not wait; nor does
// cudaMemsetAsync.
TRILANE_OUTCOMES(asynchronous_copies_of_pinned_memory_do_not_wait, "-oi") {
  const Stream stream = make_stream();
  const PinnedBuffer in = pinned('i'), out = pinned('o');
  const DeviceBuffer from = device('f'), to = device('t');
  mark('a', stream.get());
  check(cudaMemcpyAsync(from.get(), in.get(), bytes, cudaMemcpyHostToDevice, stream.get()));
  check(cudaMemcpyAsync(to.get(), from.get(), bytes, cudaMemcpyDeviceToDevice, stream.get()));
  check(cudaMemcpyAsync(out.get(), to.get(), bytes, cudaMemcpyDeviceToHost, stream.get()));
  check(cudaMemsetAsync(to.get(), 0, bytes, stream.get()));
  const std::string then = trace() + first(out.get());
  check(cudaStreamSynchronize(stream.get()));
  return then + first(out.get());
}

// From host to host memory it is complete when it returns.
TRILANE_OUTCOMES(copies_within_the_host_are_complete_when_they_return, "ai") {
  const Stream stream = make_stream();
  const PinnedBuffer in = pinned('i');
  std::vector<char> out = pageable('o');
  mark('a', stream.get());
  check(cudaMemcpyAsync(out.data(), in.get(), bytes, cudaMemcpyHostToHost, stream.get()));
  return trace() + out[0];
}

// To pageable memory it might be synchronous: both happen. Reading before a wait is a mistake.
TRILANE_OUTCOMES(asynchronous_copies_to_pageable_memory_may_wait, "dd od") {
  const Stream stream = make_stream();
  std::vector<char> out = pageable('o');
  const DeviceBuffer memory = device('d');
  check(cudaMemcpyAsync(out.data(), memory.get(), bytes, cudaMemcpyDeviceToHost, stream.get()));
  const std::string then(1, out[0]);
  check(cudaStreamSynchronize(stream.get()));
  return then + out[0];
}

// From pageable memory too: the driver may stage the bytes at once, or read them later. A change
// before a wait may lead to either, and is reported.
TRILANE_OUTCOMES(asynchronous_copies_from_pageable_memory_may_read_it_later, "i x") {
  const Stream stream = make_stream();
  std::vector<char> in = pageable('i');
  const DeviceBuffer memory = device('d');
  check(cudaMemcpyAsync(memory.get(), in.data(), bytes, cudaMemcpyHostToDevice, stream.get()));
  in.assign(bytes, 'x');
  check(cudaStreamSynchronize(stream.get()));
  const char got = first(memory.get());
  if (got == 'x') BOOST_TEST(found() == name_of(Hazard::host_touched));
  return std::string(1, got);
}

// The documentation says nothing about a graph's copies: a launch may wait for them, or not.
TRILANE_OUTCOMES(a_launch_may_wait_for_copies_to_pageable_memory, "dd od") {
  const Stream stream = make_stream();
  std::vector<char> out = pageable('o');
  const DeviceBuffer memory = device('d');
  const Graph graph = capture([&](cudaStream_t origin) {
    check(cudaMemcpyAsync(out.data(), memory.get(), bytes, cudaMemcpyDeviceToHost, origin));
  });
  const GraphExec executable = launched(graph, stream);
  const std::string then(1, out[0]);
  check(cudaStreamSynchronize(stream.get()));
  return then + out[0];
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator::rules
