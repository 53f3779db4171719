// The workload: what a pass computes, independent of how a variant executes it.
#pragma once

#include "common/model/workload/pipeline/pipeline.hpp"

namespace trilane {

/// The order in which the host issues the stages of different chunks.
BOOST_DEFINE_ENUM_CLASS(Order,
                        depth_first,    ///< all stages of a chunk, then the next chunk
                        breadth_first)  ///< one stage for each lane's chunk, then the next stage

/// The kind of host memory for the pass's input and output.
BOOST_DEFINE_ENUM_CLASS(
    HostMemory,
    pinned,          ///< cudaHostAlloc: page-locked, mapped
    pageable,        ///< from malloc: copies go through a staging buffer of the driver
    write_combined,  ///< the input page-locked and write-combined (slow to read), the output pinned
    registered)      ///< allocated as pageable, then page-locked with cudaHostRegister

/// Returns "depth", "breadth".
constexpr const char* name_of(Order order) {
  return order == Order::depth_first ? "depth" : "breadth";
}
/// Returns "pinned", "pageable", "write-combined", "registered".
constexpr const char* name_of(HostMemory memory) {
  return memory == HostMemory::write_combined ? "write-combined" : words_of_name(memory);
}

/// The settings of the chunks' pool (cudaMemPoolSetAttribute). scratch.cpp explains the defaults.
struct PoolPolicy {
  std::uint64_t threshold = UINT64_MAX;  ///< bytes that the pool keeps when the host waits
  bool follow_events = true;             ///< cudaMemPoolReuseFollowEventDependencies
  bool opportunistic = false;            ///< cudaMemPoolReuseAllowOpportunistic
  bool internal = false;                 ///< cudaMemPoolReuseAllowInternalDependencies
  bool per_lane = false;                 ///< a pool for each lane instead of one for all
  std::uint32_t allocations = 1;         ///< per chunk: 1 for input and result together, or 2
};
BOOST_DESCRIBE_STRUCT(PoolPolicy, (),
                      (threshold, follow_events, opportunistic, internal, per_lane, allocations))

/// A pool as CUDA creates it: it returns its memory whenever the host waits, and may reuse memory
/// in every way that the runtime supports.
inline constexpr PoolPolicy cuda_default{
    .threshold = 0, .follow_events = true, .opportunistic = true, .internal = true};

/// The operands of one chunk, as offsets into the pass's input and output.
struct Chunk {
  std::uint32_t index;
  std::uint32_t lane;  ///< chunks are dealt to lanes in turn
  std::uint64_t in_offset, in_bytes;
  std::uint64_t out_offset, out_bytes;
};

/// The number of stages of each kind in a chunk.
struct StageCounts {
  std::uint32_t copies_in = 1, clears = 1, kernels = 1, copies_out = 1;
  std::uint32_t copies() const { return copies_in + copies_out; }
  std::uint32_t total() const { return copies() + clears + kernels; }
};

/// The origin of a pass's operations.
enum class Origin {
  knobs,      ///< Trilane's own stages in chunks, as the knobs state them
  file,       ///< the stages of a pipeline file
  recording,  ///< the calls of a recorded iteration, with kernels and buffers of their own
};

/// The calls of a recorded iteration.
struct RecordedCalls {
  std::uint64_t calls = 0, kernels = 0, copies = 0, memsets = 0, waits = 0;
  std::uint64_t in_bytes = 0, out_bytes = 0;  ///< copied from and to the host
  std::uint64_t streams = 1;
};
BOOST_DESCRIBE_STRUCT(RecordedCalls, (),
                      (calls, kernels, copies, memsets, waits, in_bytes, out_bytes, streams))

/// The ordinals of GPUs that share the chunks of a pass in turn; absent: the current one has all.
using GpuList = std::optional<std::vector<std::uint32_t>>;

/// One pass over `bytes` of input, cut into chunks. Each chunk is copied in, its result cleared,
/// `depth` kernels accumulate into the result, and the result is copied out. A pipeline file has
/// its own stages, kernels and buffers; the sizes are then sums over what is copied. Sizes are
/// bytes and, except for a pipeline file's, multiples of 4; the last chunk may be shorter.
struct Workload {
  std::string name;                ///< its preset, "custom", or a pipeline's name
  bool modified = false;           ///< a knob on the command line changed the preset
  std::uint64_t bytes = 0;         ///< input of the whole pass
  std::uint64_t chunk_bytes = 0;   ///< input of every chunk except the last
  std::uint64_t result_bytes = 0;  ///< output of a chunk, cut to a shorter chunk's input
  std::uint32_t lanes = 1;
  std::uint32_t depth = 1;   ///< kernels per chunk
  std::uint32_t rounds = 1;  ///< work per input word and kernel
  Order order = Order::depth_first;
  HostMemory host_memory = HostMemory::pinned;
  PoolPolicy pool = {};
  std::optional<std::uint64_t> stride = {};  ///< host bytes from chunk to chunk; absent: no gaps
  std::optional<Pipeline> pipeline = {};     ///< the user's, with Origin::file
  /// The calls that a replay repeats, with Origin::recording: without bytes, lanes and depth.
  std::optional<RecordedCalls> recorded = {};
  GpuList gpus = {};  ///< to which chunks are dealt, `lanes` on each

