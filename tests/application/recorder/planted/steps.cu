// Steps after each of which the host reads whether to go on. The second argument names the case:
// - "word": short steps, whose number differs from loop to loop. A third argument, "changed", makes
//   each loop a WHILE node, whose last kernel sets the condition;
// - "long": steps of some milliseconds, beside which reading a word takes no time;
// - "host": the host also writes what the next step reads.
#include <cstring>

#include "planted_app.hpp"

static __global__ void relax(std::uint32_t* data, int rounds, const std::uint32_t* salt) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  std::uint32_t value = data[i] + *salt;
  for (int n = 0; n < rounds; ++n) value = (value ^ value >> 13) * 2654435761u;
  data[i] = value;
}

/// Counts a step. The number of a loop's steps follows from how many loops there were.
static __global__ void decide(std::uint32_t* state, cudaGraphConditionalHandle loop,
                              bool in_graph) {
  std::uint32_t &loops = state[0], &left = state[1], &more = state[2];
  if (left == 0) left = 17 + loops++ * 2654435761u % 8;
  more = --left > 0;
  if (in_graph) cudaGraphSetConditional(loop, more);
}

int main(int argc, char** argv) {
  const auto is = [&](int at, const char* how) {
    return argc > at && std::strcmp(argv[at], how) == 0;
  };
  const int loops = iterations(argc, argv), rounds = is(2, "long") ? 400'000 : 20;
  std::uint32_t *in = pinned(), *out = pinned(), *a = on_device(), *state = on_device();
  cudaStream_t stream = new_stream();
  Checksum checksum;
  fill(in, 23);
  CHECK(cudaMemcpy(a, in, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(state, 0, bytes));
  const auto step = [&](cudaGraphConditionalHandle loop, bool in_graph) {
    relax<<<words / 256, 256, 0, stream>>>(a, rounds, state + 8);
    decide<<<1, 1, 0, stream>>>(state, loop, in_graph);
    CHECK(cudaGetLastError());
  };
  cudaGraphExec_t exec = nullptr;
  if (is(3, "changed")) {
    cudaGraph_t graph = nullptr, body = nullptr;
    cudaGraphNode_t node = nullptr;
    cudaGraphConditionalHandle loop{};
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&loop, graph, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams params{};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = loop;
    params.conditional.type = cudaGraphCondTypeWhile;
    params.conditional.size = 1;
    CHECK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
    CHECK(cudaStreamBeginCaptureToGraph(stream, params.conditional.phGraph_out[0], nullptr, nullptr,
                                        0, cudaStreamCaptureModeRelaxed));
    step(loop, true);
    CHECK(cudaStreamEndCapture(stream, &body));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
  }
  for (int i = 0; i < loops; ++i) {
    if (exec != nullptr) CHECK(cudaGraphLaunch(exec, stream));
    do {
      if (is(2, "host")) {
        in[0] = out[2] + static_cast<std::uint32_t>(i);
        CHECK(cudaMemcpyAsync(state + 8, in, 4, cudaMemcpyHostToDevice, stream));
      }
      if (exec == nullptr) step({}, false);
      CHECK(cudaMemcpyAsync(out, state, 16, cudaMemcpyDeviceToHost, stream));
      CHECK(cudaStreamSynchronize(stream));
    } while (out[2] != 0);
    if (i % 4 == 0) launch_mix(a, a, stream);
  }
  CHECK(cudaMemcpy(out, a, bytes, cudaMemcpyDeviceToHost));
  checksum.add(out);
  checksum.print();
}
