#include "tests/device/simulator/runtime/host_kit.hpp"

namespace trilane::simulator::rules {

BOOST_FIXTURE_TEST_SUITE(rules_host_memory, Fresh)

// Runtime API, 2 API synchronization behavior: a copy of pinned memory continues after the call. If
// the host writes to its source before it waits, that may be copied; it is a mistake either way.
TRILANE_OUTCOMES(a_pinned_source_changed_while_its_copy_is_under_way_is_found,
                 name_of(Hazard::host_touched)) {
  const Stream stream = make_stream();
  const PinnedBuffer in = pinned('i');
  const DeviceBuffer memory = make_device_buffer(bytes);
  check(cudaMemcpyAsync(memory.get(), in.get(), bytes, cudaMemcpyHostToDevice, stream.get()));
  std::memset(in.get(), 'x', bytes);
  check(cudaStreamSynchronize(stream.get()));
  return found();
}

TRILANE_OUTCOMES(a_pinned_target_changed_while_its_copy_is_under_way_is_found,
                 name_of(Hazard::host_touched)) {
  const Stream stream = make_stream();
  const PinnedBuffer out = pinned('o');
  const DeviceBuffer memory = make_device_buffer(bytes);
  check(cudaMemset(memory.get(), 'd', bytes));
  check(cudaDeviceSynchronize());
  check(cudaMemcpyAsync(out.get(), memory.get(), bytes, cudaMemcpyDeviceToHost, stream.get()));
  std::memset(out.get(), 'x', bytes);
  check(cudaStreamSynchronize(stream.get()));
  return found();
}

// Once the host has waited for the copy the buffer is its own again.
TRILANE_OUTCOMES(a_pinned_buffer_may_be_reused_after_a_wait, "x none") {
  const Stream stream = make_stream();
  const Event event = make_ordering_event();
  const PinnedBuffer in = pinned('i');
  const DeviceBuffer memory = make_device_buffer(bytes);
  for (const char letter : {'x', 'y'}) {
    check(cudaMemcpyAsync(memory.get(), in.get(), bytes, cudaMemcpyHostToDevice, stream.get()));
    check(cudaEventRecord(event.get(), stream.get()));
    mark(letter, stream.get());
    check(cudaEventSynchronize(event.get()));
    std::memset(in.get(), letter, bytes);
  }
  check(cudaStreamSynchronize(stream.get()));
  return first(memory.get()) + std::string(" ") + found();
}

// Runtime API, Memory Management, cudaHostAlloc and cudaHostGetDevicePointer: kernels can address
// pinned memory, under unified addressing at the host's own pointer.
TRILANE_OUTCOMES(kernels_read_and_write_mapped_memory, "hw none") {
  const Stream stream = make_stream();
  void *host = nullptr, *mapped = nullptr;
  check(cudaHostAlloc(&host, bytes, cudaHostAllocMapped));
  const PinnedBuffer owner(static_cast<std::byte*>(host));
  check(cudaHostGetDevicePointer(&mapped, host, 0));
  BOOST_TEST(mapped == host);
  std::memset(host, 'h', bytes);
  use('r', mapped, bytes, Touch::read, stream.get());
  use('w', mapped, bytes, Touch::write, stream.get());
  const char then = first(host);
  check(cudaStreamSynchronize(stream.get()));
  return std::string{then, first(host)} + " " + found();
}

// Runtime API, Memory Management, cudaHostRegister: registered memory is page-locked, and copies
// treat it like that of cudaHostAlloc.
TRILANE_OUTCOMES(registered_memory_counts_as_pinned, "-i") {
  const Stream stream = make_stream();
  std::vector<char> in(bytes, 'i');
  const DeviceBuffer memory = make_device_buffer(bytes);
  check(cudaHostRegister(in.data(), bytes, cudaHostRegisterDefault));
  mark('a', stream.get());
  check(cudaMemcpyAsync(memory.get(), in.data(), bytes, cudaMemcpyHostToDevice, stream.get()));
  const std::string then = trace();
  check(cudaStreamSynchronize(stream.get()));
  check(cudaHostUnregister(in.data()));
  return then + first(memory.get());
}

// The same: pending work uses the memory until the host has waited.
TRILANE_OUTCOMES(unregistering_memory_in_use_is_found, name_of(Hazard::free_before_last_use)) {
  const Stream stream = make_stream();
  std::vector<char> memory(bytes, 'h');
  check(cudaHostRegister(memory.data(), bytes, cudaHostRegisterMapped));
  use('r', memory.data(), bytes, Touch::read, stream.get());
  check(cudaHostUnregister(memory.data()));
  return found();
}

// Runtime API, Memory Management, cudaHostAlloc: existing flags, for memory that is pinned either
// way.
BOOST_FIXTURE_TEST_CASE(write_combined_memory_counts_as_pinned, OneStream) {
  void* host = nullptr;
  BOOST_TEST(cudaHostAlloc(&host, bytes, 8) == cudaErrorInvalidValue);
  check(cudaHostAlloc(&host, bytes, cudaHostAllocWriteCombined | cudaHostAllocMapped));
  const PinnedBuffer owner(static_cast<std::byte*>(host));
  std::memset(host, 'w', bytes);
  const DeviceBuffer memory = make_device_buffer(bytes);
  check(cudaMemcpyAsync(memory.get(), host, bytes, cudaMemcpyHostToDevice, stream.get()));
  BOOST_TEST(!stream.get()->tail.front()->task->pageable);
  use('r', host, bytes, Touch::read, stream.get());
  check(cudaStreamSynchronize(stream.get()));
  BOOST_TEST(first(memory.get()) == 'w');
  BOOST_TEST(found() == "none");
}

// Runtime API, Data types, cudaDevAttrPageableMemoryAccess: a device without it, such as this one,
// cannot use memory that is not registered.
BOOST_AUTO_TEST_CASE(a_kernel_on_pageable_memory_is_found) {
  int access = -1;
  check(cudaDeviceGetAttribute(&access, cudaDevAttrPageableMemoryAccess, 0));
  BOOST_TEST(access == 0);
  Stream stream = make_stream();
  std::vector<char> memory(bytes, 'm');
  use('a', memory.data(), bytes, Touch::read, stream.get());
  BOOST_TEST(found() == name_of(Hazard::outside));
  BOOST_TEST(cudaStreamSynchronize(stream.get()) == cudaErrorIllegalAddress);
  stream.release();  // nothing can be released on a lost device
}

// Runtime API, 2 API synchronization behavior: any call may wait, for example for lack of
// resources; Programming Guide 4.3.1 names cudaMalloc and cudaFree, Runtime API, Memory Management,
// cudaFree says the same.
BOOST_AUTO_TEST_CASE(allocations_and_frees_may_wait) {
  const auto body = [](const auto& act) {
    return [act] {
      DeviceBuffer memory = device('d');
      return waited([&] { act(memory); });
    };
  };
  const auto frees = [](DeviceBuffer& memory) { memory.reset(); };
  const auto allocates = [](DeviceBuffer&) { make_device_buffer(bytes).release(); };
  const auto pins = [](DeviceBuffer&) { make_pinned_buffer(bytes).release(); };
  BOOST_TEST(outcomes(body(frees)) == "did-not-wait waited");
  BOOST_TEST(outcomes(body(allocates)) == "did-not-wait waited");
  BOOST_TEST(outcomes(body(pins)) == "did-not-wait waited");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator::rules
