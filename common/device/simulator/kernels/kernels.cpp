// The kernels of kernels/*.cu as host functions.
#include "common/device/simulator/kernels/host_kernel.hpp"
#include "common/device/simulator/kernels/mix_table.hpp"
#include "kernels/empty.hpp"
#include "kernels/fused.hpp"
#include "kernels/move.hpp"
#include "kernels/transform.hpp"

namespace trilane {

namespace {

using namespace simulator;

HostLaunch describe_empty(dim3 grid, dim3, void**) {
  return {.size = {.words = 1, .outputs = 1, .blocks = grid.x, .rounds = 0}, .work = [] {}};
}

const HostKernel empty("empty", describe_empty);
const auto unloaded = [] {
  std::deque<HostKernel> all;
  for (int i = 0; i < unloaded_kernels; ++i) all.emplace_back("unloaded", describe_empty);
  return all;
}();

constexpr std::uint64_t word = 4;

KernelSize size_of(std::uint64_t bytes, dim3 grid) {
  const std::uint64_t words = (bytes + word - 1) / word;
  return {.words = words, .outputs = words, .blocks = grid.x, .rounds = 0};
}

HostLaunch describe_copy(dim3 grid, dim3, void** arguments) {
  const auto [from, to, bytes] = parameters<const std::byte*, std::byte*, std::uint64_t>(arguments);
  return {.accesses = {{range_of(from, bytes), Touch::read}, {range_of(to, bytes), Touch::write}},
          .size = size_of(bytes, grid),
          .work = [=] { std::memcpy(to, from, bytes); }};
}

HostLaunch describe_clear(dim3 grid, dim3, void** arguments) {
  const auto [to, bytes, value] = parameters<std::byte*, std::uint64_t, std::uint32_t>(arguments);
  return {.accesses = {{range_of(to, bytes), Touch::write}},
          .size = size_of(bytes, grid),
          .work = [=] { std::memset(to, static_cast<std::uint8_t>(value), bytes); }};
}

const HostKernel copy_bytes("copy_bytes", describe_copy);
const HostKernel clear_bytes("clear_bytes", describe_clear);

/// Returns the parameters of a kernel with as many outputs as inputs: in, out, number, two more.
auto each_parameters(void** arguments) {
  return parameters<const std::uint32_t*, std::uint32_t*, std::uint64_t, std::uint32_t,
                    std::uint32_t>(arguments);
}

auto reduce_parameters(void** arguments) {
  return parameters<const std::uint32_t*, std::uint32_t*, std::uint64_t, std::uint64_t,
                    std::uint64_t, std::uint32_t, std::uint32_t>(arguments);
}

struct Arguments {
  bool reduces;
  const std::uint32_t* in;
  std::uint32_t* out;
  std::uint64_t in_count, out_count, stride;
  std::uint32_t salt, rounds;
  std::uint64_t threads = 0;
};

/// Up to this number computing is faster than a look-up.
constexpr std::uint32_t direct_rounds = 3;

/// Computes out[i] += mix(in[i] ^ salt, rounds), `count` times.
template <typename Mixed>
void add_up(const std::uint32_t* in, std::uint32_t* out, std::uint64_t count, Mixed& mixed) {
  for (std::uint64_t i = 0; i < count; ++i) out[i] += mixed({in + i, count - i});
}

/// Runs transform_each: each thread takes four aligned words at once, and then single ones.
template <typename Mixed>
void each(const Arguments& a, Mixed& mixed) {
  const auto address =
      reinterpret_cast<std::uintptr_t>(a.in) | reinterpret_cast<std::uintptr_t>(a.out);
  const std::uint64_t quads = address % 16 == 0 ? a.in_count / 4 : 0;
  add_up(a.in, a.out, 4 * std::min(quads, a.threads), mixed);
  if (a.threads > 0) add_up(a.in + 4 * quads, a.out + 4 * quads, a.in_count - 4 * quads, mixed);
}

/// Runs transform_reduce: a thread takes words that are `stride` apart, a multiple of out_count, so
/// that consecutive out_count words go to consecutive outputs.
template <typename Mixed>
void reduce(const Arguments& a, Mixed& mixed) {
  if (a.out_count == 0 || a.stride == 0) return;
  for (std::uint64_t start = 0; start < a.in_count; start += a.stride) {
    const std::uint64_t end = std::min(a.in_count, start + std::min(a.stride, a.threads));
    for (std::uint64_t at = start; at < end; at += a.out_count) {
      add_up(a.in + at, a.out, std::min(a.out_count, end - at), mixed);
    }
  }
}

void run(const Arguments& a) {
  const auto with = [&](auto& mixed) { a.reduces ? reduce(a, mixed) : each(a, mixed); };
  if (a.rounds > direct_rounds) return with(mix_table(a.salt, a.rounds));
  const auto directly = [&](std::span<const std::uint32_t> in) {
    return mix(in.front() ^ a.salt, a.rounds);
  };
  with(directly);
}

HostLaunch describe(Arguments a, dim3 grid, dim3 block) {
  a.threads = std::uint64_t{grid.x} * block.x;
  return {.accesses = {{range_of(a.in, a.in_count * sizeof *a.in), Touch::read},
                       {range_of(a.out, a.out_count * sizeof *a.out), Touch::read_write}},
          .size = {.reduces = a.reduces,
                   .words = a.in_count,
                   .outputs = a.out_count,
                   .blocks = grid.x,
                   .rounds = a.rounds},
          .work = [a] { run(a); }};
}

HostLaunch describe_each(dim3 grid, dim3 block, void** arguments) {
  const auto [in, out, count, salt, rounds] = each_parameters(arguments);
  return describe({false, in, out, count, count, 0, salt, rounds}, grid, block);
}

HostLaunch describe_reduce(dim3 grid, dim3 block, void** arguments) {
  const auto [in, out, in_count, out_count, stride, salt, rounds] = reduce_parameters(arguments);
  return describe({true, in, out, in_count, out_count, stride, salt, rounds}, grid, block);
}

const HostKernel transform_each("transform_each", describe_each);
const HostKernel transform_reduce("transform_reduce", describe_reduce);

/// Zeroes the results of each chunk, then accumulates one kernel at a time: each has its own table.
void run_fused(const std::uint32_t* in, std::uint32_t* out, FusedShape left) {
  while (left.in_count > 0) {
    const std::uint64_t words = std::min(left.chunk_count, left.in_count);
    const std::uint64_t outputs = std::min(left.result_count, words);
    std::fill_n(out, outputs, 0);
    for (std::uint32_t kernel = 0; kernel < left.depth; ++kernel) {
      auto& mixed = mix_table(salt(kernel), left.rounds);
      for (std::uint64_t i = 0; i < words; ++i) out[i % outputs] += mixed({in + i, words - i});
    }
    in += words;
    out += left.result_count;
    left.in_count -= words;
  }
}

HostLaunch describe_fused(const std::uint32_t* in, std::uint32_t* out, const FusedShape& shape,
                          std::uint64_t blocks) {
  const std::uint64_t before = (shape.in_count - 1) / shape.chunk_count;  // chunks before the last
  const std::uint64_t last_words = shape.in_count - before * shape.chunk_count;
  const std::uint64_t results =
      before * shape.result_count + std::min(shape.result_count, last_words);
  return {.accesses = {{range_of(in, shape.in_count * sizeof *in), Touch::read},
                       {range_of(out, results * sizeof *out), Touch::write}},
          .size = {.reduces = shape.result_count < shape.chunk_count,
                   .words = shape.in_count,
                   .outputs = results,
                   .blocks = blocks,
                   .rounds = shape.depth * shape.rounds},
          .work = [=] { run_fused(in, out, shape); }};
}

HostLaunch describe_fused_each(dim3 grid, dim3, void** arguments) {
  const auto [in, out, count, depth, rounds] = each_parameters(arguments);
  return describe_fused(in, out, {count, count, count, depth, rounds}, grid.x);
}

HostLaunch describe_fused_reduce(dim3 grid, dim3, void** arguments) {
  const auto [in, out, in_count, chunk_count, result_count, depth, rounds] =
      reduce_parameters(arguments);
  return describe_fused(in, out, {in_count, chunk_count, result_count, depth, rounds},
                        std::uint64_t{grid.x} * grid.y);
}

const HostKernel fused_each("fused_each", describe_fused_each);
const HostKernel fused_reduce("fused_reduce", describe_fused_reduce);

}  // namespace

const void* empty_kernel() { return &empty; }

const void* unloaded_kernel(int number) { return &unloaded[static_cast<std::size_t>(number)]; }

const void* copy_kernel() { return &copy_bytes; }

const void* clear_kernel() { return &clear_bytes; }

const void* transform_each_kernel() { return &transform_each; }

const void* transform_reduce_kernel() { return &transform_reduce; }

const void* fused_each_kernel() { return &fused_each; }

const void* fused_reduce_kernel() { return &fused_reduce; }

}  // namespace trilane
