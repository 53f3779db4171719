#include "common/device/flavour/flavour.hpp"
#include "common/measure/gpu/runtime/gated_timer.hpp"
#include "tests/device/simulator/runtime/rules.hpp"

namespace trilane::simulator::rules {

BOOST_FIXTURE_TEST_SUITE(allocations, Fresh)

constexpr std::uint64_t page = 2 << 20;

// As the measured driver does: in virtual time cudaFree waits, whatever was drawn.
BOOST_AUTO_TEST_CASE(the_clock_has_a_release_wait_for_the_device) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    auto settings = usual(seed);
    settings.profile.memory.free = {{page, 5}};
    settings.profile.stream.start_us = {};
    start(settings);
    const Stream stream = make_stream();
    DeviceBuffer memory = make_device_buffer(64);
    mark('a', stream.get());
    memory.reset();
    const double end = stream.get()->tail.front()->finished_us;
    BOOST_TEST(end > 0);
    BOOST_TEST(now_us() == end + 5);
    check(cudaDeviceSynchronize());
  }
}

BOOST_AUTO_TEST_CASE(allocating_takes_time_by_size) {
  auto settings = usual();
  settings.profile.calls_us.clear();
  settings.profile.memory.malloc = {{page, 10}, {2 * page, 20}};
  settings.profile.memory.malloc_host = {{100, 1000}, {200, 2000}};
  start(settings);
  const DeviceBuffer device = make_device_buffer(page + page / 2);
  BOOST_TEST(now_us() == 15);
  const PinnedBuffer pinned = make_pinned_buffer(175);
  BOOST_TEST(now_us() == 1765);
}

BOOST_AUTO_TEST_CASE(the_first_small_block_and_the_last_cost_as_much_as_a_page) {
  auto settings = usual();
  settings.profile.calls_us.clear();
  settings.profile.memory.malloc = {{100, 1}, {page, 10}};
  settings.profile.memory.free = {{100, 200}, {page, 3000}};
  start(settings);
  DeviceBuffer large = make_device_buffer(page), first = make_device_buffer(100);
  BOOST_TEST(now_us() == 10 + 10);
  DeviceBuffer second = make_device_buffer(100);
  BOOST_TEST(now_us() == 20 + 1);
  first.reset();
  BOOST_TEST(now_us() == 21 + 200);
  second.reset();
  BOOST_TEST(now_us() == 221 + 3000);
}

// A gate that this thread opens must not stop the clock: its time is unknown.
BOOST_AUTO_TEST_CASE(a_release_behind_a_closed_gate_goes_on) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    start(usual(seed));
    const Stream stream = make_stream();
    DeviceBuffer memory = make_device_buffer(64);
    Gate gate(0.01);
    gate.close(stream.get());
    memory.reset();
    gate.open();
    check(cudaStreamSynchronize(stream.get()));
  }
}

// Relying on that a release waits is reported, whether it does or not. If it did not wait, the
// kernel has accessed released memory.
TRILANE_OUTCOMES(a_release_under_use_is_found_whatever_was_drawn,
                 "-: free before last use, cudaErrorIllegalAddress "
                 "a: free before last use, cudaSuccess") {
  Stream stream = make_stream();
  DeviceBuffer memory = make_device_buffer(64);
  use('a', memory.get(), 64, Touch::write, stream.get());
  memory.reset();
  const std::string names = found();
  const cudaError_t code = cudaStreamSynchronize(stream.get());
  if (code != cudaSuccess) stream.release();
  return trace() + ": " + names + ", " + cudaGetErrorName(code);
}

// Runtime API, Memory Management, cudaFree: a second free returns an error.
BOOST_AUTO_TEST_CASE(a_second_release_is_refused_and_found) {
  void *device = nullptr, *host = nullptr;
  check(cudaMalloc(&device, 64));
  check(cudaMallocHost(&host, 64));
  check(cudaFree(device));
  check(cudaFreeHost(host));
  BOOST_TEST(found() == "none");
  BOOST_TEST(cudaFree(device) == cudaErrorInvalidValue);
  BOOST_TEST(found() == name_of(Hazard::double_free));
  BOOST_TEST(cudaFreeHost(host) == cudaErrorInvalidValue);
  BOOST_TEST(found() == "double free, double free");
}

