// Decisions of graphs on the device: the end of a WHILE node's loop, and the next launch. Compiled by
// itself, because it needs the device runtime, and loaded by the driver.

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
