// How a variant executes a pass, stated in types. Bounds, advice, reports and pictures switch over
// these; tests/gpu/model_test.cpp holds them against the calls and nodes of each variant's plan.
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>

#include "common/workload/workload.hpp"

namespace trilane {

/// Who issues the operations of a pass.
enum class Issuer {
  host_waiting,   ///< the host, which waits for the device after each operation
  host,           ///< the host, call by call
  host_threads,   ///< a host thread for each lane, call by call
  graph,          ///< one launch of a graph that was made at set-up
  graph_updated,  ///< the same, after the pass was captured again and the graph updated with it
  graph_set,      ///< the same, after one call for each node that sets its operands
};

/// What orders the operations of a pass.
enum class Chaining {
  one_stream,  ///< each operation follows the one before it
  lanes,       ///< a chunk's operations follow each other, and so do the chunks of a lane
  engines,     ///< one stream for copies in, one for the SMs, one for copies out, tied by events
  data_edges,  ///< edges of a graph, only where the data or a chunk's memory need them
};

/// Where the device memory of a chunk comes from.
enum class ScratchSource {
  lane,          ///< allocated once for each lane
  pass,          ///< allocated once for all chunks
  pool,          ///< a stream-ordered pool, for each chunk
  trimmed_pool,  ///< the same, where the pool keeps nothing when the host waits
  cuda_malloc,   ///< cudaMalloc and cudaFree, for each chunk
  graph_nodes,   ///< allocation nodes of the graph, for each chunk
  none,          ///< none: results stay in registers
};

/// Who moves the bytes between host and device.
enum class Mover {
  engines_per_chunk,  ///< the copy engines, chunk by chunk
  engines_per_pass,   ///< the copy engines, one copy each way for all chunks
  kernels,            ///< kernels of their own, through mapped host memory
  fused_per_chunk,    ///< the kernel that does all stages of a chunk
  fused_per_pass,     ///< the kernel that does all stages of all chunks
};

struct Model {
  Issuer issuer{};
  Chaining chaining{};
  ScratchSource scratch{};
  Mover mover{};
  bool operator==(const Model&) const = default;
};
BOOST_DESCRIBE_STRUCT(Model, (), (issuer, chaining, scratch, mover))

/// The words of the results file, and of the table of looks in plots/looks.py.
const char* name_of(Issuer issuer);
const char* name_of(Chaining chaining);
const char* name_of(ScratchSource scratch);
const char* name_of(Mover mover);

/// Whether the host waits for the device after each operation.
bool waits_each_time(const Model& model);

/// Whether a pass ends in the launch of a graph.
bool launches_graph(const Model& model);

/// Whether copy engines move bytes at all.
bool uses_copy_engines(const Model& model);

/// Whether the copy engines move each chunk by itself: also where all chunks are copied at once and
/// there is one.
bool copies_each_chunk(const Model& model, const Workload& workload);

/// What the device does in a pass, by kind. A memset that a kernel does counts as a kernel.
struct Operations {
  std::uint64_t copies = 0, memsets = 0, kernels = 0;
  std::uint64_t total() const { return copies + memsets + kernels; }
};
Operations operations_of(const Model& model, const Workload& workload);

/// Nodes of the graph, those that allocate and free included; 0 without a graph.
std::uint64_t graph_nodes_of(const Model& model, const Workload& workload);

}  // namespace trilane
