// The limits of the hardware, measured in the same run on the same buffers. Times are microseconds.
#pragma once

#include "common/base/json/ranges.hpp"
#include "common/base/text/enumerators.hpp"

namespace trilane {

/// The limiters of bounds and of variants. Some only set bounds, some only limit variants, most do
/// both; loads.hpp states when each applies.
BOOST_DEFINE_ENUM_CLASS(
    Limiter, host_submission, copy_in, copy_out, sms,
    kernel_launches,    ///< replaces sms if kernels are short
    lane_stages,        ///< the stages of a lane's chunks, one after the other
    kernels_in_turn,    ///< the kernels of all chunks on one stream
    one_chunk,          ///< the stages of a single chunk
    copies_in_turn,     ///< one copy in, kernels, one copy out
    taking_turns,       ///< all operations one after the other; bounds only
    one_copy_engine,    ///< copies in both directions on the device's only copy engine; bounds only
    link,               ///< between host and device, if kernels move the bytes; bounds only
    overlap,            ///< chunk by chunk, unspecified in older files; bounds only
    memory_management,  ///< allocations that make the host wait; from here on limits only
    waiting,
    launch_and_wait,  ///< the start of one short kernel and the synchronisation latency
    own_kernels)      ///< kernels that do more than the measured stages
/// Returns "host submission", "copy in", "SMs": the words of reports and files.
constexpr const char* name_of(Limiter limiter) {
  switch (limiter) {
    case Limiter::sms: return "SMs";
    case Limiter::lane_stages: return "a lane's stages";
    case Limiter::one_chunk: return "one chunk's stages";
    case Limiter::one_copy_engine: return "the one copy engine";
    case Limiter::own_kernels: return "its kernels";
    default: return words_of_name(limiter);
  }
}

/// Host time of one call of a runtime function.
struct CallCost {
  std::string name;
  double us = 0;
};
BOOST_DESCRIBE_STRUCT(CallCost, (), (name, us))
constexpr auto entry_key(const CallCost&) { return &CallCost::name; }

/// The cost of a copy: start_us + bytes / 2^20 * us_per_mib.
struct CopyCost {
  double start_us = 0, us_per_mib = 0;
};
BOOST_DESCRIBE_STRUCT(CopyCost, (), (start_us, us_per_mib))
TRILANE_RANGES(CopyCost, Within<&R::start_us>{either_way_us}, Within<&R::us_per_mib>{{0, day_us}})

/// The times of one chunk, alone or as one more of many. The `graph` times are of kernels started
/// by one launch of a graph, which follow each other faster than on a stream.
struct ChunkTimes {
  double copy_in_us = 0, clear_us = 0, kernels_us = 0, copy_out_us = 0;
  double one_way_in_us = 0,
         one_way_out_us = 0;  ///< one more, without copies in the other direction
  double steady_in_us = 0, steady_work_us = 0, steady_out_us = 0;
  double graph_kernels_us = 0;         ///< its kernels
  double graph_work_us = 0;            ///< one more on all lanes: memset and kernels
  double graph_steady_kernels_us = 0;  ///< the same without the memset
};
BOOST_DESCRIBE_STRUCT(ChunkTimes, (),
                      (copy_in_us, clear_us, kernels_us, copy_out_us, one_way_in_us, one_way_out_us,
                       steady_in_us, steady_work_us, steady_out_us, graph_kernels_us, graph_work_us,
                       graph_steady_kernels_us))

/// The same pass in chunks of another size.
struct OtherCut {
  double chunk_bytes = 0, result_bytes = 0;
  ChunkTimes times;
};
BOOST_DESCRIBE_STRUCT(OtherCut, (), (chunk_bytes, result_bytes, times))

/// A whole pass: its copies in one piece, the part of their time proportional to the bytes, and its
/// kernels' time beyond that of one round. The kernels run in the faster of one piece or chunks.
struct WholePass {
  double copy_in_us = 0, copy_out_us = 0, link_in_us = 0, link_out_us = 0, arithmetic_us = 0;
};
BOOST_DESCRIBE_STRUCT(WholePass, (),
                      (copy_in_us, copy_out_us, link_in_us, link_out_us, arithmetic_us))

/// The number of chunks with the lowest bound, by the formula.
struct BestCut {
  std::uint32_t chunks = 0;
  double bound_us = 0;
};
BOOST_DESCRIBE_STRUCT(BestCut, (), (chunks, bound_us))

/// The formulas are in explain/analysis/verdict/pipelined.hpp. Older files lack optional members.
struct Limit {
  double in_gbps = 0, out_gbps = 0;                ///< one direction at a time, 1e9 bytes/s
  double duplex_in_gbps = 0, duplex_out_gbps = 0;  ///< both directions at once
  /// One chunk, stage after stage on one stream; `kernels_us` is all of its kernels.
  double copy_in_us = 0, clear_us = 0, kernels_us = 0, copy_out_us = 0;
  /// One more chunk while all lanes are busy: copies both ways at once, memset and kernels alone.
  double steady_in_us = 0, steady_work_us = 0, steady_out_us = 0;
  /// Further times of one chunk, as in ChunkTimes.
  std::optional<double> one_way_in_us{}, one_way_out_us{}, graph_kernels_us{}, graph_work_us{},
      graph_steady_kernels_us{};
  double bound_us = 0;                          ///< chunk by chunk, fully overlapped
  double serial_us = 0;                         ///< no two stages overlap
  std::optional<Limiter> bound_by{};            ///< what sets bound_us
  std::optional<double> one_engine_us{};        ///< bound_us with only one copy engine
  std::optional<std::uint32_t> copy_engines{};  ///< of the device
  /// The runtime functions in plans that can be timed separately.
  std::optional<std::vector<CallCost>> calls_us{};
  /// From two chunk sizes; absent if the pass cannot be cut differently.
  std::optional<CopyCost> copies_in{}, copies_out{};
  std::optional<BestCut> best{};
  std::optional<WholePass> whole{};
  std::optional<OtherCut> other{};
};
BOOST_DESCRIBE_STRUCT(Limit, (),
                      (in_gbps, out_gbps, duplex_in_gbps, duplex_out_gbps, copy_in_us, clear_us,
                       kernels_us, copy_out_us, steady_in_us, steady_work_us, steady_out_us,
                       one_way_in_us, one_way_out_us, graph_kernels_us, graph_work_us,
                       graph_steady_kernels_us, bound_us, serial_us, bound_by, one_engine_us,
                       copy_engines, calls_us, copies_in, copies_out, best, whole, other))

}  // namespace trilane
