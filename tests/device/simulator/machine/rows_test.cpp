// Copies of rows: the gaps between them are not touched.
#include "common/device/flavour/flavour.hpp"
#include "common/measure/gpu/recording.hpp"
#include "tests/device/simulator/runtime/built_kit.hpp"

namespace trilane::simulator::rules {

BOOST_FIXTURE_TEST_SUITE(copies_of_rows, Fresh)

namespace {

// Three rows of two bytes, four bytes apart on the host and five on the device.
constexpr std::size_t width = 2, height = 3, host_pitch = 4, device_pitch = 5;
constexpr std::size_t host_bytes = 2 * host_pitch + width;
constexpr std::size_t device_bytes = 2 * device_pitch + width;

template <typename Memory>
std::string content(const Memory& memory, std::size_t bytes) {
  return {reinterpret_cast<const char*>(memory.get()), bytes};
}

struct Bench {
  Bench() {
    std::memcpy(host.get(), "ab..cd..ef", host_bytes);
    check(cudaMemset(device.get(), '-', device_bytes));
    check(cudaDeviceSynchronize());
  }

  cudaError_t in(cudaStream_t on) const {
    return cudaMemcpy2DAsync(device.get(), device_pitch, host.get(), host_pitch, width, height,
                             cudaMemcpyHostToDevice, on);
  }
  cudaError_t out(cudaStream_t on) const {
    return cudaMemcpy2DAsync(host.get(), host_pitch, device.get(), device_pitch, width, height,
                             cudaMemcpyDeviceToHost, on);
  }
  /// Returns the same copy in, of some rows, as the parameters of a node.
  cudaMemcpy3DParms node_in(std::size_t rows = height) const {
    cudaMemcpy3DParms copy{};
    copy.srcPtr = {host.get(), host_pitch, host_pitch, height};
    copy.dstPtr = {device.get(), device_pitch, device_pitch, height};
    copy.extent = {width, rows, 1};
    copy.kind = cudaMemcpyHostToDevice;
    return copy;
  }

