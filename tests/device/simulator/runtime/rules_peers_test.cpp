// Memory of one device as another uses it: peer access, copies, and what they cost.
#include "tests/device/simulator/runtime/devices_kit.hpp"

namespace trilane::simulator::rules {

BOOST_FIXTURE_TEST_SUITE(rules_peers, TwoDevices)

namespace {

constexpr std::uint64_t bytes = 1 << 20;

/// A stream of each device, memory of each, and host memory.
struct Pair {
  DeviceBuffer zero = make_device_buffer(bytes), one;
  Stream first = make_stream(), second = stream_on(1);
  PinnedBuffer in = make_pinned_buffer(bytes), out = make_pinned_buffer(bytes);
  Pair() {
    use_device(1);
    one = make_device_buffer(bytes);
    use_device(0);
    std::memset(in.get(), 'i', bytes);
  }
  /// After a sticky error nothing can be released.
  void forget() {
    for (DeviceBuffer* memory : {&zero, &one}) memory->release();
    for (Stream* stream : {&first, &second}) stream->release();
    for (PinnedBuffer* memory : {&in, &out}) memory->release();
  }
};

double duration_of(const Stream& stream) {
  check(cudaStreamSynchronize(stream.get()));
  const Operation& last = *stream.get()->tail.front();
  return last.finished_us - last.started_us;
}

/// Returns the durations of copies in to all of `rates` devices at once, relative to one alone.
std::vector<double> shares(std::vector<double> rates, std::optional<double> host_links = {}) {
  std::vector<double> times;
  for (const std::size_t count : {std::size_t{1}, rates.size()}) {
    Settings settings = usual();
    settings.copy_rates = count == 1 ? std::vector<double>{1} : rates;
    settings.profile.engine.host_links = host_links;
    settings.profile.stream.start_us = {};
    settings.profile.stream.enqueue = {};
    start(settings);
    std::vector<Stream> streams;
    std::vector<DeviceBuffer> memory;
    const PinnedBuffer host = make_pinned_buffer(bytes);
    for (std::size_t device = 0; device < count; ++device) {
      use_device(static_cast<int>(device));
      streams.push_back(make_stream());
      memory.push_back(make_device_buffer(bytes));
    }
    for (std::size_t device = 0; device < count; ++device) {
      check(cudaMemcpyAsync(memory[device].get(), host.get(), bytes, cudaMemcpyDefault,
                            streams[device].get()));
    }
    for (const Stream& stream : streams) times.push_back(duration_of(stream));
  }
  const double alone = times.front();
  times.erase(times.begin());
  for (double& time : times) time /= alone;
  return times;
}

const auto near = boost::test_tools::tolerance(1e-9);

}  // namespace

// Runtime API, Peer Device Memory Access.
BOOST_AUTO_TEST_CASE(access_is_enabled_one_way_and_once) {
  int can = -1;
  check(cudaDeviceCanAccessPeer(&can, 0, 1));
  BOOST_TEST(can == 1);
  check(cudaDeviceCanAccessPeer(&can, 1, 1));
  BOOST_TEST(can == 0);
  BOOST_TEST(cudaDeviceCanAccessPeer(&can, 0, 2) == cudaErrorInvalidDevice);
  BOOST_TEST(cudaDeviceEnablePeerAccess(0, 0) == cudaErrorPeerAccessUnsupported);
  BOOST_TEST(cudaDeviceEnablePeerAccess(2, 0) == cudaErrorInvalidDevice);
  BOOST_TEST(cudaDeviceEnablePeerAccess(1, 1) == cudaErrorInvalidValue);
  BOOST_TEST(cudaDeviceDisablePeerAccess(1) == cudaErrorPeerAccessNotEnabled);
  check(cudaDeviceEnablePeerAccess(1, 0));
  BOOST_TEST(cudaDeviceEnablePeerAccess(1, 0) == cudaErrorPeerAccessAlreadyEnabled);
  use_device(1);
  BOOST_TEST(cudaDeviceDisablePeerAccess(0) == cudaErrorPeerAccessNotEnabled);
  use_device(0);
  check(cudaDeviceDisablePeerAccess(1));
}

// The same: a kernel may access a peer's memory once that is enabled on its own device; otherwise
// the address is illegal, and the error stays.
BOOST_AUTO_TEST_CASE(a_kernel_needs_access_to_a_peers_memory) {
  const enum { none, the_other_way, own } ways[] = {none, the_other_way, own};
  for (const auto way : ways) {
    start(two_devices());
    Pair pair;
    if (way == the_other_way) use_device(1);
    if (way != none) check(cudaDeviceEnablePeerAccess(way == own ? 1 : 0, 0));
    use_device(0);
    use('a', pair.one.get(), 4, Touch::write, pair.first.get());
    const cudaError_t code = cudaStreamSynchronize(pair.first.get());
    BOOST_TEST(code == (way == own ? cudaSuccess : cudaErrorIllegalAddress));
    BOOST_TEST(found() == (way == own ? "none" : "no access"));
    if (way == own) continue;
    const std::string text = first_report();
    BOOST_TEST(trilane::contains(text, "on device 0 touches memory of device 1"), text);
    BOOST_TEST(cudaStreamSynchronize(pair.second.get()) == cudaErrorIllegalAddress);
    pair.forget();
  }
}

// Programming Guide, Device Accessibility for Multi-GPU Support: cudaMemPoolSetAccess, and not
// cudaDeviceEnablePeerAccess, opens a pool. Memory captured from it is as open as it was then.
BOOST_AUTO_TEST_CASE(a_pool_is_opened_by_its_own_call) {
  for (const bool captured : {false, true}) {
    for (const bool opened : {true, false}) {
      start(two_devices());
      Stream first = make_stream(), second = stream_on(1);
      cudaMemPool_t pool = nullptr;
      check(cudaDeviceGetDefaultMemPool(&pool, 0));
      use_device(1);
      check(cudaDeviceEnablePeerAccess(0, 0));
      cudaMemAccessDesc access{{cudaMemLocationTypeDevice, {1}}, cudaMemAccessFlagsProtReadWrite};
      cudaMemAccessFlags flags = cudaMemAccessFlagsProtRead;
      check(cudaMemPoolGetAccess(&flags, pool, &access.location));
      BOOST_TEST(flags == cudaMemAccessFlagsProtNone);
      if (opened) check(cudaMemPoolSetAccess(pool, &access, 1));
      check(cudaMemPoolGetAccess(&flags, pool, &access.location));
      BOOST_TEST((flags == cudaMemAccessFlagsProtReadWrite) == opened);
      if (captured) check(cudaStreamBeginCapture(first.get(), cudaStreamCaptureModeGlobal));
      void* memory = nullptr;
      check(cudaMallocAsync(&memory, 64, first.get()));
      order(0, first.get(), second.get());
      use_device(1);
      use('a', memory, 64, Touch::write, second.get());
      order(1, second.get(), first.get());
      free_async(memory, first);
      GraphExec executable = captured ? launched(end_capture(first), first) : GraphExec();
      const cudaError_t code = cudaStreamSynchronize(first.get());
      BOOST_TEST(code == (opened ? cudaSuccess : cudaErrorIllegalAddress));
      BOOST_TEST(found() == (opened ? "none" : "no access"));
      if (opened) continue;
      for (Stream* stream : {&first, &second}) stream->release();
      executable.release();
    }
  }
}

BOOST_AUTO_TEST_CASE(wrong_access_to_a_pool_is_refused) {
  cudaMemPool_t pool = nullptr;
  check(cudaDeviceGetDefaultMemPool(&pool, 0));
  const auto set = [&](int device, cudaMemAccessFlags flags) {
    const cudaMemAccessDesc access{{cudaMemLocationTypeDevice, {device}}, flags};
    return cudaMemPoolSetAccess(pool, &access, 1);
  };
  BOOST_TEST(set(2, cudaMemAccessFlagsProtReadWrite) == cudaErrorInvalidValue);
  BOOST_TEST(set(1, cudaMemAccessFlagsProtRead) == cudaErrorInvalidValue);
  BOOST_TEST(set(0, cudaMemAccessFlagsProtNone) == cudaErrorInvalidValue);
  BOOST_TEST(set(1, cudaMemAccessFlagsProtReadWrite) == cudaSuccess);
  BOOST_TEST(set(1, cudaMemAccessFlagsProtNone) == cudaSuccess);
}

// C++ Programming Guide, Peer-to-Peer Memory Copy: allowed without access, then staged through the
// host. Any of these functions does it.
BOOST_AUTO_TEST_CASE(a_copy_between_devices_needs_no_access) {
  for (int way = 0; way < 4; ++way) {
    start(two_devices());
    const Pair pair;
    std::byte *const to = pair.one.get(), *const from = pair.zero.get();
    cudaStream_t stream = pair.first.get();
    check(cudaMemcpyAsync(from, pair.in.get(), bytes, cudaMemcpyDefault, stream));
    switch (way) {
      case 0: check(cudaMemcpyPeerAsync(to, 1, from, 0, bytes, stream)); break;
      case 1: check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream)); break;
      case 2: check(cudaMemcpyPeer(to, 1, from, 0, bytes)); break;
      case 3: check(cudaMemcpy(to, from, bytes, cudaMemcpyDefault)); break;
    }
    order(0, way < 2 ? stream : nullptr, pair.second.get());
    check(cudaMemcpyAsync(pair.out.get(), to, bytes, cudaMemcpyDefault, pair.second.get()));
    check(cudaStreamSynchronize(pair.second.get()));
    BOOST_TEST(std::equal(pair.in.get(), pair.in.get() + bytes, pair.out.get()));
    BOOST_TEST(found() == "none");
  }
}

