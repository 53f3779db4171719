// The limit: what no execution model can beat on this machine, buffers and workload.
#pragma once

#include <array>
#include <cstdint>

#include "common/results/limit.hpp"

namespace trilane {

/// The times of one chunk, from which the bounds follow.
inline constexpr std::array chunk_times{
    &Limit::copy_in_us,   &Limit::clear_us,       &Limit::kernels_us,   &Limit::copy_out_us,
    &Limit::steady_in_us, &Limit::steady_work_us, &Limit::steady_out_us};

/// Fills bound_us, bound_by, one_engine_us and serial_us from the measured times of one chunk. Each
/// of the three resources (copies in, SMs, copies out) needs a time T for n chunks, and the first
/// chunk's stages before it and the last chunk's stages after it cannot overlap with it:
///
///   T(n)   = min(alone + (n-1) * steady, max(alone, n * steady))
///   bound  = max over the resources of (T(n) + the other two resources' time for one chunk)
///   serial = n * (copy_in + clear + kernels + copy_out)
///
/// `alone` is one chunk by itself, `steady` one more chunk while all lanes keep the resource busy
/// (copies: with both directions in use). The first form of T is the pipeline's: the first chunk
/// is copied in while nothing is copied out yet. The second holds where chunks run side by side
/// and alone they could not fill the resource, as short kernels on some of the SMs do.
///
/// Where copies both ways share one engine they take turns, each at the rate that it has alone:
///
///   one engine = max(n * (copy_in + copy_out) + clear + kernels, copy_in + T_SMs(n) + copy_out)
void derive_bounds(Limit& limit, std::uint32_t chunks);

/// The limit of a pass, and the bytes of a chunk and of its result.
struct SizedLimit {
  double chunk_bytes = 0, result_bytes = 0;
  Limit limit;
};

/// The bounds of `chunks` chunks of `chunk_bytes`. Each time of a chunk is a fixed part plus one in
/// proportion to its bytes, neither below zero: the line through `one` and `other`, which must
/// differ in chunk size.
Limit limit_at(const SizedLimit& one, const SizedLimit& other, double chunk_bytes,
               std::uint32_t chunks);

/// Fills copies_in, copies_out and best of `one`, whose chunks make up a pass of `bytes`, by the
/// line through `other`. `best` has the lowest bound_us of all numbers of chunks up to one per 4
/// bytes, at most 4,096; among equals the present number, then the fewest.
void find_best_cut(SizedLimit& one, const SizedLimit& other, double bytes);

}  // namespace trilane
