#include "common/device/flavour/flavour.hpp"
#include "common/measure/gpu/recording.hpp"
#include "kernels/transform.hpp"
#include "tests/device/simulator/runtime/rules.hpp"

namespace trilane::simulator::rules {

BOOST_FIXTURE_TEST_SUITE(kernel_launch, Fresh)

namespace {

void launch_transform(KernelLaunch transform, cudaStream_t stream) {
  check(cudaLaunchKernel(transform.function, transform.grid, transform.block,
                         transform.arguments().data(), 0, stream));
}

/// Launches transform_each with the given grid and block.
cudaError_t launch_with(dim3 grid, dim3 block, std::size_t shared_bytes = 0) {
  const DeviceBuffer memory = make_device_buffer(64);
  auto* const words = reinterpret_cast<std::uint32_t*>(memory.get());
  check(cudaMemset(memory.get(), 0, 64));
  KernelLaunch transform = transform_launch(words, words + 8, 8, 8, 0, 1);
  const cudaError_t code = cudaLaunchKernel(transform.function, grid, block,
                                            transform.arguments().data(), shared_bytes, nullptr);
  check(cudaDeviceSynchronize());
  return code;
}

}  // namespace

// Runtime API, Execution Control, cudaLaunchKernel, and its cudaErrorInvalidDeviceFunction.
BOOST_AUTO_TEST_CASE(a_function_that_is_no_kernel_is_refused) {
  int variable = 0;
  BOOST_TEST(cudaLaunchKernel(&variable, dim3(1), dim3(1), nullptr, 0, nullptr) ==
             cudaErrorInvalidDeviceFunction);
  cudaFuncAttributes attributes{};
  BOOST_TEST(cudaFuncGetAttributes(&attributes, &variable) == cudaErrorInvalidDeviceFunction);
  BOOST_TEST(load_kernels() == cudaSuccess);
  BOOST_TEST(cudaLaunchKernel(transform_each_kernel(), dim3(1), dim3(1), nullptr, 0, nullptr) ==
             cudaErrorInvalidValue);
}

// Runtime API, Execution Control, cudaLaunchKernelExC. Permission to begin early is not an order:
// here it comes after the previous launch.
TRILANE_OUTCOMES(a_launch_with_a_configuration_is_a_launch, "ab") {
  const Stream stream = make_stream();
  const NodeKernel kernel('b');
  cudaLaunchAttribute attributes[2] = {};
  attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[1].val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = kernel.get()->gridDim;
  config.blockDim = kernel.get()->blockDim;
  config.stream = stream.get();
  config.attrs = attributes;
  config.numAttrs = 2;
  const auto launch = [&] {
    return cudaLaunchKernelExC(&config, kernel.get()->func, kernel.get()->kernelParams);
  };
  mark('a', stream.get());
  BOOST_TEST(launch() == cudaSuccess);
  attributes[0].id = cudaLaunchAttributeCooperative;
  BOOST_TEST(launch() == cudaErrorNotSupported);
  config.attrs = nullptr;
  BOOST_TEST(launch() == cudaErrorInvalidValue);
  config.numAttrs = 0;
  config.gridDim = dim3(0);
  BOOST_TEST(launch() == cudaErrorInvalidConfiguration);
  return trace_after(stream);
}

/// Captures a launch that may begin early behind `before`. Returns for each edge whether it is
/// programmatic.
std::string edges_behind(const std::function<void(cudaStream_t)>& before, int allowed = 1) {
  const NodeKernel kernel('b');
  const Graph graph = capture([&](cudaStream_t origin) {
    before(origin);
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = allowed;
    cudaLaunchConfig_t config{};
    config.gridDim = kernel.get()->gridDim;
    config.blockDim = kernel.get()->blockDim;
    config.stream = origin;
    config.attrs = &attribute;
    config.numAttrs = 1;
    check(cudaLaunchKernelExC(&config, kernel.get()->func, kernel.get()->kernelParams));
  });
  std::size_t count = 4;
  cudaGraphNode_t from[4] = {}, to[4] = {};
  cudaGraphEdgeData data[4] = {};
  check(cudaGraphGetEdges(graph.get(), from, to, data, &count));
  std::string edges;
  for (std::size_t i = 0; i < count; ++i) {
    const bool programmatic = data[i].type == cudaGraphDependencyTypeProgrammatic;
    BOOST_TEST(data[i].from_port == (programmatic ? cudaGraphKernelNodePortProgrammatic : 0));
    edges += programmatic ? 'p' : '-';
  }
  const cudaError_t without_data = cudaGraphGetEdges(graph.get(), from, to, nullptr, &count);
  const bool lossy = edges.find('p') != std::string::npos;
  BOOST_TEST(without_data == (lossy ? cudaErrorLossyQuery : cudaSuccess));
  return edges;
}

// Programming Guide, Programmatic Dependent Launch, Use in CUDA Graphs; Runtime API, Graph
// Management, cudaGraphGetEdges.
BOOST_AUTO_TEST_CASE(a_captured_launch_that_may_begin_early_has_a_programmatic_edge) {
  const DeviceBuffer memory = make_device_buffer(4);
  const Stream lane = make_stream();
  const auto kernel = [](cudaStream_t origin) { mark('a', origin); };
  const auto clear = [&](cudaStream_t origin) {
    check(cudaMemsetAsync(memory.get(), 0, 4, origin));
  };
  const auto two_kernels = [&](cudaStream_t origin) {
    order(origin, lane.get());
    mark('c', lane.get());
    mark('a', origin);
    order(lane.get(), origin);
  };
  BOOST_TEST(edges_behind([](cudaStream_t) {}) == "");
  BOOST_TEST(edges_behind(kernel) == "p");
  BOOST_TEST(edges_behind(kernel, 0) == "-");
  BOOST_TEST(edges_behind(clear) == "-");
  BOOST_TEST(edges_behind(two_kernels) == "--");
}

// Programming Guide, Technical Specifications per Compute Capability.
BOOST_AUTO_TEST_CASE(grids_and_blocks_beyond_the_limits_are_refused) {
  const auto refused = cudaErrorInvalidConfiguration;
  BOOST_TEST(launch_with(dim3(0), dim3(1)) == refused);
  BOOST_TEST(launch_with(dim3(1, 0), dim3(1)) == refused);
  BOOST_TEST(launch_with(dim3(1), dim3(0)) == refused);
  BOOST_TEST(launch_with(dim3(1), dim3(1, 1, 0)) == refused);
  BOOST_TEST(launch_with(dim3(2147483648u), dim3(1)) == refused);
  BOOST_TEST(launch_with(dim3(1, 65536), dim3(1)) == refused);
  BOOST_TEST(launch_with(dim3(1), dim3(1025)) == refused);
  BOOST_TEST(launch_with(dim3(1), dim3(1, 1, 65)) == refused);
  BOOST_TEST(launch_with(dim3(1), dim3(32, 33)) == refused);
  BOOST_TEST(launch_with(dim3(1), dim3(1), 49153) == cudaErrorInvalidValue);
  BOOST_TEST(launch_with(dim3(1), dim3(32, 32)) == cudaSuccess);
}

// Runtime API, Data types, cudaErrorIllegalAddress: at execution, seen by a later call.
BOOST_AUTO_TEST_CASE(a_kernel_that_reaches_beyond_memory_loses_the_device) {
  for (const bool timed : {false, true}) {
    start();
    DeviceBuffer memory = make_device_buffer(64);
    Stream stream = make_stream();
    check(cudaMemset(memory.get(), 0, 64));
    check(cudaDeviceSynchronize());
    std::optional<TimedOnly> timed_only;
    if (timed) timed_only.emplace();
    auto* const words = reinterpret_cast<std::uint32_t*>(memory.get());
    launch_transform(transform_launch(words, words + 8, 9, 9, 0, 1), stream.get());
    mark('b', stream.get());
    BOOST_TEST(cudaPeekAtLastError() == cudaSuccess);
    BOOST_TEST(cudaStreamSynchronize(stream.get()) == cudaErrorIllegalAddress);
    BOOST_TEST(cudaGetLastError() == cudaErrorIllegalAddress);
    BOOST_TEST(trace() == "-");
    BOOST_TEST(found().find(name_of(Hazard::outside)) != std::string::npos);
    memory.release();
    stream.release();
  }
}

BOOST_FIXTURE_TEST_CASE(what_a_kernel_runs_into_stays, OneStream) {
  fail(cudaErrorMisalignedAddress, stream.get());
  BOOST_TEST(cudaStreamSynchronize(stream.get()) == cudaErrorMisalignedAddress);
  BOOST_TEST(cudaDeviceSynchronize() == cudaErrorMisalignedAddress);
  stream.release();
}

BOOST_AUTO_TEST_CASE(its_size_is_what_the_profile_takes_its_time_from) {
  const DeviceBuffer memory = make_device_buffer(4 * 2000);
  auto* const words = reinterpret_cast<std::uint32_t*>(memory.get());
  launch_transform(transform_launch(words, words + 1500, 1500, 500, 0, 7), nullptr);
  const KernelSize& size = machine().gpu().legacy.tail.front()->task->kernel;
  BOOST_TEST(size.reduces);
  BOOST_TEST(size.words == 1500);
  BOOST_TEST(size.outputs == 500);
  BOOST_TEST(size.blocks == 6);
  BOOST_TEST(size.rounds == 7);
}

// Traffic over the link to the host and to device memory: by where the bytes are.
BOOST_AUTO_TEST_CASE(its_traffic_is_what_it_touches_and_where) {
  const DeviceBuffer memory = make_device_buffer(4 * 2000);
  const PinnedBuffer host = make_pinned_buffer(4 * 2000);
  const auto traffic = [] { return machine().gpu().legacy.tail.front()->task->traffic; };
  use('a', host.get(), 1000, Touch::read, nullptr);
  BOOST_TEST(traffic().in == 1000u);
  BOOST_TEST(traffic().out + traffic().device == 0u);
  use('b', host.get() + 8, 500, Touch::read_write, nullptr);
  BOOST_TEST(traffic().in == 500u);
  BOOST_TEST(traffic().out == 500u);
  use('c', memory.get(), 300, Touch::write, nullptr);
  BOOST_TEST(traffic().device == 300u);
  use('d', memory.get(), 300, Touch::read_write, nullptr);
  BOOST_TEST(traffic().device == 600u);
  check(cudaMemset(host.get(), 0, 700));
  BOOST_TEST(traffic().out == 700u);
  BOOST_TEST(traffic().in + traffic().device == 0u);
}

// The host blocks when a stream's queue is full.
BOOST_AUTO_TEST_CASE(a_full_queue_makes_the_host_wait_for_room) {
  auto settings = usual();
  settings.queue_depth = 2;
  start(settings);
  const Stream stream = make_stream(), other = make_stream();
  mark('a', stream.get());
  const auto first = stream.get()->tail.front();
  mark('b', stream.get());
  mark('c', other.get());
  BOOST_TEST(trace() == "-");
  mark('d', stream.get());
  BOOST_TEST(trace().find('a') != std::string::npos);
  BOOST_TEST(first->finished_us > 0);
  BOOST_TEST(now_us() >= first->finished_us);
  BOOST_TEST(trace().find('d') == std::string::npos);
  check(cudaDeviceSynchronize());
  mark('e', stream.get());
  mark('f', stream.get());
  BOOST_TEST(ran() == "abcd");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator::rules
