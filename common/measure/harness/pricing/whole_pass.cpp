#include "common/measure/harness/pricing/whole_pass.hpp"

#include <algorithm>
#include <cmath>

#include "common/explain/analysis/limits/pipelined.hpp"
#include "common/measure/harness/pricing/stage_timer.hpp"

namespace trilane {

namespace {

/// Returns the arithmetic time of a kernel on the job's first chunk: its time minus that of a
/// single round. A kernel's time is linear in the rounds; if memory limits it at first, it rises
/// less.
double arithmetic_us(StageTimer& timer, std::uint32_t rounds) {
  constexpr std::uint32_t enough = 257;
  const std::uint32_t timed = std::min(rounds, enough);
  if (timed == 1) return 0;
  const double us = std::max(0.0, timer.kernel_us(timed) - timer.kernel_us(1));
  return us / (timed - 1) * (rounds - 1);
}

constexpr std::uint64_t word = 4;

/// Returns the job as one chunk of at most that many bytes, enough to show the rates of a larger
/// one. Its results may not fit into the host buffer, so only the stages to be timed may run.
Job one_piece(const Job& job, std::uint64_t bytes, std::uint64_t result_bytes) {
  constexpr std::uint64_t enough = 32 << 20;
  Workload workload = job.workload;
  workload.stride.reset();
  workload.pipeline.reset();
  workload.bytes = workload.chunk_bytes = std::min(bytes, enough);
  workload.result_bytes = std::min(workload.bytes, result_bytes);
  workload.lanes = workload.depth = 1;
  return {workload, job.host_in, job.host_out};
}

struct CopyTime {
  double us, link_us;
};

/// Returns the bytes in one copy, and the part of its time that is proportional to them.
CopyTime copy_time(const Job& job, Stage stage, std::uint64_t bytes) {
  if (bytes < word) return {0, 0};
  const auto timed = [&](const Job& piece) { return StageTimer(piece).alone_us({stage}); };
  const Job large = one_piece(job, bytes, bytes);
  const std::uint64_t large_bytes = large.workload.bytes;
  const Job small = one_piece(job, std::max(word, large_bytes / 8 / word * word), bytes);
  const double times = static_cast<double>(bytes) / static_cast<double>(large_bytes);
  const auto difference = static_cast<double>(large_bytes - small.workload.bytes);
  const double us = timed(large);
  const double link_us = difference > 0 ? std::max(0.0, us - timed(small)) / difference *
                                              static_cast<double>(large_bytes)
                                        : 0;
  return {us * times, std::min(us, link_us) * times};
}

/// Returns the arithmetic time of the full chunks' kernels on all lanes; `kernels_us` is a chunk's
/// time there. It can be less than in one piece, because concurrent kernels leave fewer SMs idle.
double chunks_arithmetic_us(const Job& job, double kernels_us) {
  Workload one_round = job.workload;
  one_round.rounds = 1;
  const Job least_work(one_round, job.host_in, job.host_out);
  StageTimer timer(least_work);
  const double us = kernels_us - timer.graph_steady_us({Stage::transform}) * timer.depth_scale();
  return std::max(0.0, us) * std::floor(exact_chunks(job.workload));
}

/// Returns the arithmetic time of the stages' kernels on the whole pass; `kernels_us` is a chunk's
/// time on all lanes. A kernel with a result for each word gives each thread several words if they
/// are aligned; one with fewer results does not. The fastest way counts, because a variant's chunks
/// may lie anywhere and run concurrently. Nothing is known of a pipeline file's kernels.
double whole_arithmetic_us(const Job& job, double kernels_us) {
  const Workload& workload = job.workload;
  if (workload.pipeline || workload.rounds == 1) return 0;
  double fastest = chunks_arithmetic_us(job, kernels_us) / workload.depth;
  const std::uint64_t fewer = std::max(word, workload.bytes / 2 / word * word);
  for (const std::uint64_t result_bytes :
       {workload.bytes, std::min(workload.result_bytes, fewer)}) {
    const Job piece = one_piece(job, workload.bytes, result_bytes);
    StageTimer timer(piece);
    fastest = std::min(fastest, arithmetic_us(timer, workload.rounds) *
                                    static_cast<double>(workload.bytes) /
                                    static_cast<double>(piece.workload.bytes));
  }
  return fastest * workload.depth;
}

}  // namespace

WholePass probe_whole(const Job& job, double kernels_us) {
  const CopyTime in = copy_time(job, Stage::copy_in, job.workload.bytes / word * word);
  const CopyTime out = copy_time(job, Stage::copy_out, job.workload.result_total() / word * word);
  return {.copy_in_us = in.us,
          .copy_out_us = out.us,
          .link_in_us = in.link_us,
          .link_out_us = out.link_us,
          .arithmetic_us = whole_arithmetic_us(job, kernels_us)};
}

}  // namespace trilane
