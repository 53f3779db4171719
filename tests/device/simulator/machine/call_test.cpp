#include "common/device/flavour/flavour.hpp"
#include "common/measure/gpu/recording.hpp"
#include "tests/device/simulator/runtime/rules.hpp"

namespace trilane::simulator::rules {

BOOST_FIXTURE_TEST_SUITE(call, Fresh)

BOOST_AUTO_TEST_CASE(calls_are_counted_by_name) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, 256));
  cudaGetErrorName(cudaSuccess);
  cudaGetLastError();
  cudaPeekAtLastError();
  cudaFree(memory);
  const std::vector<std::string> names(machine().calls.begin(), machine().calls.end());
  BOOST_TEST(names == (std::vector<std::string>{"cudaMalloc", "cudaFree"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_call_takes_the_host_time_that_the_profile_says) {
  auto settings = usual();
  settings.profile.calls_us = {{"cudaGetDevice", 1.5}, {"cudaGetLastError", 0.25}};
  start(settings);
  int device = -1;
  cudaGetDevice(&device);
  cudaGetDeviceCount(&device);
  cudaGetLastError();
  BOOST_TEST(now_us() == 1.75);
}

BOOST_FIXTURE_TEST_CASE(handles_that_are_none_are_refused, OneStream) {
  Event event = make_ordering_event();
  const cudaStream_t gone = stream.get();
  const cudaEvent_t gone_too = event.get();
  stream.reset();
  event.reset();
  BOOST_TEST(cudaStreamSynchronize(gone) == cudaErrorInvalidResourceHandle);
  BOOST_TEST(cudaEventSynchronize(gone_too) == cudaErrorInvalidResourceHandle);
  BOOST_TEST(cudaMemsetAsync(nullptr, 0, 0, gone) == cudaErrorInvalidResourceHandle);
}

BOOST_FIXTURE_TEST_CASE(what_is_never_released_is_listed, OneStream) {
  Event event = make_ordering_event();
  PinnedBuffer pinned = make_pinned_buffer(4096);
  DeviceBuffer memory = make_device_buffer(1000);
  Graph graph = capture([](cudaStream_t) {});
  GraphExec executable = instantiate(graph.get());
  MemoryPool pool = make_pool(0);
  void* from_pool = nullptr;
  check(cudaMallocFromPoolAsync(&from_pool, 512, pool.get(), stream.get()));
  const auto leaks = machine().leaks();
  const auto told = [&](const std::string& what) {
    return std::ranges::find(leaks, what) != leaks.end();
  };
  BOOST_TEST(leaks.size() == 8);
  BOOST_TEST(told("stream " + std::to_string(stream.get()->number)));
  BOOST_TEST(told("event " + std::to_string(event.get()->number)));
  BOOST_TEST(told("graph " + std::to_string(graph.get()->number)));
  BOOST_TEST(told("executable graph " + std::to_string(executable.get()->number)));
  BOOST_TEST(told("pool " + std::to_string(pool->number)));
  BOOST_TEST(told("512 bytes of pool " + std::to_string(pool->number)));
  BOOST_TEST(told("4096 bytes of pinned memory"));
  BOOST_TEST(told("1000 bytes of device memory"));
  check(cudaFreeAsync(from_pool, stream.get()));
  pool.reset();
  check(cudaDeviceSynchronize());
  executable.reset();
  graph.reset();
  stream.reset();
  event.reset();
  pinned.reset();
  memory.reset();
  BOOST_TEST(machine().leaks().empty());
}

BOOST_AUTO_TEST_CASE(the_device_is_as_its_profile_describes_it) {
  auto settings = usual();
  settings.profile.name = "Some GPU";
  settings.profile.compute_major = 12;
  settings.profile.multiprocessors = 77;
  start(settings);
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0));
  BOOST_TEST(properties.name == std::string("Some GPU"));
  BOOST_TEST(properties.major == 12);
  BOOST_TEST(properties.multiProcessorCount == 77);
  BOOST_TEST(properties.totalGlobalMem == 1024 * mebibyte);
  int pools = 0;
  check(cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, 0));
  BOOST_TEST(pools == 1);
  char bus_id[13];
  check(cudaDeviceGetPCIBusId(bus_id, sizeof bus_id, 0));
  BOOST_TEST(bus_id == std::string("0000:00:00.0"));
  BOOST_TEST(cudaDeviceGetPCIBusId(bus_id, 12, 0) == cudaErrorInvalidValue);
  BOOST_TEST(cudaGetDeviceProperties(&properties, 1) == cudaErrorInvalidDevice);
  BOOST_TEST(simulated_profile().starts_with("Some GPU (profile of "));
}

// Runtime API, Device Management, cudaSetDeviceFlags and cudaGetDeviceFlags.
BOOST_AUTO_TEST_CASE(the_host_waits_in_one_of_four_ways) {
  unsigned flags = 0;
  for (const unsigned way : {cudaDeviceScheduleAuto, cudaDeviceScheduleSpin,
                             cudaDeviceScheduleYield, cudaDeviceScheduleBlockingSync}) {
    BOOST_TEST(cudaSetDeviceFlags(way) == cudaSuccess);
    check(cudaGetDeviceFlags(&flags));
    BOOST_TEST(flags == (way | cudaDeviceMapHost));
  }
  BOOST_TEST(cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceScheduleYield) ==
             cudaErrorInvalidValue);
  BOOST_TEST(cudaSetDeviceFlags(0x100) == cudaErrorInvalidValue);
  check(cudaGetDeviceFlags(&flags));
  BOOST_TEST(flags == (cudaDeviceScheduleBlockingSync | cudaDeviceMapHost));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator::rules
