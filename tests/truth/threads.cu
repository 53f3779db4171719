// Threads: as streams, but a host thread for each lane issues the lane's chunks.
#include <atomic>
#include <thread>

#include "tests/truth/transform.cuh"

using namespace plain;

// Returns once the word is no longer `old`. Polls before it sleeps, because waking a thread can
// take longer than issuing its work.
void await_change(const std::atomic<unsigned>& word, unsigned old) {
  for (const double end = now_us() + 200; word == old && now_us() < end;) {
    std::this_thread::yield();
  }
  word.wait(old);
}

int main(int count, char** words) {
  const Job job = begin(count, words);
  const Preset& p = job.preset;
  load_transform();

  const double start = now_us();
  cudaStream_t origin;
  check(cudaStreamCreateWithFlags(&origin, cudaStreamNonBlocking));
  cudaEvent_t forked;
  check(cudaEventCreateWithFlags(&forked, cudaEventDisableTiming));
  std::vector<cudaStream_t> streams(p.lanes);
  std::vector<cudaEvent_t> done(p.lanes);
  std::vector<unsigned char*> memory(p.lanes);
  for (unsigned lane = 0; lane < p.lanes; ++lane) {
    check(cudaStreamCreateWithFlags(&streams[lane], cudaStreamNonBlocking));
    check(cudaEventCreateWithFlags(&done[lane], cudaEventDisableTiming));
    check(cudaMalloc(&memory[lane], p.in_bytes + p.out_bytes));
  }

  const auto issue = [&](unsigned lane) {
    cudaStream_t stream = streams[lane];
    unsigned char* in = memory[lane];
    unsigned char* out = in + p.in_bytes;
    for (unsigned chunk = lane; chunk < p.chunks; chunk += p.lanes) {
      check(cudaMemcpyAsync(in, job.in + chunk * p.in_bytes, p.in_bytes, cudaMemcpyHostToDevice,
                            stream));
      check(cudaMemsetAsync(out, 0, p.out_bytes, stream));
      for (unsigned k = 0; k < p.depth; ++k) transform(p, in, out, k, stream);
      check(cudaMemcpyAsync(job.out + chunk * p.out_bytes, out, p.out_bytes, cudaMemcpyDeviceToHost,
                            stream));
    }
  };

  // The threads exist as long as the program: `passes` starts their work, the last one to finish
  // increments `finished`.
  std::atomic<unsigned> passes = 0, busy = 0, finished = 0;
  std::atomic<bool> over = false;
  const auto work = [&](unsigned lane) {
    for (unsigned seen = 0;; ++seen) {
      await_change(passes, seen);
      if (over) return;
      issue(lane);
      if (--busy > 0) continue;
      ++finished;
      finished.notify_one();
    }
  };
  std::vector<std::thread> threads;
  for (unsigned lane = 0; lane < p.lanes; ++lane) threads.emplace_back(work, lane);
  const double setup_us = now_us() - start;

  const int code = measure("threads", job, setup_us, [&] {
    check(cudaEventRecord(forked, origin));
    for (cudaStream_t stream : streams) check(cudaStreamWaitEvent(stream, forked));

    const unsigned before = finished;
    busy = p.lanes;
    ++passes;
    passes.notify_all();
    await_change(finished, before);

    for (unsigned lane = 0; lane < p.lanes; ++lane) {
      check(cudaEventRecord(done[lane], streams[lane]));
      check(cudaStreamWaitEvent(origin, done[lane]));
    }
    check(cudaStreamSynchronize(origin));
  });
  over = true;
  ++passes;
  passes.notify_all();
  for (std::thread& thread : threads) thread.join();
  return code;
}
