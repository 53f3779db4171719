// What kernels/transform.cu does on a GPU, as host functions.
#include <algorithm>

#include "common/simulator/host_kernel.hpp"
#include "common/simulator/mix_table.hpp"
#include "kernels/mix.hpp"
#include "kernels/transform.hpp"

namespace trilane::simulator {

namespace {

/// The parameters of both kernels.
struct Arguments {
  explicit Arguments(void** at)
      : in(*static_cast<const std::uint32_t**>(at[0])),
        out(*static_cast<std::uint32_t**>(at[1])),
        in_count(*static_cast<std::uint64_t*>(at[2])),
        out_count(*static_cast<std::uint64_t*>(at[3])),
        stride(*static_cast<std::uint64_t*>(at[4])),
        salt(*static_cast<std::uint32_t*>(at[5])),
        rounds(*static_cast<std::uint32_t*>(at[6])) {}

  const std::uint32_t* in;
  std::uint32_t* out;
  std::uint64_t in_count, out_count, stride;
  std::uint32_t salt, rounds;
};

/// Fewer rounds are done sooner than looked up.
constexpr std::uint32_t direct_rounds = 3;

/// out[i] += mix(in[i] ^ salt, rounds), `count` times.
template <typename Mixed>
void add_up(const std::uint32_t* in, std::uint32_t* out, std::uint64_t count, Mixed& mixed) {
  for (std::uint64_t i = 0; i < count; ++i) out[i] += mixed(in[i]);
}

/// As many threads as the launch has, each with four words, and the tail with one each.
template <typename Mixed>
void each(const Arguments& a, std::uint64_t threads, Mixed& mixed) {
  const std::uint64_t quads = a.in_count / 4;
  add_up(a.in, a.out, 4 * std::min(quads, threads), mixed);
  add_up(a.in + 4 * quads, a.out + 4 * quads, std::min(a.in_count % 4, threads), mixed);
}

/// Every thread takes the words that are `stride` apart, a multiple of out_count: stretches as long
/// as the output stand for "thread % out_count".
template <typename Mixed>
void reduce(const Arguments& a, std::uint64_t threads, Mixed& mixed) {
  if (a.out_count == 0 || a.stride == 0) return;
  for (std::uint64_t start = 0; start < a.in_count; start += a.stride) {
    const std::uint64_t end = std::min(a.in_count, start + std::min(a.stride, threads));
    for (std::uint64_t at = start; at < end; at += a.out_count) {
      add_up(a.in + at, a.out, std::min(a.out_count, end - at), mixed);
    }
  }
}

template <bool reduces>
void run(const Arguments& a, std::uint64_t threads) {
  const auto with = [&](auto& mixed) {
    if constexpr (reduces) {
      reduce(a, threads, mixed);
    } else {
      each(a, threads, mixed);
    }
  };
  if (a.rounds > direct_rounds) return with(mix_table(a.salt, a.rounds));
  const auto directly = [&](std::uint32_t word) { return mix(word ^ a.salt, a.rounds); };
  with(directly);
}

template <bool reduces>
HostLaunch describe(dim3 grid, dim3 block, void** arguments) {
  const Arguments a(arguments);
  const std::uint64_t threads = std::uint64_t{grid.x} * block.x;
  return {.accesses = {{range_of(a.in, a.in_count * sizeof *a.in), Touch::read},
                       {range_of(a.out, a.out_count * sizeof *a.out), Touch::read_write}},
          .size = {.reduces = reduces,
                   .words = a.in_count,
                   .outputs = a.out_count,
                   .blocks = grid.x,
                   .rounds = a.rounds},
          .work = [a, threads] { run<reduces>(a, threads); }};
}

HostKernel kernel(const char* name, HostLaunch (*describe)(dim3, dim3, void**)) {
  return {name, {8, 8, 8, 8, 8, 4, 4}, describe};
}

// Their addresses are what a launch names them by.
const char each_name[] = "transform_each";
const char reduce_name[] = "transform_reduce";

const HostKernelRegistration each_registration(each_name, kernel(each_name, describe<false>));
const HostKernelRegistration reduce_registration(reduce_name, kernel(reduce_name, describe<true>));

}  // namespace

}  // namespace trilane::simulator

namespace trilane {

const void* transform_each_kernel() { return simulator::each_name; }

const void* transform_reduce_kernel() { return simulator::reduce_name; }

}  // namespace trilane
