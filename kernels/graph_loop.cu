// Decisions of graphs on the device: the end of a WHILE node's loop, whether an IF node's body runs,
// the next launch, and other operands. Compiled by itself, because it needs the device runtime, and
// loaded by the driver.

/// `left` holds the number of turns left, at first `turns`, as again after the last one. Returns how
/// many are left now.
__device__ unsigned next_turn(unsigned* left, unsigned turns) {
  const unsigned now = *left - 1;
  *left = now == 0 ? turns : now;
  return now;
}

/// Ends a loop after `turns` turns.
extern "C" __global__ void trilane_next_turn(cudaGraphConditionalHandle loop, unsigned* left,
                                             unsigned turns) {
  cudaGraphSetConditional(loop, next_turn(left, turns) != 0);
}

/// Launches the graph that this kernel belongs to again behind itself, `turns` times in all.
extern "C" __global__ void trilane_launch_again(unsigned* left, unsigned turns) {
  if (next_turn(left, turns) == 0) return;
  cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
}

/// Lets an IF node run its body if the word is not 0.
extern "C" __global__ void trilane_set_condition(cudaGraphConditionalHandle condition,
                                                 const unsigned* word) {
  cudaGraphSetConditional(condition, *word);
}

/// Counts in `counter`, unless the word is 0.
extern "C" __global__ void trilane_count_if(const unsigned* word, unsigned* counter) {
  if (*word != 0) *counter += 1;
}

/// Launches graphs by fire and forget, or behind this one. `accepted` receives how many the runtime
/// took.
extern "C" __global__ void trilane_launch_graphs(const cudaGraphExec_t* graphs, unsigned count,
                                                 unsigned behind, unsigned* accepted) {
  const cudaStream_t how = behind != 0 ? cudaStreamGraphTailLaunch : cudaStreamGraphFireAndForget;
  *accepted = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (cudaGraphLaunch(graphs[i], how) == cudaSuccess) *accepted += 1;
  }
}

/// Makes the second argument of each kernel node the counter that the word chooses. A thread for each
/// node.
extern "C" __global__ void trilane_set_operands(const cudaGraphDeviceNode_t* nodes,
                                                const unsigned* word, unsigned* counters) {
  unsigned* const counter = counters + *word;
  cudaGraphKernelNodeSetParam(nodes[threadIdx.x], sizeof counter, counter);
}
