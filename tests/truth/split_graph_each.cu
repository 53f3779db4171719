// A graph for each GPU, split: each pass is a launch on each of them.
#include "tests/truth/split.cuh"

int plain::run(int count, char** words) {
  const SplitJob job = begin_split(count, words);
  const auto gpus = static_cast<unsigned>(job.gpus.size());
  load_transform(job);

  const double start = now_us();
  const Split split(job);
  std::vector<cudaGraphExec_t> executables;
  std::vector<cudaEvent_t> ended(gpus);
  for (unsigned gpu = 0; gpu < gpus; ++gpu) {
    const LanesWithMemory& home = split.homes[gpu];
    split.enter(gpu);
    check(cudaEventCreateWithFlags(&ended[gpu], cudaEventDisableTiming));
    check(cudaStreamBeginCapture(home.origin, cudaStreamCaptureModeGlobal));
    home.fork();
    for (unsigned chunk = gpu; chunk < job.preset.chunks; chunk += gpus) split.issue(chunk);
    home.join();
    executables.push_back(captured(home.origin));
  }
  split.enter(0);
  cudaEvent_t begun;
  check(cudaEventCreateWithFlags(&begun, cudaEventDisableTiming));
  const double setup_us = now_us() - start;

  return measure("split_graph_each", job, setup_us, [&] {
    check(cudaEventRecord(begun, split.origin()));
    for (unsigned gpu = 0; gpu < gpus; ++gpu) {
      const cudaStream_t stream = split.homes[gpu].origin;
      split.enter(gpu);
      if (gpu > 0) check(cudaStreamWaitEvent(stream, begun));
      check(cudaGraphLaunch(executables[gpu], stream));
      if (gpu > 0) check(cudaEventRecord(ended[gpu], stream));
    }
    for (unsigned gpu = 1; gpu < gpus; ++gpu) {
      check(cudaStreamWaitEvent(split.origin(), ended[gpu]));
    }
    split.enter(0);
    check(cudaStreamSynchronize(split.origin()));
  });
}
