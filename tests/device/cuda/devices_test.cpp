// The rules of several devices that the simulated ones follow, on the devices of either flavour.
#include "common/measure/gpu/runtime/handles.hpp"
#include "kernels/transform.hpp"
#include "tests/device/cuda/several_devices.hpp"

namespace trilane {

namespace {

constexpr std::uint64_t words = 1024, bytes = words * sizeof(std::uint32_t);

void use_device(int device) { check(cudaSetDevice(device)); }

/// A stream and zeroed memory of one device.
struct Seat {
  explicit Seat(int device) {
    use_device(device);
    stream = make_stream();
    event = make_timing_event();
    in = make_device_buffer(bytes);
    out = make_device_buffer(bytes);
    for (const DeviceBuffer* memory : {&in, &out}) {
      check(cudaMemsetAsync(memory->get(), 0, bytes, stream.get()));
    }
    check(cudaStreamSynchronize(stream.get()));
    use_device(0);
  }
  Stream stream;
  Event event;
  DeviceBuffer in, out;
};

struct TwoSeats {
  Seat first{0}, second{1};
  ~TwoSeats() { use_device(0); }
};

cudaError_t launch(const Seat& seat, const std::byte* in) {
  KernelLaunch call =
      transform_launch(reinterpret_cast<const std::uint32_t*>(in),
                       reinterpret_cast<std::uint32_t*>(seat.out.get()), words, words, 0, 1);
  return cudaLaunchKernel(call.function, call.grid, call.block, call.arguments().data(), 0,
                          seat.stream.get());
}

std::vector<std::byte> content(const DeviceBuffer& memory) {
  std::vector<std::byte> found(bytes);
  check(cudaMemcpy(found.data(), memory.get(), bytes, cudaMemcpyDefault));
  return found;
}

/// Enables access while it lives, if the devices can.
class PeerAccess : boost::noncopyable {
 public:
  PeerAccess() {
    check(cudaDeviceCanAccessPeer(&can_, 0, 1));
    if (can_ != 0) check(cudaDeviceEnablePeerAccess(1, 0));
  }
  ~PeerAccess() {
    use_device(0);
    if (can_ != 0) warn(cudaDeviceDisablePeerAccess(1));
  }
  explicit operator bool() const { return can_ != 0; }

 private:
  int can_ = 0;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(devices, *boost::unit_test::precondition(need_two_devices))

BOOST_FIXTURE_TEST_CASE(records_need_their_own_device, TwoSeats) {
  BOOST_TEST(cudaEventRecord(first.event.get(), second.stream.get()) ==
             cudaErrorInvalidResourceHandle);
  BOOST_TEST(cudaMemcpyAsync(second.out.get(), second.in.get(), bytes, cudaMemcpyDefault,
                             second.stream.get()) == cudaSuccess);
  use_device(1);
  BOOST_TEST(launch(second, second.in.get()) == cudaSuccess);
  BOOST_TEST(cudaEventRecord(second.event.get(), second.stream.get()) == cudaSuccess);
  use_device(0);
  check(cudaEventRecord(first.event.get(), first.stream.get()));
  check(cudaStreamWaitEvent(first.stream.get(), second.event.get(), 0));
  check(cudaStreamSynchronize(first.stream.get()));
  BOOST_TEST(cudaEventQuery(second.event.get()) == cudaSuccess);
  float ms = 0;
  BOOST_TEST(cudaEventElapsedTime(&ms, first.event.get(), second.event.get()) ==
             cudaErrorInvalidResourceHandle);
  cudaGetLastError();
}

BOOST_FIXTURE_TEST_CASE(memory_knows_its_device, TwoSeats) {
  cudaPointerAttributes attributes{};
  for (const Seat* seat : {&first, &second}) {
    check(cudaPointerGetAttributes(&attributes, seat->in.get()));
    BOOST_TEST(attributes.device == (seat == &first ? 0 : 1));
    void* memory = nullptr;
    check(cudaMallocAsync(&memory, bytes, seat->stream.get()));
    check(cudaPointerGetAttributes(&attributes, memory));
    BOOST_TEST(attributes.device == (seat == &first ? 0 : 1));
    check(cudaFreeAsync(memory, seat->stream.get()));
    check(cudaStreamSynchronize(seat->stream.get()));
  }
}

BOOST_FIXTURE_TEST_CASE(copies_between_devices_need_no_access, TwoSeats) {
  check(cudaMemset(first.in.get(), 7, bytes));
  check(cudaDeviceSynchronize());
  check(cudaMemcpyPeerAsync(second.in.get(), 1, first.in.get(), 0, bytes, first.stream.get()));
  check(cudaStreamSynchronize(first.stream.get()));
  BOOST_TEST((content(second.in) == content(first.in)));
  check(cudaMemcpy(second.out.get(), first.in.get(), bytes, cudaMemcpyDefault));
  check(cudaDeviceSynchronize());
  BOOST_TEST((content(second.out) == content(first.in)));
  check(cudaMemcpyPeer(first.out.get(), 0, second.in.get(), 1, bytes));
  BOOST_TEST((content(first.out) == content(first.in)));
}

BOOST_FIXTURE_TEST_CASE(access_is_enabled_once, TwoSeats) {
  BOOST_TEST(cudaDeviceEnablePeerAccess(0, 0) == cudaErrorPeerAccessUnsupported);
  BOOST_TEST(cudaDeviceDisablePeerAccess(1) == cudaErrorPeerAccessNotEnabled);
  if (const PeerAccess access; access) {
    BOOST_TEST(cudaDeviceEnablePeerAccess(1, 0) == cudaErrorPeerAccessAlreadyEnabled);
    cudaGetLastError();
    check(launch(first, second.in.get()));
    BOOST_TEST(cudaStreamSynchronize(first.stream.get()) == cudaSuccess);
    BOOST_TEST((content(first.out) != std::vector<std::byte>(bytes)));
  }
  cudaGetLastError();
}

BOOST_FIXTURE_TEST_CASE(one_graph_has_kernels_of_two_devices, TwoSeats) {
  check(cudaStreamBeginCapture(first.stream.get(), cudaStreamCaptureModeThreadLocal));
  check(launch(first, first.in.get()));
  const Event fork = make_ordering_event();
  check(cudaEventRecord(fork.get(), first.stream.get()));
  use_device(1);
  check(cudaStreamWaitEvent(second.stream.get(), fork.get(), 0));
  check(launch(second, second.in.get()));
  const Event join = make_ordering_event();
  check(cudaEventRecord(join.get(), second.stream.get()));
  use_device(0);
  check(cudaStreamWaitEvent(first.stream.get(), join.get(), 0));
  cudaGraph_t captured = nullptr;
  check(cudaStreamEndCapture(first.stream.get(), &captured));
  const Graph graph(captured);
  const GraphExec executable = instantiate(graph);
  check(cudaGraphLaunch(executable.get(), first.stream.get()));
  check(cudaStreamSynchronize(first.stream.get()));
  BOOST_TEST((content(first.out) == content(second.out)));
  BOOST_TEST((content(first.out) != std::vector<std::byte>(bytes)));
}

BOOST_AUTO_TEST_CASE(the_simulated_devices_found_no_hazard) {
  BOOST_TEST(take_hazards() == std::vector<std::string>{}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane
