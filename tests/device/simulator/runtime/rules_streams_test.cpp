#include "tests/device/simulator/runtime/rules.hpp"

namespace trilane::simulator::rules {

BOOST_AUTO_TEST_SUITE(rules_streams)

// Programming Guide 2.3.5, CUDA Stream Ordering: a stream runs its operations in the order in which
// they were enqueued.
TRILANE_OUTCOMES(operations_of_one_stream_run_in_the_order_of_issue, "abcd") {
  const Stream stream = make_stream();
  for (const char letter : {'a', 'b', 'c', 'd'}) mark(letter, stream.get());
  return trace_after(stream);
}

// Programming Guide 2.3.5: copies too are complete before the next operation of their stream.
TRILANE_OUTCOMES(copies_and_memsets_take_their_turn_in_the_stream, "sskkiiii") {
  const Stream stream = make_stream(), other = make_stream();
  const DeviceBuffer memory = make_device_buffer(8);
  const PinnedBuffer in = make_pinned_buffer(8), out = make_pinned_buffer(8);
  std::fill_n(in.get(), 8, std::byte{'i'});
  mark('x', other.get());
  check(cudaMemcpyAsync(memory.get(), in.get(), 8, cudaMemcpyHostToDevice, stream.get()));
  check(cudaMemsetAsync(memory.get(), 's', 4, stream.get()));
  use('k', memory.get() + 2, 2, Touch::write, stream.get());
  check(cudaMemcpyAsync(out.get(), memory.get(), 8, cudaMemcpyDeviceToHost, stream.get()));
  check(cudaDeviceSynchronize());
  return std::string(reinterpret_cast<const char*>(out.get()), 8);
}

// Programming Guide 2.3.2, CUDA Streams: the runtime picks from the streams that have work; nothing
// orders two streams.
TRILANE_OUTCOMES(operations_of_different_streams_run_in_any_order,
                 "abxy axby axyb xaby xayb xyab") {
  const Stream first = make_stream(), second = make_stream();
  mark('a', first.get());
  mark('b', first.get());
  mark('x', second.get());
  mark('y', second.get());
  return trace_at_end();
}

// Programming Guide 2.3.2.2, Launching Kernels in CUDA Streams: a launch returns at once, and the
// kernel runs at any later time.
TRILANE_OUTCOMES(a_launch_returns_before_the_kernel_has_run, "-") {
  const Stream stream = make_stream();
  mark('a', stream.get());
  return trace();
}

// Runtime API, Stream Management, cudaStreamSynchronize: the host waits for that stream;
// Programming Guide 2.3.7, Explicit Synchronization: other streams may or may not continue
// meanwhile.
TRILANE_OUTCOMES(waiting_for_one_stream_leaves_the_others_free, "ab abx") {
  const Stream first = make_stream(), second = make_stream();
  mark('a', first.get());
  mark('b', first.get());
  mark('x', second.get());
  check(cudaStreamSynchronize(first.get()));
  return ran();
}

// Programming Guide 2.3.7: cudaDeviceSynchronize waits for all work issued in every stream.
TRILANE_OUTCOMES(waiting_for_the_device_waits_for_every_stream, "abc") {
  const Stream first = make_stream(), second = make_blocking_stream();
  mark('a', first.get());
  mark('b', second.get());
  mark('c', nullptr);
  check(cudaDeviceSynchronize());
  return ran();
}

// Runtime API, Stream Management, cudaStreamQuery: success if all of the stream has completed,
// otherwise cudaErrorNotReady; it does not wait.
TRILANE_OUTCOMES(a_query_says_whether_all_of_the_stream_is_done, "cudaErrorNotReady done") {
  const Stream stream = make_stream(), other = make_stream();
  mark('a', stream.get());
  mark('x', other.get());
  check(cudaStreamSynchronize(other.get()));
  const cudaError_t code = cudaStreamQuery(stream.get());
  if (code == cudaSuccess) BOOST_TEST(ran() == "ax");
  return std::string(code == cudaSuccess ? "done" : cudaGetErrorName(code));
}

// The same: a host that keeps polling reaches the end, and may then treat the stream as waited for.
BOOST_AUTO_TEST_CASE(a_host_that_keeps_asking_sees_the_stream_end) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    start(usual(seed));
    const Stream stream = make_stream();
    DeviceBuffer memory = make_device_buffer(4);
    use('a', memory.get(), 4, Touch::write, stream.get());
    mark('b', stream.get());
    int asked = 0;
    while (cudaStreamQuery(stream.get()) == cudaErrorNotReady) BOOST_REQUIRE(++asked < 10'000);
    BOOST_TEST(trace() == "ab");
    memory.reset();
    BOOST_TEST(found() == "none");
  }
}

// Programming Guide 2.3.6.1, Legacy Default Stream: its work waits for all blocking streams, and
// their later work waits for it.
TRILANE_OUTCOMES(the_legacy_stream_is_a_barrier_among_blocking_streams, "abmxy abmyx bamxy bamyx") {
  const Stream first = make_blocking_stream(), second = make_blocking_stream();
  mark('a', first.get());
  mark('b', second.get());
  mark('m', nullptr);
  mark('x', first.get());
  mark('y', second.get());
  return trace_at_end();
}

// Programming Guide 2.3.8, Implicit Synchronization: this does not apply to cudaStreamNonBlocking.
TRILANE_OUTCOMES(the_legacy_stream_is_no_barrier_to_nonblocking_streams,
                 "amx axm max mxa xam xma") {
  const Stream first = make_stream(), second = make_stream();
  mark('a', first.get());
  mark('m', nullptr);
  mark('x', second.get());
  return trace_at_end();
}

// Programming Guide 4.2.2.1.2.2: the legacy stream's handle stands for the blocking streams at all
// times; querying or waiting for it does the same to them.
TRILANE_OUTCOMES(waiting_for_the_legacy_stream_waits_for_blocking_streams, "a ax") {
  const Stream blocking = make_blocking_stream(), free = make_stream();
  mark('a', blocking.get());
  mark('x', free.get());
  check(cudaStreamSynchronize(nullptr));
  return ran();
}

// Runtime API, Stream Management, cudaStreamDestroy: returns at once; the device still completes
// all work in the stream.
TRILANE_OUTCOMES(a_destroyed_stream_completes_its_work, "-ab") {
  Stream stream = make_stream();
  mark('a', stream.get());
  mark('b', stream.get());
  stream.reset();
  const std::string then = trace();
  check(cudaDeviceSynchronize());
  return then + trace();
}

// The same with Programming Guide 2.3.6.1: until then it is a stream that the legacy stream waits
// for.
TRILANE_OUTCOMES(the_legacy_stream_waits_for_work_of_destroyed_streams, "am") {
  Stream stream = make_blocking_stream();
  mark('a', stream.get());
  stream.reset();
  mark('m', nullptr);
  return trace_at_end();
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator::rules
