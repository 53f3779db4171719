// Mistakes with events and lanes, in streams and in graphs.
#include "common/measure/gpu/recording.hpp"
#include "tests/device/simulator/hazards/mistakes.hpp"
#include "tests/device/simulator/runtime/rules.hpp"

namespace trilane::simulator::mistakes {

using rules::order;
using rules::use;

std::vector<Planted> of_lanes() {
  const std::vector<std::string> read_across{
      "copy out of 1024 bytes (stream 2, operation 2) reads what copy in of 1024 bytes (stream 1, "
      "operation 1) writes",
      "(1024 bytes of device memory)"};
  return {
      {"missing event before a cross-lane read", "unordered", read_across,
       in_scene([](const Scene& s, bool planted) {
         s.upload(s.memory.get(), s.a);
         if (!planted) order(s.a, s.b);
         s.download(s.memory.get(), s.b);
         return s.result();
       })},
      {"event recorded too early", "unordered", read_across,
       in_scene([](const Scene& s, bool planted) {
         const OrderingEvent event;
         if (planted) event.record_on(s.a);
         s.upload(s.memory.get(), s.a);
         if (!planted) event.record_on(s.a);
         event.wait_on(s.b);
         s.download(s.memory.get(), s.b);
         return s.result();
       })},
      {"event waited for before it is recorded", "unordered", read_across,
       in_scene([](const Scene& s, bool planted) {
         const OrderingEvent event;
         s.upload(s.memory.get(), s.a);
         if (planted) event.wait_on(s.b);
         event.record_on(s.a);
         if (!planted) event.wait_on(s.b);
         s.download(s.memory.get(), s.b);
         return s.result();
       })},
      {"event recorded again before it is waited for", "unordered", read_across,
       in_scene([](const Scene& s, bool planted) {
         const OrderingEvent uploaded, other;
         s.upload(s.memory.get(), s.a);
         uploaded.record_on(s.a);
         (planted ? uploaded : other).record_on(s.b);
         uploaded.wait_on(s.b);
         s.download(s.memory.get(), s.b);
         return s.result();
       })},
      {"event of the wrong lane", "unordered", read_across,
       in_scene([](const Scene& s, bool planted) {
         const Stream third = make_stream();
         s.upload(s.memory.get(), s.a);
         order(planted ? third.get() : s.a, s.b);
         s.download(s.memory.get(), s.b);
         return s.result();
       })},
      // The memory of lane a goes to lane b, which may write to it before a has finished with it.
      {"lane reuse without order",
       "unordered",
       {"copy in of 1024 bytes (stream 2, operation 3) writes what copy in of 1024 bytes (stream "
        "1, operation 1) writes",
        "(1024 bytes of device memory)"},
       in_scene([](const Scene& s, bool planted) {
         s.upload(s.memory.get(), s.a);
         s.download(s.memory.get(), s.a);
         if (!planted) order(s.a, s.b);
         s.upload(s.memory.get(), s.b);
         return s.result();
       })},
      {"memset on the wrong lane",
       "unordered",
       {"use (stream 1, operation 2) writes what memset of 1024 bytes (stream 2, operation 1)",
        "(1024 bytes of device memory)"},
       in_scene([](const Scene& s, bool planted) {
         check(cudaMemsetAsync(s.memory.get(), 0, bytes, planted ? s.b : s.a));
         use('k', s.memory.get(), bytes, Touch::read_write, s.a);
         s.download(s.memory.get(), s.a);
         check(cudaDeviceSynchronize());
         const bool right = std::all_of(s.out.get(), s.out.get() + bytes,
                                        [](std::byte byte) { return byte == std::byte{'k'}; });
         return right ? "" : "wrong data";
       })},
      // Two lanes may read the same bytes concurrently, but one of them also writes.
      {"one of two readers writes",
       "unordered",
       {"use (stream 2, operation 3) writes what use (stream 1, operation 2) reads",
        "(1024 bytes of device memory)"},
       in_scene([](const Scene& s, bool planted) {
         s.upload(s.memory.get(), s.a);
         order(s.a, s.b);
         use('r', s.memory.get(), bytes, Touch::read, s.a);
         use('w', s.memory.get(), bytes, planted ? Touch::read_write : Touch::read, s.b);
         return s.wait();
       })},
      // Two lanes add to halves of one result that overlap by a byte.
      {"halves of two lanes overlap",
       "unordered",
       {"use (stream 2, operation 2) writes what use (stream 1, operation 1) writes",
        "(1 bytes of device memory)"},
       in_scene([](const Scene& s, bool planted) {
         use('a', s.memory.get(), bytes / 2 + (planted ? 1 : 0), Touch::write, s.a);
         use('b', s.memory.get() + bytes / 2, bytes / 2, Touch::write, s.b);
         return s.wait();
       })},
      // Half a buffer too far, in the right order: nothing but the data shows it.
      {"wrong chunk copied, in order", "wrong data", {}, in_scene([](const Scene& s, bool planted) {
         s.upload(s.memory.get(), s.a);
         order(s.a, s.b);
         const std::uint64_t half = bytes / 2;
         const std::byte* const upper = s.memory.get() + (planted ? 0 : half);
         s.download(s.memory.get(), s.b);
         check(cudaMemcpyAsync(s.out.get() + half, upper, half, cudaMemcpyDeviceToHost, s.b));
         return s.result();
       })},
  };
}

std::vector<Planted> of_graphs() {
  return {
      {"capture left unjoined",
       "cudaErrorStreamCaptureUnjoined",
       {},
       in_scene([](const Scene& s, bool planted) {
         check(cudaStreamBeginCapture(s.a, cudaStreamCaptureModeGlobal));
         order(s.a, s.b);
         s.upload(s.memory.get(), s.b);
         if (!planted) order(s.b, s.a);
         cudaGraph_t graph = nullptr;
         const cudaError_t code = cudaStreamEndCapture(s.a, &graph);
         const Graph owner(graph);
         return code == cudaSuccess ? "" : cudaGetErrorName(code);
       })},
      {"wrong edge in a graph",
       "unordered",
       {"copy out of 1024 bytes (graph", "node 2 on stream 2, operation 2) reads what copy in of",
        "node 1 on stream 2, operation 1) writes", "(1024 bytes of device memory)"},
       in_scene([](const Scene& s, bool planted) {
         const Recording recording([&](cudaStream_t origin) {
           order(origin, s.a);
           s.upload(s.memory.get(), s.a);
           order(planted ? origin : s.a, s.b);
           s.download(s.memory.get(), s.b);
           order(s.a, origin);
           order(s.b, origin);
         });
         recording.launch(s.b);
         return s.result();
       })},
      // One executable graph waits for its own last launch; two are independent of each other.
      {"two executables of one graph, without order",
       "unordered",
       {"copy in of 1024 bytes (graph", "node 1 on stream 2, operation 3) writes what copy out of",
        "node 2 on stream 1, operation 2) reads", "(1024 bytes of device memory)"},
       in_scene([](const Scene& s, bool planted) {
         const Graph graph = capture([&](cudaStream_t origin) {
           s.upload(s.memory.get(), origin);
           s.download(s.memory.get(), origin);
         });
         const GraphExec one = instantiate(graph), other = instantiate(graph);
         rules::launch(one, s.first);
         rules::launch(planted ? other : one, s.second);
         return s.result();
       })},
      {"graph launched without order",
       "unordered",
       {"copy out of 1024 bytes (graph", "on stream 2, operation 2) reads what copy in of 1024",
        "(stream 1, operation 1) writes", "(1024 bytes of device memory)"},
       in_scene([](const Scene& s, bool planted) {
         const Recording recording(
             [&](cudaStream_t origin) { s.download(s.memory.get(), origin); });
         s.upload(s.memory.get(), s.a);
         if (!planted) order(s.a, s.b);
         recording.launch(s.b);
         return s.result();
       })},
      {"free node beside a use",
       "free before last use",
       {"free of 1024 bytes (graph", "node 4 on stream 1, operation 4) releases what copy out of",
        "node 3 on stream 1, operation 3) reads", "(1024 bytes of graph memory)"},
       in_scene([](const Scene& s, bool planted) {
         const Recording recording([&](cudaStream_t origin) {
           void* memory = nullptr;
           check(cudaMallocAsync(&memory, bytes, origin));
           s.upload(memory, origin);
           order(origin, s.b);
           s.download(memory, s.b);
           if (!planted) order(s.b, origin);
           check(cudaFreeAsync(memory, origin));
           if (planted) order(s.b, origin);
         });
         recording.launch(s.a);
         return s.result();
       })},
  };
}

}  // namespace trilane::simulator::mistakes
