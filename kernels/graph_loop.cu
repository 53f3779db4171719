// Ends the loop of a WHILE node after a number of turns. Compiled by itself, because setting the
// condition needs the device runtime, and loaded into applications by their driver.

/// `left` holds the number of turns left, at first `turns`, as again after the last one.
extern "C" __global__ void trilane_next_turn(cudaGraphConditionalHandle loop, unsigned* left,
                                             unsigned turns) {
  const unsigned now = *left - 1;
  *left = now == 0 ? turns : now;
  cudaGraphSetConditional(loop, now != 0);
}
