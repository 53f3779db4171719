// Streams, split: chunks are dealt to GPUs in turn, and on each to lanes.
#include "tests/truth/split.cuh"

int plain::run(int count, char** words) {
  const SplitJob job = begin_split(count, words);
  load_transform(job);

  const double start = now_us();
  const Split split(job);
  const double setup_us = now_us() - start;

  return measure("split_streams", job, setup_us, [&] {
    split.issue_all();
    check(cudaStreamSynchronize(split.origin()));
  });
}