// Runtime API, Memory Management, cudaFreeHost, cudaFree and cudaHostUnregister: freed memory must
// have come from the matching allocation.
BOOST_AUTO_TEST_CASE(what_was_not_allocated_so_cannot_be_released_so) {
  const DeviceBuffer device = make_device_buffer(64);
  const PinnedBuffer pinned = make_pinned_buffer(64);
  int variable = 0;
  BOOST_TEST(cudaFree(pinned.get()) == cudaErrorInvalidValue);
  BOOST_TEST(cudaFreeHost(device.get()) == cudaErrorInvalidValue);
  BOOST_TEST(cudaFree(device.get() + 16) == cudaErrorInvalidValue);
  BOOST_TEST(cudaFree(&variable) == cudaErrorInvalidValue);
  BOOST_TEST(cudaFreeHost(&variable) == cudaErrorInvalidValue);
  BOOST_TEST(cudaHostUnregister(&variable) == cudaErrorHostMemoryNotRegistered);
  BOOST_TEST(cudaFree(nullptr) == cudaSuccess);
  BOOST_TEST(cudaFreeHost(nullptr) == cudaSuccess);
  BOOST_TEST(machine().leaks().size() == 2);
}

BOOST_AUTO_TEST_CASE(more_than_the_device_has_cannot_be_allocated) {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total));
  BOOST_TEST(total == 1024 * mebibyte);
  BOOST_TEST(free == total);
  DeviceBuffer most = make_device_buffer(1000 * mebibyte);
  check(cudaMemGetInfo(&free, &total));
  BOOST_TEST(free == 24 * mebibyte);
  void* memory = &free;
  BOOST_TEST(cudaMalloc(&memory, 25 * mebibyte) == cudaErrorMemoryAllocation);
  BOOST_TEST(memory == nullptr);
  most.reset();
  BOOST_TEST(cudaMalloc(&memory, 25 * mebibyte) == cudaSuccess);
  check(cudaFree(memory));
}

BOOST_AUTO_TEST_CASE(nothing_asked_for_is_no_memory) {
  void *device = &device, *host = &host;
  BOOST_TEST(cudaMalloc(&device, 0) == cudaSuccess);
  BOOST_TEST(device == nullptr);
  BOOST_TEST(cudaMallocHost(&host, 0) == cudaSuccess);
  BOOST_TEST(host == nullptr);
  BOOST_TEST(cudaMalloc(nullptr, 64) == cudaErrorInvalidValue);
  BOOST_TEST(cudaHostAlloc(&host, 64, 0x1000) == cudaErrorInvalidValue);
}

// Runtime API, Memory Management, cudaHostRegister, cudaHostGetDevicePointer.
TRILANE_OUTCOMES(registered_memory_is_mapped_until_it_is_unregistered, "kkkkt none") {
  std::string text(4096, 't');
  void* device = nullptr;
  BOOST_TEST(cudaHostGetDevicePointer(&device, text.data(), 0) == cudaErrorInvalidValue);
  check(cudaHostRegister(text.data(), text.size(), cudaHostRegisterMapped));
  BOOST_TEST(cudaHostRegister(text.data() + 5, 1, 0) == cudaErrorHostMemoryAlreadyRegistered);
  check(cudaHostGetDevicePointer(&device, text.data(), 0));
  BOOST_TEST(device == text.data());
  use('k', device, 4, Touch::write, nullptr);
  check(cudaDeviceSynchronize());
  check(cudaHostUnregister(text.data()));
  BOOST_TEST(cudaHostGetDevicePointer(&device, text.data(), 0) == cudaErrorInvalidValue);
  return text.substr(0, 5) + " " + found();
}

// Runtime API, Unified Addressing, cudaPointerGetAttributes.
BOOST_AUTO_TEST_CASE(a_pointer_is_known_by_its_sort_of_memory) {
  const DeviceBuffer device = make_device_buffer(64);
  const PinnedBuffer pinned = make_pinned_buffer(64);
  int variable = 0;
  cudaPointerAttributes attributes{};
  check(cudaPointerGetAttributes(&attributes, device.get() + 63));
  BOOST_TEST(attributes.type == cudaMemoryTypeDevice);
  BOOST_TEST(attributes.devicePointer == device.get() + 63);
  BOOST_TEST(attributes.hostPointer == nullptr);
  check(cudaPointerGetAttributes(&attributes, pinned.get()));
  BOOST_TEST(attributes.type == cudaMemoryTypeHost);
  BOOST_TEST(attributes.devicePointer == pinned.get());
  BOOST_TEST(attributes.hostPointer == pinned.get());
  check(cudaPointerGetAttributes(&attributes, &variable));
  BOOST_TEST(attributes.type == cudaMemoryTypeUnregistered);
  BOOST_TEST(attributes.devicePointer == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator::rules
