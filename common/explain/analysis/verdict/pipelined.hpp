// Computes the limit: what no execution model can beat with this machine, buffers and workload.
#pragma once

#include "common/model/results/limit.hpp"
#include "common/model/workload/workload.hpp"

namespace trilane {

/// Returns the chunks of a pass, with a fraction for a shorter last one.
double exact_chunks(const Workload& workload);

/// Returns the part of a split pass that one GPU has, the one with most full chunks; otherwise the
/// workload.
Workload share_of_gpu(const Workload& workload);

/// Returns the limit's times of a chunk. In older files, copies in one direction take their best
/// times, and times of graphs are unknown: 0, so that bounds hold.
ChunkTimes times_of(const Limit& limit);

/// Does the reverse of times_of().
void set_times(Limit& limit, const ChunkTimes& times);

/// Returns the shorter of the two times, for each kind of time.
ChunkTimes shorter(const ChunkTimes& one, const ChunkTimes& other);
WholePass shorter(const WholePass& one, const WholePass& other);

/// Returns the minimum for chunks whose kernels crowd their results (crowds_results() in
/// loads.hpp). With results elsewhere the same graph on an H200 took longer by
/// - up to 48% (1 and 3 words);
/// - 12 to 35% (8 to 256 words);
/// - 1 to 10% (1,024 words and more).
ChunkTimes uncrowded(ChunkTimes times);

/// Times of memset and kernels of one chunk alone, and of one more chunk while all lanes are busy;
/// and the memsets that may overlap with the first copies in.
struct PassPace {
  double alone_us = 0, steady_us = 0, hidden_us = 0;
};

/// The busy time of a resource, and the bound that follows: before it starts and after it ends
/// there are stages that cannot overlap with it.
struct Busy {
  double us = 0, bound_us = 0;
};

/// The bounds if everything overlaps chunk by chunk.
struct Overlap {
  Busy copies_in, work, copies_out;
  Busy one_engine;      ///< copies, if they share one engine for both directions
  double chunk_us = 0;  ///< the stages of one chunk, one after the other
};

/// Returns the bounds of `chunks` chunks, at least one; a fraction stands for a shorter last chunk.
///
/// Each resource is busy for T. The first chunk's stages before it and the last chunk's stages
/// after it cannot overlap with it:
///
/// T(n)  = min(alone + (n-1) * steady, max(alone, n * steady))
/// bound = T(n) + the other two resources' time for one chunk
///
/// `alone` is one chunk by itself, `steady` one more chunk while all lanes keep the resource busy.
/// The first form of T is the pipeline's: the first chunk is copied in while nothing is copied out
/// yet. The second holds if chunks run side by side and one alone cannot fill the resource, like
/// short kernels on some of the SMs.
///
/// Copies slow down while there are copies in the other direction. With T in one direction, T' in
/// both, and an overlap of v, which is at most the shorter of both T':
///
/// in(v)  = T_in + (T'_in - T_in) * v / most,  out(v) alike
/// bound  = least over v of max(in(v) + work + out, in + work + out(v), in(v) + out(v) - v)
///
/// A short last chunk's copies take at least its share of a full one's times. The higher bound
/// counts: that of the full chunks alone, or that of all chunks with only the short chunk's stages
/// before and after. Its work may overlap with that of others, so it is left out.
Overlap overlap_of(const ChunkTimes& times, const PassPace& work, double chunks);

/// Sets bound_us, bound_by, one_engine_us and serial_us from the measured times of one chunk. Uses
/// kernels on streams or in a graph, whichever is faster, and uncrowded() ones if they are
/// `crowded`. serial_us is on a stream, as measured:
///
/// serial = n * (copy_in + clear + kernels + copy_out)
void derive_bounds(Limit& limit, double chunks, bool crowded = false);

/// Returns the times of chunks of `chunk_bytes`. Each is a fixed part plus one in proportion to its
/// bytes, neither below zero: the line through `one` and `other`, which must differ in chunk size.
ChunkTimes times_at(const OtherCut& one, const OtherCut& other, double chunk_bytes);

/// Sets copies_in, copies_out, other and best of `limit`, whose chunks are `own` and make up a pass
/// of `bytes`. `best` has the lowest bound_us of all numbers of chunks whose size lies between the
/// two measured ones; among equals the present number, then the fewest.
void find_best_cut(Limit& limit, const OtherCut& own, const OtherCut& other, double bytes);

}  // namespace trilane
