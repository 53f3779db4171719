#include <algorithm>

#include "common/analysis/limits/pipelined.hpp"
#include "common/harness/probe/probe.hpp"

namespace trilane {

namespace {

constexpr std::uint64_t times = 8;
constexpr std::uint64_t small = 128 << 10;  // bytes: up to this size the fixed cost shows

Workload in_chunks_of(Workload workload, std::uint64_t chunk_bytes) {
  // No more chunks than before, because the host buffer has room for that many results.
  const std::uint64_t bytes = std::min(workload.bytes, workload.chunks() * chunk_bytes);
  workload.result_bytes = workload.result_bytes == workload.chunk_bytes
                              ? chunk_bytes
                              : std::min(workload.result_bytes, chunk_bytes);
  workload.chunk_bytes = chunk_bytes;
  workload.bytes = bytes;
  return workload;
}

/// Uses mean sizes, because the last chunk may be shorter.
SizedLimit sized(const Workload& workload, const Limit& limit) {
  return {static_cast<double>(workload.bytes) / workload.chunks(),
          static_cast<double>(workload.result_total()) / workload.chunks(), limit};
}

}  // namespace

std::optional<Workload> recut(const Workload& workload) {
  constexpr std::uint64_t word = 4;
  const std::uint64_t larger = times * workload.chunk_bytes;
  if (workload.chunk_bytes <= small && workload.bytes / larger >= 2 * workload.used_lanes()) {
    return in_chunks_of(workload, larger);
  }
  const std::uint64_t smaller = workload.chunk_bytes / times / word * word;
  if (smaller == 0) return std::nullopt;
  return in_chunks_of(workload, smaller);
}

void probe_best_cut(Limit& limit, const Job& job) {
  const std::optional<Workload> other = recut(job.workload);
  if (!other) return;
  SizedLimit own = sized(job.workload, limit);
  find_best_cut(own, sized(*other, probe_limit(Job(*other, job.host_in, job.host_out))),
                static_cast<double>(job.workload.bytes));
  limit = own.limit;
}

}  // namespace trilane
