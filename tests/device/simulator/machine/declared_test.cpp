// Kernels that are only timed and checked, by their declarations.
#include "common/device/flavour/flavour.hpp"

#include "tests/device/simulator/runtime/rules.hpp"

namespace trilane::simulator::rules {

BOOST_FIXTURE_TEST_SUITE(declared_kernels, Fresh)

namespace {

constexpr std::uint64_t bytes = 4096;
const auto near = boost::test_tools::tolerance(1e-9);

/// Returns blur(number, from, to), which reads one buffer and writes another of the same size.
DeclaredKernel blur(double us = 10) {
  return {.name = "blur",
          .accesses = {{1, bytes, DeclaredTouch::reads}, {2, bytes, DeclaredTouch::writes}},
          .time_us = us};
}

class Launches {
 public:
  explicit Launches(const DeclaredKernel& kernel) : function_(declare_kernel(kernel)) {}

  void operator()(const void* from, void* to, cudaStream_t stream, unsigned blocks = 1) const {
    int number = 7;
    void* arguments[] = {&number, &from, &to};
    check(cudaLaunchKernel(function_.get(), dim3(blocks), dim3(1024), arguments, 0, stream));
  }

 private:
  std::shared_ptr<const void> function_;
};

/// Returns the device's time for the last operation of a stream.
double last_us(const Stream& stream) {
  check(cudaStreamSynchronize(stream.get()));
  const auto& operation = stream.get()->tail.front();
  return operation->finished_us - operation->started_us;
}

DeviceBuffer zeroed() {
  DeviceBuffer memory = make_device_buffer(bytes);
  check(cudaMemset(memory.get(), 0, bytes));
  check(cudaDeviceSynchronize());
  return memory;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_race_is_found_and_an_order_is_none) {
  for (const bool ordered : {false, true}) {
    start();
    const Launches launch(blur());
    const DeviceBuffer in = zeroed(), middle = zeroed(), out = zeroed();
    const Stream first = make_stream(), second = make_stream();
    launch(in.get(), middle.get(), first.get());
    if (ordered) order(first.get(), second.get());
    launch(middle.get(), out.get(), second.get());
    check(cudaDeviceSynchronize());
    BOOST_TEST(found() == (ordered ? "none" : "unordered"));
    if (!ordered) BOOST_TEST(take_hazards().at(0).starts_with("unordered: blur (stream "));
  }
}

BOOST_AUTO_TEST_CASE(two_may_read_the_same_at_once) {
  const Launches launch(blur());
  const DeviceBuffer in = zeroed(), one = zeroed(), other = zeroed();
  const Stream first = make_stream(), second = make_stream();
  launch(in.get(), one.get(), first.get());
  launch(in.get(), other.get(), second.get());
  check(cudaDeviceSynchronize());
  BOOST_TEST(found() == "none");
}

BOOST_AUTO_TEST_CASE(what_is_read_must_have_been_written) {
  const Launches launch(blur());
  const DeviceBuffer in = make_device_buffer(bytes), out = make_device_buffer(bytes),
                     last = make_device_buffer(bytes);
  launch(in.get(), out.get(), nullptr);
  check(cudaDeviceSynchronize());
  BOOST_TEST(found() == "uninitialised read");
  forget();
  launch(out.get(), last.get(), nullptr);  // output of the first
  check(cudaDeviceSynchronize());
  BOOST_TEST(found() == "none");
}

BOOST_AUTO_TEST_CASE(freed_memory_and_bytes_beyond_an_allocation_are_found) {
  const Launches launch(blur());
  const DeviceBuffer in = zeroed();
  DeviceBuffer out = zeroed();
  void* const freed = out.get();
  out.reset();
  launch(in.get(), freed, nullptr);
  BOOST_TEST(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  BOOST_TEST(found() == "use after free");
  start();
  const DeviceBuffer longer = zeroed(), shorter = make_device_buffer(bytes / 2);
  const Launches again(blur());
  again(longer.get(), shorter.get(), nullptr);
  BOOST_TEST(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  BOOST_TEST(found() == "outside");
}

BOOST_AUTO_TEST_CASE(memory_keeps_its_content) {
  const Launches launch(blur());
  const DeviceBuffer in = zeroed(), out = zeroed();
  const Stream stream = make_stream();
  use('x', out.get(), bytes, trilane::simulator::Touch::write, stream.get());
  launch(in.get(), out.get(), stream.get());
  check(cudaStreamSynchronize(stream.get()));
  BOOST_TEST(static_cast<char>(out.get()[bytes - 1]) == 'x');
}

BOOST_AUTO_TEST_CASE(a_launch_takes_its_time) {
  const TimedOnly timed;
  const DeviceBuffer in = zeroed(), out = zeroed();
  const Stream stream = make_stream();
  for (const double us : {0.5, 12.5, 700.0}) {
    Launches(blur(us))(in.get(), out.get(), stream.get());
    BOOST_TEST(last_us(stream) == us, near);
  }
}

// An H200 has 132 multiprocessors of 2048 threads.
BOOST_AUTO_TEST_CASE(small_ones_run_side_by_side_and_large_ones_share_the_device) {
  constexpr double us = 1000;
  for (const auto& [blocks, both_us] : {std::pair{132u, us}, std::pair{264u, 2 * us}}) {
    start();
    const Launches launch(blur(us));
    const DeviceBuffer in = zeroed(), one = zeroed(), other = zeroed();
    const Stream first = make_stream(), second = make_stream();
    const double begun = now_us();
    launch(in.get(), one.get(), first.get(), blocks);
    launch(in.get(), other.get(), second.get(), blocks);
    check(cudaDeviceSynchronize());
    BOOST_TEST(now_us() - begun > both_us);
    BOOST_TEST(now_us() - begun < both_us + 30);
  }
}

BOOST_AUTO_TEST_CASE(mapped_memory_is_reached_over_the_link) {
  constexpr std::uint64_t mapped_bytes = mebibyte;
  start();
  const Launches launch(
      {.name = "load", .accesses = {{1, mapped_bytes, DeclaredTouch::reads}}, .time_us = 1});
  const PinnedBuffer in = make_pinned_buffer(mapped_bytes);
  const Stream stream = make_stream();
  launch(in.get(), nullptr, stream.get());
  const double least_us =
      mapped_bytes / machine().settings.profile.engine.in_gbps * 1e-3;  // of a copy engine
  BOOST_TEST(last_us(stream) > least_us);
}

BOOST_AUTO_TEST_CASE(a_graph_keeps_what_it_needs_of_one) {
  const DeviceBuffer in = zeroed(), out = zeroed();
  const Stream stream = make_stream();
  cudaGraph_t graph = nullptr;
  check(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal));
  Launches(blur(50))(in.get(), out.get(), stream.get());
  check(cudaStreamEndCapture(stream.get(), &graph));
  const Graph owner(graph);
  const GraphExec executable = instantiate(graph);
  launch(executable, stream);
  BOOST_TEST(last_us(stream) == 50, near);
}

BOOST_AUTO_TEST_CASE(the_runtime_forgets_one_that_is_gone) {
  std::shared_ptr<const void> kernel = declare_kernel(blur());
  const void* const function = kernel.get();
  cudaFuncAttributes attributes{};
  BOOST_TEST(cudaFuncGetAttributes(&attributes, function) == cudaSuccess);
  start();  // it does not belong to a machine
  BOOST_TEST(cudaFuncGetAttributes(&attributes, function) == cudaSuccess);
  kernel.reset();
  BOOST_TEST(cudaFuncGetAttributes(&attributes, function) == cudaErrorInvalidDeviceFunction);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator::rules
