// The kernels of kernels/fused.cu as host functions.
#include <algorithm>

#include "common/device/simulator/kernels/host_kernel.hpp"
#include "common/device/simulator/kernels/mix_table.hpp"
#include "kernels/fused.hpp"
#include "kernels/mix.hpp"

namespace trilane {

namespace {

using namespace simulator;

/// The parameters of both kernels.
struct Arguments {
  const std::uint32_t* in;
  std::uint32_t* out;
  FusedShape shape;

  std::uint64_t chunks() const {
    return (shape.in_count + shape.chunk_count - 1) / shape.chunk_count;
  }
  std::uint64_t words(std::uint64_t chunk) const {
    return std::min(shape.chunk_count, shape.in_count - chunk * shape.chunk_count);
  }
  std::uint64_t outputs(std::uint64_t chunk) const {
    return std::min(shape.result_count, words(chunk));
  }
};

/// Zeroes the results of a chunk, then accumulates one kernel at a time, because each has its own
/// table.
void run_chunk(const Arguments& a, std::uint64_t chunk) {
  const std::uint32_t* const in = a.in + chunk * a.shape.chunk_count;
  std::uint32_t* const out = a.out + chunk * a.shape.result_count;
  const std::uint64_t words = a.words(chunk), outputs = a.outputs(chunk);
  std::fill_n(out, outputs, 0);
  for (std::uint32_t kernel = 0; kernel < a.shape.depth; ++kernel) {
    auto& mixed = mix_table(salt(kernel), a.shape.rounds);
    for (std::uint64_t i = 0; i < words; ++i) out[i % outputs] += mixed(in[i]);
  }
}

HostLaunch described(const Arguments& a, std::uint64_t blocks) {
  const std::uint64_t last = a.chunks() - 1;
  const std::uint64_t results = last * a.shape.result_count + a.outputs(last);
  return {.accesses = {{range_of(a.in, a.shape.in_count * sizeof *a.in), Touch::read},
                       {range_of(a.out, results * sizeof *a.out), Touch::write}},
          .size = {.reduces = a.shape.result_count < a.shape.chunk_count,
                   .words = a.shape.in_count,
                   .outputs = results,
                   .blocks = blocks,
                   .rounds = a.shape.depth * a.shape.rounds},
          .work = [a] {
            for (std::uint64_t chunk = 0; chunk < a.chunks(); ++chunk) run_chunk(a, chunk);
          }};
}

HostLaunch describe_each(dim3 grid, dim3, void** arguments) {
  const auto [in, out, count, depth, rounds] =
      parameters<const std::uint32_t*, std::uint32_t*, std::uint64_t, std::uint32_t, std::uint32_t>(
          arguments);
  return described({in, out, {count, count, count, depth, rounds}}, grid.x);
}

HostLaunch describe_reduce(dim3 grid, dim3, void** arguments) {
  const auto [in, out, in_count, chunk_count, result_count, depth, rounds] =
      parameters<const std::uint32_t*, std::uint32_t*, std::uint64_t, std::uint64_t, std::uint64_t,
                 std::uint32_t, std::uint32_t>(arguments);
  return described({in, out, {in_count, chunk_count, result_count, depth, rounds}},
                   std::uint64_t{grid.x} * grid.y);
}

const HostKernel fused_each("fused_each", describe_each);
const HostKernel fused_reduce("fused_reduce", describe_reduce);

}  // namespace

const void* fused_each_kernel() { return &fused_each; }

const void* fused_reduce_kernel() { return &fused_reduce; }

}  // namespace trilane