  PinnedBuffer host = make_pinned_buffer(host_bytes);
  DeviceBuffer device = make_device_buffer(device_bytes);
  Stream stream = make_stream(), other = make_stream();
};

constexpr char copied_in[] = "ab---cd---ef";

/// Returns the device's time for rows that hold 64 KiB together.
double rows_us(std::size_t rows) {
  constexpr std::size_t bytes = 1 << 16;
  const PinnedBuffer host = make_pinned_buffer(2 * bytes);
  const DeviceBuffer device = make_device_buffer(2 * bytes);
  const Stream stream = make_stream();
  const std::size_t row = bytes / rows;
  check(cudaMemcpy2DAsync(device.get(), 2 * row, host.get(), 2 * row, row, rows, cudaMemcpyDefault,
                          stream.get()));
  check(cudaStreamSynchronize(stream.get()));
  const auto& operation = stream.get()->tail.front();
  return operation->finished_us - operation->started_us;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_gaps_keep_their_content) {
  const Bench bench;
  check(bench.in(bench.stream.get()));
  check(cudaStreamSynchronize(bench.stream.get()));
  BOOST_TEST(content(bench.device, device_bytes) == copied_in);
  std::memcpy(bench.host.get(), "0123456789", host_bytes);
  check(bench.out(bench.stream.get()));
  check(cudaStreamSynchronize(bench.stream.get()));
  BOOST_TEST(content(bench.host, host_bytes) == "ab23cd67ef");
  BOOST_TEST(found() == "none");
}

BOOST_AUTO_TEST_CASE(a_captured_one_and_a_node_do_the_same) {
  const Bench captured, built;
  const Recording recording([&](cudaStream_t on) { check(captured.in(on)); });
  recording.launch(captured.stream.get());
  const Graph graph = make_graph();
  cudaGraphNode_t node = nullptr;
  const cudaMemcpy3DParms copy = built.node_in();
  check(cudaGraphAddMemcpyNode(&node, graph.get(), nullptr, 0, &copy));
  launch(instantiate(graph.get()), built.stream);
  check(cudaDeviceSynchronize());
  BOOST_TEST(content(captured.device, device_bytes) == copied_in);
  BOOST_TEST(content(built.device, device_bytes) == copied_in);
  BOOST_TEST(found() == "none");
}

BOOST_AUTO_TEST_CASE(only_the_rows_can_conflict) {
  const Bench bench;
  check(bench.in(bench.stream.get()));
  use('g', bench.device.get() + width, device_pitch - width, Touch::write, bench.other.get());
  check(cudaDeviceSynchronize());
  BOOST_TEST(found() == "none");
  check(bench.in(bench.stream.get()));
  use('r', bench.device.get() + device_pitch, 1, Touch::write, bench.other.get());
  check(cudaDeviceSynchronize());
  BOOST_TEST(found() == "unordered");
}

BOOST_AUTO_TEST_CASE(two_halves_of_the_same_rows_do_not_conflict) {
  const Bench bench;
  const auto half = [&](std::size_t from, cudaStream_t on) {
    check(cudaMemcpy2DAsync(bench.device.get() + from, 4, bench.host.get() + from, 4, 2, 2,
                            cudaMemcpyHostToDevice, on));
  };
  half(0, bench.stream.get());
  half(2, bench.other.get());
  check(cudaDeviceSynchronize());
  BOOST_TEST(found() == "none");
}

BOOST_AUTO_TEST_CASE(the_same_mistake_in_every_row_is_reported_once) {
  const Bench bench;
  check(bench.in(bench.stream.get()));
  check(bench.in(bench.other.get()));
  check(cudaDeviceSynchronize());
  const std::vector<std::string> hazards = take_hazards();
  BOOST_TEST_REQUIRE(hazards.size() == 1u);
  BOOST_TEST(hazards[0].starts_with("unordered: copy in of 3 rows of 2 bytes (stream "));
}

BOOST_AUTO_TEST_CASE(the_host_may_change_the_gaps_meanwhile_and_not_the_rows) {
  for (const std::size_t changed : {std::size_t{width}, std::size_t{host_pitch}}) {
    start();
    const Bench bench;
    check(bench.in(bench.stream.get()));
    bench.host.get()[changed] = std::byte{'!'};
    check(cudaDeviceSynchronize());
    BOOST_TEST(found() == (changed == width ? "none" : "host touched"));
  }
}

TRILANE_OUTCOMES(pageable_rows_may_be_staged, "ab---cd---ef gh---kl---op") {
  const Bench bench;
  std::string source = "ab..cd..ef";
  check(cudaMemcpy2DAsync(bench.device.get(), device_pitch, source.data(), host_pitch, width,
                          height, cudaMemcpyDefault, bench.stream.get()));
  source = "ghijklmnop";
  check(cudaStreamSynchronize(bench.stream.get()));
  return content(bench.device, device_bytes);
}

// Runtime API, Memory Management, cudaMemcpy2DAsync.
BOOST_AUTO_TEST_CASE(wrong_rows_are_refused) {
  const Bench bench;
  const auto copy = [&](std::size_t to_pitch, std::size_t bytes, std::size_t rows) {
    return cudaMemcpy2DAsync(bench.device.get(), to_pitch, bench.host.get(), host_pitch, bytes,
                             rows, cudaMemcpyHostToDevice, bench.stream.get());
  };
  BOOST_TEST(copy(width - 1, width, height) == cudaErrorInvalidPitchValue);
  BOOST_TEST(copy(device_pitch, host_pitch + 1, height) == cudaErrorInvalidPitchValue);
  BOOST_TEST(copy(std::size_t{1} << 31, width, 1) == cudaErrorInvalidPitchValue);
  BOOST_TEST(copy(device_pitch, width, height + 1) == cudaErrorInvalidValue);  // beyond the end
  // So many rows that the address of the last one overflows to 4 bytes after the first.
  constexpr std::size_t many = (UINT64_MAX / 5 + 1) + 1;
  static_assert(device_pitch == 5 && (many - 1) * device_pitch == 4);
  BOOST_TEST(cudaMemcpy2DAsync(bench.device.get(), device_pitch, bench.host.get(), device_pitch,
                               width, many, cudaMemcpyDefault,
                               bench.stream.get()) == cudaErrorInvalidValue);
  const auto issued = machine().issued;
  BOOST_TEST(copy(device_pitch, 0, height) == cudaSuccess);
  BOOST_TEST(copy(device_pitch, width, 0) == cudaSuccess);
  BOOST_TEST(machine().issued == issued);
}

// Runtime API, Graph Management, cudaGraphExecMemcpyNodeSetParams: "Both the instantiation-time
// memory operands and the memory operands in pNodeParams must be 1-dimensional." An update has no
// such condition.
BOOST_AUTO_TEST_CASE(rows_cannot_be_set_in_an_executable_graph_but_updated) {
  const Bench bench;
  const cudaMemcpy3DParms flat = bench.node_in(1), rows = bench.node_in(), fewer = bench.node_in(2);
  for (const cudaMemcpy3DParms& copy : {flat, rows}) {
    const Graph graph = make_graph();
    cudaGraphNode_t node = nullptr;
    check(cudaGraphAddMemcpyNode(&node, graph.get(), nullptr, 0, &copy));
    const GraphExec executable = instantiate(graph.get());
    const auto set = [&](const cudaMemcpy3DParms& to) {
      return cudaGraphExecMemcpyNodeSetParams(executable.get(), node, &to);
    };
    const bool is_flat = copy.extent.height == 1;
    BOOST_TEST(set(rows) == cudaErrorInvalidValue);
    BOOST_TEST(set(flat) == (is_flat ? cudaSuccess : cudaErrorInvalidValue));
    const Graph other = make_graph();
    check(cudaGraphAddMemcpyNode(&node, other.get(), nullptr, 0, &fewer));
    cudaGraphExecUpdateResultInfo info{};
    BOOST_TEST(cudaGraphExecUpdate(executable.get(), other.get(), &info) == cudaSuccess);
  }
}

BOOST_AUTO_TEST_CASE(a_node_needs_rows_that_fit_their_pitch) {
  const Bench bench;
  const Graph graph = make_graph();
  const auto add = [&](cudaMemcpy3DParms copy) {
    cudaGraphNode_t node = nullptr;
    return cudaGraphAddMemcpyNode(&node, graph.get(), nullptr, 0, &copy);
  };
  cudaMemcpy3DParms copy = bench.node_in();
  copy.srcPtr.pitch = width - 1;
  BOOST_TEST(add(copy) == cudaErrorInvalidValue);
  copy = bench.node_in();
  copy.extent.depth = 2;
  BOOST_TEST(add(copy) == cudaErrorNotSupported);
}

BOOST_AUTO_TEST_CASE(each_further_row_takes_the_device_what_the_profile_says) {
  auto settings = usual();
  settings.profile.engine.row_us = 0.5;
  start(settings);
  const double one = rows_us(1), many = rows_us(1024);
  BOOST_TEST(one > 0);
  BOOST_TEST(many == one + 1023 * 0.5, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator::rules
