// Iterations of which several could be one graph. The second argument names the case:
// - "short": kernels of a few microseconds on the device's own data, and a wait. A third argument,
//   "changed", makes eight iterations a graph, which leaves the same result;
// - "long": a kernel of some milliseconds, beside which a launch takes no time;
// - "input": the host writes what each iteration copies in;
// - "result": the host reads what each iteration copies out.
#include <cstring>

#include "planted_app.hpp"

namespace {

/// Takes some 100 ns for each round.
__global__ void turn(std::uint32_t* data, int rounds) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  std::uint32_t value = data[i];
  for (int n = 0; n < rounds * 20; ++n) value = value * 2654435761u + 1;
  data[i] = value;
}

void iterate(std::uint32_t* a, std::uint32_t* b, int rounds, cudaStream_t stream) {
  launch_mix(a, b, stream);
  turn<<<words / 256, 256, 0, stream>>>(b, rounds);
  CHECK(cudaGetLastError());
  launch_mix(b, a, stream);
}

cudaGraphExec_t graph_of(int count, std::uint32_t* a, std::uint32_t* b, cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int i = 0; i < count; ++i) iterate(a, b, 1, stream);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  return exec;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int together = 8;
  const auto is = [&](const char* how) { return argc > 2 && std::strcmp(argv[2], how) == 0; };
  const int count = iterations(argc, argv) / together * together;
  std::uint32_t *in = pinned(), *out = pinned(), *a = on_device(), *b = on_device();
  cudaStream_t stream = new_stream();
  Checksum checksum;
  fill(in, 23);
  CHECK(cudaMemcpy(a, in, bytes, cudaMemcpyHostToDevice));
  if (argc > 3 && std::strcmp(argv[3], "changed") == 0) {
    const cudaGraphExec_t graph = graph_of(together, a, b, stream);
    for (int i = 0; i < count; i += together) {
      CHECK(cudaGraphLaunch(graph, stream));
      CHECK(cudaStreamSynchronize(stream));
    }
  } else {
    for (int i = 0; i < count; ++i) {
      if (is("input")) {
        in[0] = static_cast<std::uint32_t>(i);
        CHECK(cudaMemcpyAsync(a, in, 64, cudaMemcpyHostToDevice, stream));
      }
      iterate(a, b, is("long") ? 20'000 : 1, stream);
      if (is("result")) CHECK(cudaMemcpyAsync(out, a, 64, cudaMemcpyDeviceToHost, stream));
      CHECK(cudaStreamSynchronize(stream));
      if (is("result")) checksum.add(out, 16);
    }
  }
  CHECK(cudaMemcpy(out, a, bytes, cudaMemcpyDeviceToHost));
  checksum.add(out);
  checksum.print();
}