BOOST_AUTO_TEST_CASE(a_peer_copy_names_the_devices_of_its_memory) {
  const Pair pair;
  const auto copy = [&](int to, int from, std::size_t count = bytes) {
    return cudaMemcpyPeerAsync(pair.one.get(), to, pair.zero.get(), from, count, pair.first.get());
  };
  BOOST_TEST(copy(0, 1) == cudaErrorInvalidValue);
  BOOST_TEST(copy(1, 1) == cudaErrorInvalidValue);
  BOOST_TEST(copy(1, 2) == cudaErrorInvalidDevice);
  BOOST_TEST(copy(2, 0, 0) == cudaErrorInvalidDevice);
  BOOST_TEST(copy(1, 0, 0) == cudaSuccess);
  BOOST_TEST(cudaMemcpyPeer(pair.in.get(), 0, pair.zero.get(), 0, 4) == cudaErrorInvalidValue);
}

// Runtime API, cudaMemcpyPeer: serialised with all pending and future work of both devices. The
// same holds for any copy between them in the default stream.
TRILANE_OUTCOMES(a_copy_in_the_default_stream_is_alone_on_both_devices, "ax|by ax|yb xa|by xa|yb",
                 two_devices()) {
  const Pair pair;
  machine().on_execute = [](const Operation& operation) {
    if (operation.task->kind == Kind::copy_within) note('|');
  };
  mark('a', pair.first.get());
  use_device(1);
  mark('x', pair.second.get());
  check(cudaMemcpyAsync(pair.one.get(), pair.zero.get(), 4, cudaMemcpyDefault, nullptr));
  mark('y', pair.second.get());
  use_device(0);
  mark('b', pair.first.get());
  const std::string text = trace_at_ends();
  forget();  // what it copies was never written
  return text;
}

