// Two host threads, each with its own stream. By default, or with "small": short kernels, where the
// calls take the time. "long": kernels that fill the GPU. With "changed" each thread launches them
// as a graph. "linked": memory points to what kernels use.
#include <cstring>
#include <thread>

#include "planted_app.hpp"

namespace {

__global__ void spin(const std::uint32_t* in, std::uint32_t* out, int turns) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  std::uint32_t value = in[i % words];
  for (int turn = 0; turn < turns; ++turn) value = value * 2654435761u + 1;
  if (i < words) out[i] = value;
}

__global__ void follow(std::uint32_t** linked) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < words) (*linked)[i] = (*linked)[i] * 2654435761u + 1;
}

struct Way {
  int kernels = 1, blocks = 0, turns = 0;
  bool graph = false, linked = false;
};

void work(std::uint32_t seed, int count, Way way, Checksum* checksum) {
  std::uint32_t *in = pinned(), *out = pinned(), *a = on_device(), *b = on_device();
  cudaStream_t stream = new_stream();
  fill(in, seed);
  void* pointer = nullptr;
  CHECK(cudaMalloc(&pointer, sizeof b));
  CHECK(cudaMemcpy(pointer, &b, sizeof b, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(b, 0, bytes));
  const auto issue = [&] {
    CHECK(cudaMemcpyAsync(a, in, bytes, cudaMemcpyHostToDevice, stream));
    for (int i = 0; i < way.kernels; ++i) {
      if (way.linked) {
        follow<<<words / 256, 256, 0, stream>>>(static_cast<std::uint32_t**>(pointer));
      } else if (way.turns > 0) {
        spin<<<static_cast<unsigned>(way.blocks), 1024, 0, stream>>>(a, b, way.turns);
      } else {
        launch_mix(a, b, stream);
      }
    }
    CHECK(cudaMemcpyAsync(out, b, bytes, cudaMemcpyDeviceToHost, stream));
  };
  cudaGraphExec_t exec = nullptr;
  if (way.graph) {
    cudaGraph_t graph = nullptr;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    issue();
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
  }
  for (int i = 0; i < count; ++i) {
    if (way.graph) {
      CHECK(cudaGraphLaunch(exec, stream));
    } else {
      issue();
    }
    CHECK(cudaStreamSynchronize(stream));
    checksum->add(out, 16);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Way way;
  for (int i = 2; i < argc; ++i) {
    if (std::strcmp(argv[i], "small") == 0) way.kernels = 40;
    if (std::strcmp(argv[i], "long") == 0) way = {.kernels = 4, .blocks = 264, .turns = 40'000};
    if (std::strcmp(argv[i], "linked") == 0) way.linked = true;
    if (std::strcmp(argv[i], "changed") == 0) way.graph = true;
  }
  Checksum one, other;
  std::thread thread(work, 1u, iterations(argc, argv), way, &one);
  work(2, iterations(argc, argv), way, &other);
  thread.join();
  one.print();
  other.print();
}
