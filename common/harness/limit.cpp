#include "common/harness/limit.hpp"

#include <algorithm>

namespace trilane {

namespace {

double busy_us(double alone, double steady, std::uint32_t chunks) {
  return std::min(alone + (chunks - 1) * steady, std::max(alone, chunks * steady));
}

}  // namespace

void derive_bounds(Limit& limit, std::uint32_t chunks) {
  const double in = limit.copy_in_us, out = limit.copy_out_us;
  const double work = limit.clear_us + limit.kernels_us;
  limit.bound_us = std::max({busy_us(in, limit.steady_in_us, chunks) + work + out,
                             in + busy_us(work, limit.steady_work_us, chunks) + out,
                             in + work + busy_us(out, limit.steady_out_us, chunks)});
  limit.serial_us = chunks * (in + work + out);
}

}  // namespace trilane