// In a stream it has that stream's order only.
TRILANE_OUTCOMES(a_copy_in_a_stream_is_ordered_there_alone, "ax| a|x xa|", two_devices()) {
  const Pair pair;
  machine().on_execute = [](const Operation& operation) {
    if (operation.task->kind == Kind::copy_within) note('|');
  };
  mark('a', pair.first.get());
  check(cudaMemcpyPeerAsync(pair.one.get(), 1, pair.zero.get(), 0, 4, pair.first.get()));
  use_device(1);
  mark('x', pair.second.get());
  const std::string text = trace_at_ends();
  forget();
  return text;
}

// A choice of this device: with access at the rate of the link between devices, if the profile has
// it; otherwise as through the host.
BOOST_AUTO_TEST_CASE(a_peer_copy_takes_the_rate_of_its_way) {
  Settings settings = two_devices();
  settings.profile.engine.in_gbps = 50;
  settings.profile.engine.out_gbps = 40;
  for (const bool measured : {true, false}) {
    if (measured) settings.profile.engine.peer_gbps = 400;
    if (!measured) settings.profile.engine.peer_gbps.reset();
    start(settings);
    const Pair pair;
    const auto copy_us = [&] {
      check(cudaMemcpyPeerAsync(pair.one.get(), 1, pair.zero.get(), 0, bytes, pair.first.get()));
      return duration_of(pair.first);
    };
    BOOST_TEST(copy_us() == bytes / 40e3, near);
    check(cudaDeviceEnablePeerAccess(1, 0));
    BOOST_TEST(copy_us() == bytes / (measured ? 400e3 : 40e3), near);
  }
}

// A choice of this device: each has a link of its own, as fast as --gpus states; host_links is what
// the host sustains of them.
BOOST_AUTO_TEST_CASE(devices_share_what_the_host_sustains) {
  BOOST_TEST(shares({1, 1, 1}) == (std::vector<double>{1, 1, 1}),
             near << boost::test_tools::per_element());
  BOOST_TEST(shares({1, 0.5}) == (std::vector<double>{1, 2}),
             near << boost::test_tools::per_element());
  BOOST_TEST(shares({1, 1, 1}, 1.5) == (std::vector<double>{2, 2, 2}),
             near << boost::test_tools::per_element());
  BOOST_TEST(shares({1, 1}, 3) == (std::vector<double>{1, 1}),
             near << boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator::rules