  Origin origin() const {
    return pipeline ? Origin::file : recorded ? Origin::recording : Origin::knobs;
  }
  std::uint32_t chunks() const;
  /// Returns the stages of all chunks: copies, clears and kernels of one pass.
  std::uint64_t operations() const { return std::uint64_t{chunks()} * stages().total(); }
  StageCounts stages() const;
  /// Returns the host bytes between a chunk's operand and the next chunk's.
  std::uint64_t gap() const { return stride.value_or(chunk_bytes) - chunk_bytes; }
  /// Returns the operands of a chunk of Trilane's own pipeline.
  Chunk chunk(std::uint32_t index) const;
  /// Returns the output of the whole pass in bytes, without gaps.
  std::uint64_t result_total() const;
  /// Returns the number of GPUs that get a chunk.
  std::uint32_t gpu_count() const;
  /// Returns the lanes of all GPUs. Chunks and lanes are both dealt in turn, so a chunk's lane is
  /// on the chunk's GPU.
  std::uint32_t all_lanes() const { return lanes * gpu_count(); }
  /// Returns those that get a chunk: no variant creates a stream that stays empty.
  std::uint32_t used_lanes() const { return std::min(all_lanes(), chunks()); }
  /// Returns the device memory of one chunk: its buffers, each rounded up to `scratch_alignment`.
  std::uint64_t scratch_bytes() const;
  /// Returns the shape in words: "64 chunks x 4 KiB, 4 lanes, depth 4, 1 round".
  std::string shape() const;
  /// Returns "launch", "launch, modified", "launch, pageable".
  std::string label() const;
};
BOOST_DESCRIBE_STRUCT(Workload, (),
                      (name, modified, bytes, chunk_bytes, result_bytes, lanes, depth, rounds,
                       order, host_memory, pool, stride, pipeline, recorded, gpus))
constexpr const char* file_key(std::optional<RecordedCalls> Workload::*) { return "application"; }

/// Returns a key that files have besides the members, and the value that a reader requires.
inline std::pair<const char*, std::uint32_t> derived_key(const Workload& workload) {
  return {"chunks", workload.chunk_bytes == 0 && !workload.pipeline ? 0 : workload.chunks()};
}

/// All sizes are multiples of this.
inline constexpr std::uint64_t word_bytes = 4;

/// cudaMalloc's minimum alignment; a result that shares a chunk's allocation has 16 bytes.
inline constexpr std::uint64_t scratch_alignment = 256;

/// Returns the workload of a pipeline file; sizes in bytes, depth and name follow from it. Throws
/// UsageError if an expression of the file has no value.
Workload workload_of(std::string name, Pipeline pipeline);

/// Returns the presets in the order in which they run. Each shows a typical regime.
const std::vector<Workload>& presets();

/// The figure of a preset's promise; derive() computes it.
enum class Promised {
  submission,        ///< the reference's submit time, as a share of its wall time
  copies_both_ways,  ///< copies of a chunk, in the faster direction, over the work between them
  copies_in,         ///< a chunk's copy in over the longer of work and copy out
  kernels,           ///< a chunk's kernels over its copy in
  kernel_time,       ///< a chunk's kernels in microseconds
};

/// The regime that a preset stands for.
struct Promise {
  std::string words;  ///< what dominates
  Promised what;
  double least, most;  ///< the range of the figure in which the promise holds
};

/// Returns the promise of the preset called `preset`; absent for other names.
std::optional<Promise> promise_of(const std::string& preset);

BOOST_DEFINE_ENUM_CLASS(Wait, spin, yield, block)

}  // namespace trilane
