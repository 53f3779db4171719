#include <algorithm>

#include "common/explain/analysis/limits/pipelined.hpp"
#include "common/measure/harness/pricing/probe.hpp"

namespace trilane {

namespace {

constexpr std::uint64_t recut_by = 8;
constexpr std::uint64_t small_bytes = 128 << 10;  // up to this size the fixed cost shows

Workload in_chunks_of(Workload workload, std::uint64_t chunk_bytes) {
  // No more results than before, because the host buffer has no room for them. A shorter last chunk
  // may have had fewer.
  const bool as_large = workload.result_bytes == workload.chunk_bytes;
  const std::uint64_t result_bytes =
      as_large ? chunk_bytes : std::min(workload.result_bytes, chunk_bytes);
  std::uint64_t chunks = workload.chunks();
  if (!as_large) chunks = std::min(chunks, workload.result_total() / result_bytes);
  workload.bytes = std::min(workload.bytes, chunks * chunk_bytes);
  workload.chunk_bytes = chunk_bytes;
  workload.result_bytes = result_bytes;
  return workload;
}

OtherCut cut_of(const Workload& workload, const ChunkTimes& measured) {
  return {static_cast<double>(workload.chunk_bytes), static_cast<double>(workload.result_bytes),
          measured};
}

}  // namespace

std::optional<Workload> recut(const Workload& workload) {
  if (workload.pipeline || workload.stride) return std::nullopt;
  const std::uint64_t larger = recut_by * workload.chunk_bytes;
  if (workload.chunk_bytes <= small_bytes && workload.bytes / larger >= 2 * workload.used_lanes()) {
    return in_chunks_of(workload, larger);
  }
  const std::uint64_t smaller = workload.chunk_bytes / recut_by / word_bytes * word_bytes;
  if (smaller == 0) return std::nullopt;
  return in_chunks_of(workload, smaller);
}

void probe_best_cut(Limit& limit, const Job& job) {
  const std::optional<Workload> other = recut(job.workload);
  if (!other) return;
  const Job other_job(*other, job.host_in, job.host_out);
  find_best_cut(limit, cut_of(job.workload, times_of(limit)),
                cut_of(*other, probe_times(other_job)), static_cast<double>(job.workload.bytes));
}

}  // namespace trilane
