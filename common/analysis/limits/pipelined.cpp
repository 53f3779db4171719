#include "common/analysis/limits/pipelined.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace trilane {

namespace {

double busy_us(double alone, double steady, std::uint32_t chunks) {
  return std::min(alone + (chunks - 1) * steady, std::max(alone, chunks * steady));
}

/// start + bytes * per_byte, neither below zero.
struct Line {
  double start = 0, per_byte = 0;
  double at(double bytes) const { return start + bytes * per_byte; }
};

Line line_through(double bytes, double us, double other_bytes, double other_us) {
  const double slope = bytes == other_bytes ? 0 : (other_us - us) / (other_bytes - bytes);
  const double per_byte = std::clamp(slope, 0.0, us / bytes);
  return {us - bytes * per_byte, per_byte};
}

CopyCost cost_of(const Line& line) { return {line.start, line.per_byte * (1 << 20)}; }

}  // namespace

void derive_bounds(Limit& limit, std::uint32_t chunks) {
  const double in = limit.copy_in_us, out = limit.copy_out_us;
  const double work = limit.clear_us + limit.kernels_us;
  const double all_work = busy_us(work, limit.steady_work_us, chunks);
  const std::array bounds{
      std::pair{in + all_work + out, Limiter::sms},
      std::pair{busy_us(in, limit.steady_in_us, chunks) + work + out, Limiter::copy_in},
      std::pair{in + work + busy_us(out, limit.steady_out_us, chunks), Limiter::copy_out}};
  const auto& highest =
      *std::ranges::max_element(bounds, {}, [](auto& bound) { return bound.first; });
  limit.bound_us = highest.first;
  // With so few chunks that one takes most of the pass, no engine sets the pace.
  const bool one_chunk = in + work + out > highest.first / 2;
  limit.bound_by = one_chunk ? Limiter::one_chunk : highest.second;
  // Copies in turn run at the rate of each way alone, which two engines at once may not reach.
  limit.one_engine_us = std::max({chunks * (in + out) + work, in + all_work + out, limit.bound_us});
  limit.serial_us = chunks * (in + work + out);
}

Limit limit_at(const SizedLimit& one, const SizedLimit& other, double chunk_bytes,
               std::uint32_t chunks) {
  Limit limit;
  for (auto time : chunk_times) {
    const Line line =
        line_through(one.chunk_bytes, one.limit.*time, other.chunk_bytes, other.limit.*time);
    limit.*time = line.at(chunk_bytes);
  }
  derive_bounds(limit, chunks);
  return limit;
}

void find_best_cut(SizedLimit& one, const SizedLimit& other, double bytes) {
  constexpr std::uint32_t most = 4096;
  constexpr double word = 4;
  const auto chunks = static_cast<std::uint32_t>(std::ceil(bytes / one.chunk_bytes));
  BestCut best{chunks, one.limit.bound_us};
  for (std::uint32_t n = 1; n <= most && n * word <= bytes; ++n) {
    const double bound = limit_at(one, other, bytes / n, n).bound_us;
    if (bound < best.bound_us) best = {n, bound};
  }
  one.limit.best = best;
  one.limit.copies_in = cost_of(line_through(one.chunk_bytes, one.limit.copy_in_us,
                                             other.chunk_bytes, other.limit.copy_in_us));
  one.limit.copies_out = cost_of(line_through(one.result_bytes, one.limit.copy_out_us,
                                              other.result_bytes, other.limit.copy_out_us));
}

}  // namespace trilane
