// Several devices: what belongs to each, and what goes across. "Multi-Device" is that chapter of
// the C++ Programming Guide, 3.2.9.
#include "common/device/flavour/flavour.hpp"
#include "tests/device/simulator/runtime/devices_kit.hpp"

namespace trilane::simulator::rules {

BOOST_FIXTURE_TEST_SUITE(rules_devices, TwoDevices)

// Multi-Device, Stream and Event Behavior: a launch into a stream of another device fails, and so
// does recording an event there.
BOOST_AUTO_TEST_CASE(a_stream_takes_launches_only_while_its_device_is_current) {
  const Stream stream = stream_on(1);
  const Event event = make_ordering_event();
  const NodeKernel kernel('a');
  const auto& [function, grid, block, shared, arguments, extra] = *kernel.get();
  BOOST_TEST(cudaLaunchKernel(function, grid, block, arguments, shared, stream.get()) ==
             cudaErrorInvalidResourceHandle);
  BOOST_TEST(cudaEventRecord(event.get(), stream.get()) == cudaErrorInvalidResourceHandle);
  use_device(1);
  BOOST_TEST(cudaLaunchKernel(function, grid, block, arguments, shared, stream.get()) ==
             cudaSuccess);
  BOOST_TEST(cudaEventRecord(event.get(), stream.get()) == cudaErrorInvalidResourceHandle);
  BOOST_TEST(trace_at_end() == "a");
}

// The same: a copy into such a stream succeeds, and its elapsed time needs two events of one
// device.
BOOST_AUTO_TEST_CASE(copies_and_waits_need_no_current_device) {
  const Stream stream = stream_on(1);
  use_device(1);
  const Event begin = make_timing_event(), end = make_timing_event();
  const DeviceBuffer memory = make_device_buffer(4);
  check(cudaEventRecord(begin.get(), stream.get()));
  use_device(0);
  const PinnedBuffer host = make_pinned_buffer(4);
  check(cudaMemcpyAsync(memory.get(), host.get(), 4, cudaMemcpyDefault, stream.get()));
  check(cudaMemsetAsync(memory.get(), 7, 4, stream.get()));
  const Event other = make_timing_event();
  check(cudaEventRecord(other.get(), nullptr));
  use_device(1);
  check(cudaEventRecord(end.get(), stream.get()));
  use_device(0);
  check(cudaEventSynchronize(end.get()));
  check(cudaEventQuery(end.get()));
  check(cudaStreamSynchronize(stream.get()));
  float ms = 0;
  BOOST_TEST(cudaEventElapsedTime(&ms, begin.get(), end.get()) == cudaSuccess);
  BOOST_TEST(cudaEventElapsedTime(&ms, other.get(), end.get()) == cudaErrorInvalidResourceHandle);
}

// The same: cudaStreamWaitEvent works across devices, and is the only order among their streams.
TRILANE_OUTCOMES(an_event_orders_streams_of_two_devices, "abx axb", two_devices()) {
  const Stream first = make_stream(), second = stream_on(1);
  mark('a', first.get());
  order(first.get(), second.get());
  mark('b', first.get());
  use_device(1);
  mark('x', second.get());
  return trace_at_ends();
}

// The same: each device has a default stream of its own, which may run at any time beside another.
TRILANE_OUTCOMES(default_streams_of_two_devices_are_unordered, "abx axb xab", two_devices()) {
  const Stream blocking = make_blocking_stream();
  mark('a', blocking.get());
  mark('b', nullptr);
  use_device(1);
  mark('x', nullptr);
  return trace_at_ends();
}

TRILANE_OUTCOMES(a_thread_has_a_default_stream_on_each_device, "ax xa", two_devices()) {
  mark('a', cudaStreamPerThread);
  use_device(1);
  mark('x', cudaStreamPerThread);
  return trace_at_ends();
}

// Runtime API, cudaDeviceSynchronize: waits for the current device.
TRILANE_OUTCOMES(a_device_is_waited_for_alone, "a ax", two_devices()) {
  const Stream first = make_stream(), second = stream_on(1);
  mark('a', first.get());
  use_device(1);
  mark('x', second.get());
  use_device(0);
  check(cudaDeviceSynchronize());
  return ran();
}

// The same: with all that its streams wait for.
TRILANE_OUTCOMES(a_device_is_waited_for_with_what_its_streams_wait_for, "a", two_devices()) {
  const Stream first = make_stream(), second = stream_on(1);
  mark('a', first.get());
  order(first.get(), second.get());
  use_device(1);
  check(cudaDeviceSynchronize());
  return trace();
}

// Runtime API, cudaSetDevice: sets the calling host thread's; a new thread has device 0.
BOOST_AUTO_TEST_CASE(every_thread_has_a_current_device) {
  use_device(1);
  int there = -1, here = -1;
  std::thread([&] { check(cudaGetDevice(&there)); }).join();
  check(cudaGetDevice(&here));
  BOOST_TEST(there == 0);
  BOOST_TEST(here == 1);
  BOOST_TEST(cudaSetDevice(2) == cudaErrorInvalidDevice);
  BOOST_TEST(cudaSetDevice(-1) == cudaErrorInvalidDevice);
}

BOOST_AUTO_TEST_CASE(every_device_can_be_told_apart) {
  std::set<std::string> ids, uuids;
  int count = 0;
  check(cudaGetDeviceCount(&count));
  for (int device = 0; device < count; ++device) {
    std::array<char, 13> id{};
    int found = -1, bus = -1;
    cudaDeviceProp properties{};
    check(cudaDeviceGetPCIBusId(id.data(), 13, device));
    check(cudaDeviceGetByPCIBusId(&found, id.data()));
    check(cudaGetDeviceProperties(&properties, device));
    check(cudaDeviceGetAttribute(&bus, cudaDevAttrPciBusId, device));
    BOOST_TEST(found == device);
    BOOST_TEST(bus == properties.pciBusID);
    ids.insert(id.data());
    uuids.emplace(properties.uuid.bytes, sizeof properties.uuid);
  }
  BOOST_TEST(ids.size() == 2u);
  BOOST_TEST(uuids.size() == 2u);
  int none = 0;
  BOOST_TEST(cudaDeviceGetByPCIBusId(&none, "0000:77:00.0") == cudaErrorInvalidDevice);
}

// Runtime API, Unified Addressing: memory is of the device that was current, or of its pool's.
BOOST_AUTO_TEST_CASE(every_device_has_memory_of_its_own) {
  const std::uint64_t all = device_free();
  const DeviceBuffer first = make_device_buffer(all - mebibyte);
  use_device(1);
  BOOST_TEST(device_free() == all);
  const DeviceBuffer second = make_device_buffer(2 * mebibyte);
  const PinnedBuffer host = make_pinned_buffer(4);
  cudaPointerAttributes attributes{};
  for (const auto& [memory, device] :
       {std::pair{first.get(), 0}, {second.get(), 1}, {host.get(), 1}}) {
    check(cudaPointerGetAttributes(&attributes, memory));
    BOOST_TEST(attributes.device == device);
  }
  void* none = nullptr;
  use_device(0);
  BOOST_TEST(cudaMalloc(&none, 2 * mebibyte) == cudaErrorMemoryAllocation);
}

// Runtime API, cudaMallocAsync: from the pool of the stream's device. cudaMallocFromPoolAsync: the
// pool may be another device's.
BOOST_AUTO_TEST_CASE(pools_belong_to_a_device) {
  cudaMemPool_t pools[2] = {};
  for (int device = 0; device < 2; ++device) {
    check(cudaDeviceGetDefaultMemPool(&pools[device], device));
  }
  BOOST_TEST(pools[0] != pools[1]);
  const Stream stream = stream_on(1);
  const std::uint64_t all = device_free();
  for (const int device : {1, 0}) {
    void* memory = nullptr;
    device == 1 ? check(cudaMallocAsync(&memory, 64, stream.get()))
                : check(cudaMallocFromPoolAsync(&memory, 64, pools[0], stream.get()));
    cudaPointerAttributes attributes{};
    check(cudaPointerGetAttributes(&attributes, memory));
    BOOST_TEST(attributes.device == device);
    BOOST_TEST((device_free() == all) == (device == 1));
    free_async(memory, stream);
  }
  check(cudaStreamSynchronize(stream.get()));
}

// Runtime API, cudaGraphAddMemAllocNode: an allocation node has a device, whose memory it takes.
BOOST_AUTO_TEST_CASE(a_graph_can_allocate_on_several_devices) {
  const Stream first = make_stream(), second = stream_on(1);
  check(cudaStreamBeginCapture(first.get(), cudaStreamCaptureModeGlobal));
  order(first.get(), second.get());
  for (const Stream* stream : {&first, &second}) {
    void* memory = nullptr;
    check(cudaMallocAsync(&memory, 64, stream->get()));
    free_async(memory, *stream);
  }
  order(1, second.get(), first.get());
  const GraphExec executable = launched(end_capture(first), first);
  for (const int device : {0, 1}) {
    std::uint64_t used = 0;
    check(cudaDeviceGetGraphMemAttribute(device, cudaGraphMemAttrUsedMemCurrent, &used));
    BOOST_TEST(used == 32 * mebibyte);
  }
  check(cudaStreamSynchronize(first.get()));
  BOOST_TEST(found() == "none");
}

// Programming Guide, Cross-stream Dependencies and Events: an event takes a capture to a stream of
// another device, whose kernels run there.
TRILANE_OUTCOMES(a_capture_spreads_over_devices, "abxc axbc", two_devices()) {
  const Stream first = make_stream(), second = stream_on(1);
  check(cudaStreamBeginCapture(first.get(), cudaStreamCaptureModeGlobal));
  mark('a', first.get());
  order(first.get(), second.get());
  mark('b', first.get());
  use_device(1);
  mark('x', second.get());
  order(1, second.get(), first.get());
  mark('c', first.get());
  std::vector<int> devices;
  const Graph graph = end_capture(first);
  for (const auto& node : graph.get()->nodes) devices.push_back(node->task->device);
  BOOST_TEST((devices == std::vector{0, 0, 1, 0}));
  const GraphExec executable = launched(graph, first);
  return trace_after(first);
}

// Runtime API, cudaGraphExecUpdate and cudaGraphExecKernelNodeSetParams: the device of a node
// cannot change.
BOOST_AUTO_TEST_CASE(a_node_keeps_its_device) {
  const NodeKernel kernel('a');
  cudaGraph_t graphs[2] = {};
  cudaGraphNode_t nodes[2] = {};
  for (const int device : {0, 1}) {
    use_device(device);
    check(cudaGraphCreate(&graphs[device], 0));
    check(cudaGraphAddKernelNode(&nodes[device], graphs[device], nullptr, 0, kernel.get()));
  }
  const Graph first(graphs[0]), second(graphs[1]);
  const GraphExec executable = instantiate(graphs[0]);
  BOOST_TEST(cudaGraphExecKernelNodeSetParams(executable.get(), nodes[0], kernel.get()) ==
             cudaErrorInvalidValue);
  cudaGraphExecUpdateResultInfo info{};
  BOOST_TEST(cudaGraphExecUpdate(executable.get(), graphs[1], &info) ==
             cudaErrorGraphExecUpdateFailure);
  use_device(0);
  check(cudaGraphExecKernelNodeSetParams(executable.get(), nodes[0], kernel.get()));
}

// Programming Guide, Prohibited and Unhandled Operations: a device with a capturing stream cannot
// be waited for; another can.
BOOST_AUTO_TEST_CASE(a_capture_forbids_to_wait_for_its_own_device_only) {
  const Stream stream = make_stream();
  check(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeRelaxed));
  use_device(1);
  BOOST_TEST(cudaDeviceSynchronize() == cudaSuccess);
  use_device(0);
  BOOST_TEST(cudaDeviceSynchronize() == cudaErrorStreamCaptureUnsupported);
  cudaGraph_t none = nullptr;
  BOOST_TEST(cudaStreamEndCapture(stream.get(), &none) == cudaErrorStreamCaptureInvalidated);
}

// Orders of one device do not hold on another: what is missing there is found, and named.
BOOST_AUTO_TEST_CASE(missing_order_across_devices_is_found) {
  for (const bool planted : {true, false}) {
    start(two_devices());
    const Stream first = make_stream(), second = stream_on(1);
    const PinnedBuffer host = make_pinned_buffer(64);
    const DeviceBuffer memory = make_device_buffer(64);
    check(cudaMemcpyAsync(memory.get(), host.get(), 64, cudaMemcpyDefault, first.get()));
    if (!planted) order(first.get(), second.get());
    check(cudaMemcpyAsync(host.get(), memory.get(), 64, cudaMemcpyDefault, second.get()));
    trace_at_ends();
    BOOST_TEST(found() == (planted ? "unordered, unordered" : "none"));
    if (planted) {
      const std::string text = first_report();
      BOOST_TEST(trilane::contains(text, "stream 3 of device 1"), text);
      BOOST_TEST(trilane::contains(text, "stream 2 of device 0"), text);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator::rules
