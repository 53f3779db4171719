// Graph, split: the code of all GPUs' streams is captured once into one graph.
#include "tests/truth/split.cuh"

int plain::run(int count, char** words) {
  const SplitJob job = begin_split(count, words);
  load_transform(job);

  const double start = now_us();
  const Split split(job);
  check(cudaStreamBeginCapture(split.origin(), cudaStreamCaptureModeGlobal));
  split.issue_all();
  cudaGraphExec_t executable = captured(split.origin());
  const double setup_us = now_us() - start;

  return measure_launches("split_graph", job, setup_us, executable, split.origin());
}
