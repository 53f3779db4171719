// The execution model of a variant's pass, expressed in types. Bounds, advice, reports and pictures
// switch over these; tests/model/model_test.cpp compares them with each plan.
#pragma once

#include "common/model/workload/workload.hpp"

namespace trilane {

/// The issuer of a pass's operations.
BOOST_DEFINE_ENUM_CLASS(
    Issuer,
    host_waiting,   ///< the host, which waits for the device after each operation
    host,           ///< the host, call by call
    host_threads,   ///< a host thread for each lane, call by call
    graph,          ///< one launch of a graph instantiated at set-up; with Mover::engines_batched,
                    ///< batches of copies and graphs in turn, because a graph cannot hold a batch
    graph_updated,  ///< the same, after updating the graph from another capture
    graph_set,      ///< the same, after a call per node sets its operands
    graph_loop)     ///< one launch of a graph with a loop, which the device ends

/// The order of a pass's operations.
BOOST_DEFINE_ENUM_CLASS(
    Chaining,
    one_stream,   ///< each operation follows the one before it
    lanes,        ///< in order within a chunk, and chunk after chunk within a lane
    lanes_early,  ///< the same, but kernels start early and wait for the preceding kernel
    engines,      ///< one stream for copies in, one for the SMs, one for copies out, tied by events
    data_edges,   ///< edges of a graph, only those that data or memory need
    recorded,     ///< in the order of a recording, by streams, events and waits of the host
    recorded_one_wait,  ///< the same, but the host waits only at the end
    recorded_memory)    ///< only the order that the memory of a recording's operations needs

/// The source of a chunk's device memory.
BOOST_DEFINE_ENUM_CLASS(ScratchSource,
                        lane,          ///< allocated once for each lane
                        pass,          ///< allocated once for all chunks
                        pool,          ///< a stream-ordered pool, for each chunk
                        trimmed_pool,  ///< the same, but the pool keeps nothing when the host waits
                        cuda_malloc,   ///< cudaMalloc and cudaFree, for each chunk
                        graph_nodes,   ///< allocation nodes of the graph, for each chunk
                        none,          ///< none: results stay in registers
                        recording)     ///< as in the recording

/// The agent that moves the bytes between host and device.
BOOST_DEFINE_ENUM_CLASS(
    Mover,
    engines_per_chunk,  ///< the copy engines, chunk by chunk
    engines_per_pass,   ///< the copy engines, one copy in each direction for all chunks
    engines_batched,    ///< the copy engines, chunk by chunk, in one batch per direction
    kernels,            ///< separate kernels, through mapped host memory
    fused_per_chunk,    ///< the kernel that does all stages of a chunk
    fused_per_pass)     ///< the kernel that does all stages of all chunks

struct Model {
  Issuer issuer{};
  Chaining chaining{};
  ScratchSource scratch{};
  Mover mover{};
};
BOOST_DESCRIBE_STRUCT(Model, (), (issuer, chaining, scratch, mover))

/// The model of `streams`: explicit multi-stream code.
inline constexpr Model multi_stream{Issuer::host, Chaining::lanes, ScratchSource::lane,
                                    Mover::engines_per_chunk};

/// A single difference from it.
BOOST_DEFINE_ENUM_CLASS(Change,
                        graph,         ///< issued as one captured graph
                        pool,          ///< memory from a stream-ordered pool, for each chunk
                        trimmed_pool,  ///< the same with a release threshold of 0
                        cuda_malloc,   ///< cudaMalloc and cudaFree, for each chunk
                        engines)       ///< one stream per engine

/// Returns true if a variant is multi-stream code with this change and no other.
bool is(Change change, const Model& model);

/// The change that a program needs to follow a model.
BOOST_DEFINE_ENUM_CLASS(
    Tier,
    same_operations,  ///< the same operations, issued, ordered or allocated differently
    moved_together,   ///< the same stages, but copies each way and memsets for all chunks at once
    rewritten)        ///< other kernels, which move the bytes or do all stages
Tier tier_of(const Model& model);

/// Return the names in files and in plots/looks.py.
constexpr const char* name_of(Issuer issuer) {
  switch (issuer) {
    case Issuer::host_waiting: return "host, waiting";
    case Issuer::graph_updated: return "graph, updated";
    case Issuer::graph_set: return "graph, set";
    case Issuer::graph_loop: return "graph, loop";
    default: return words_of_name(issuer);
  }
}
constexpr const char* name_of(Chaining chaining) {
  if (chaining == Chaining::lanes_early) return "lanes, early kernels";
  return chaining == Chaining::recorded_one_wait ? "recorded, one wait" : words_of_name(chaining);
}
constexpr const char* name_of(ScratchSource scratch) {
  if (scratch == ScratchSource::cuda_malloc) return "cudaMalloc";
  return scratch == ScratchSource::recording ? "application" : words_of_name(scratch);
}
constexpr const char* name_of(Mover mover) {
  switch (mover) {
    case Mover::engines_per_chunk: return "copy engines, each chunk";
    case Mover::engines_per_pass: return "copy engines, whole pass";
    case Mover::engines_batched: return "copy engines, batches";
    case Mover::kernels: return "kernels";
    case Mover::fused_per_chunk: return "fused kernels, each chunk";
    case Mover::fused_per_pass: return "fused kernel, whole pass";
  }
  return "";
}

/// Returns true if the host waits for the device after each operation.
bool waits_each_time(const Model& model);

/// Returns true if the model may be unattainable: it shows the largest possible gain.
bool is_bound(const Model& model);
/// Returns why a bound may be unattainable, as a clause.
const char* why_bound(const Model& model);

/// Returns true if a pass can be split over several GPUs: each lane has streams and memory of its
/// own, so they can be on any GPU, and nothing of them is set in each pass.
bool can_be_split(const Model& model);

/// Returns true if a pass ends in the launch of a graph.
bool launches_graph(const Model& model);

/// Returns true if copy engines move any bytes.
bool uses_copy_engines(const Model& model);

/// A pass's operations by kind. A memset by a kernel counts as a kernel, a batch as one copy.
struct Operations {
  std::uint64_t copies = 0, memsets = 0, kernels = 0;
  std::uint64_t total() const { return copies + memsets + kernels; }
};
Operations operations_of(const Model& model, const Workload& workload);

/// Returns the nodes of a pass's graphs, also those that allocate and free; 0 without a graph.
std::uint64_t graph_nodes_of(const Model& model, const Workload& workload);

}  // namespace trilane
