// Threads: as streams, but a host thread for each lane issues the lane's chunks.
#include <atomic>
#include <thread>

#include "tests/truth/transform.cuh"

// Returns once the word is no longer `old`. Polls before it sleeps, because waking a thread can
// take longer than issuing its work.
void await_change(const std::atomic<unsigned>& word, unsigned old) {
  for (const double end = now_us() + 200; word == old && now_us() < end;) {
    std::this_thread::yield();
  }
  word.wait(old);
}

int plain::run(int count, char** words) {
  const Job job = begin(count, words);
  const Preset& p = job.preset;
  load_transform();

  const double start = now_us();
  const LanesWithMemory lanes(p);

  // The threads exist as long as the program: `passes` starts their work, the last one to finish
  // increments `finished`.
  std::atomic<unsigned> passes = 0, busy = 0, finished = 0;
  std::atomic<bool> over = false;
  const auto work = [&](unsigned lane) {
    for (unsigned seen = 0;; ++seen) {
      await_change(passes, seen);
      if (over) return;
      for (unsigned chunk = lane; chunk < p.chunks; chunk += p.lanes) {
        issue_chunk(job, chunk, lanes.memory[lane], lanes.streams[lane]);
      }
      if (--busy > 0) continue;
      ++finished;
      finished.notify_one();
    }
  };
  std::vector<std::thread> threads;
  for (unsigned lane = 0; lane < p.lanes; ++lane) threads.emplace_back(work, lane);
  const double setup_us = now_us() - start;

  const int code = measure("threads", job, setup_us, [&] {
    lanes.fork();

    const unsigned before = finished;
    busy = p.lanes;
    ++passes;
    passes.notify_all();
    await_change(finished, before);

    lanes.join();
    check(cudaStreamSynchronize(lanes.origin));
  });
  over = true;
  ++passes;
  passes.notify_all();
  for (std::thread& thread : threads) thread.join();
  return code;
}
