// A fake CUDA driver: device memory is host memory, and work waits in its stream until something
// waits for it. If work may run in several orders, it runs in an unusual one, so that a missing
// order leaves wrong bytes. trilane::driver() returns its functions.
#pragma once

#include <cuda.h>

#include <deque>

#include "tests/framework.hpp"

namespace trilane {
struct ReplayDriver;
}

namespace trilane::fake {

/// A kernel: all parameters are words of eight bytes.
struct Kernel {
  using Words = std::vector<std::uint64_t>;
  std::size_t parameters = 0;
  std::function<void(const Words&)> body;

  /// Returns the handle by which the runtime launches it. A graph's node takes function() only, as
  /// on a real driver.
  CUkernel handle() { return reinterpret_cast<CUkernel>(this); }
  CUfunction function() { return reinterpret_cast<CUfunction>(reinterpret_cast<char*>(this) + 1); }
};

struct Stream;

/// The end of a stream's first `number` operations.
struct Place {
  std::shared_ptr<Stream> stream;
  std::uint64_t count = 0;
};

struct Work {
  std::uint64_t number = 0;  ///< in the order of all calls
  std::function<CUresult()> run;
  std::vector<Place> after;
};

struct Stream {
  bool ordered_with_legacy = false;
  int priority = 0;
  std::deque<Work> queue;
  std::uint64_t done = 0;
  std::uint64_t issued() const { return done + queue.size(); }
};

struct Node {
  CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
  std::function<CUresult()> run;
  std::vector<const Node*> after;
  std::vector<CUgraphEdgeData> edges{};  ///< from each of these
  std::map<CUlaunchAttributeID, CUlaunchAttributeValue> attributes{};
};

struct Graph {
  std::vector<std::unique_ptr<Node>> nodes;
  std::vector<std::unique_ptr<Graph>> bodies;  ///< of its loops
};

/// The content it was made of; nodes are mapped by the original.
struct GraphExec {
  unsigned long long flags = 0;
  std::vector<const Node*> order;
  std::map<const Node*, Node> nodes;
};

struct Event {
  Place recorded;
};

/// Unreleased objects of each kind.
struct Live {
  std::size_t events = 0, graphs = 0, execs = 0, pools = 0, device = 0, pinned = 0;
  bool operator==(const Live&) const = default;
};

/// Gives free memory above the threshold back whenever the host waits.
struct Pool {
  std::uint64_t threshold = 0, used = 0, reserved = 0;
  int reuse[3] = {1, 1, 1};  ///< settings, in the order of CUmemPool_attribute
  std::uint64_t most_reserved = 0;
  std::uint64_t allocations = 0;  ///< made from it
  void give_back(std::uint64_t keep) { reserved = std::min(reserved, std::max(used, keep)); }
};

struct Memory {
  std::unique_ptr<std::byte[]> content;
  std::size_t bytes = 0;
  bool pinned = false;
  std::shared_ptr<Pool> pool{};
};

struct State {
  std::map<CUstream, std::shared_ptr<Stream>> streams;
  std::shared_ptr<Stream> legacy = std::make_shared<Stream>();
  std::map<CUevent, std::unique_ptr<Event>> events;
  std::map<CUgraph, std::unique_ptr<Graph>> graphs;
  std::map<CUgraphExec, std::unique_ptr<GraphExec>> execs;
  std::map<CUmodule, std::unique_ptr<Kernel>> modules;  ///< with the only kernel of each
  std::deque<bool> conditions;                          ///< of loops, by handle
  std::map<CUmemoryPool, std::shared_ptr<Pool>> pools;
  std::shared_ptr<Pool> current = std::make_shared<Pool>();  ///< the device's own
  std::map<std::uint64_t, Memory> memory;                    ///< by address
  std::map<std::uint64_t, Memory> released;                  ///< kept, so that no address is reused
  std::uint64_t put = 0;                                     ///< operations
  std::size_t capacity = std::size_t{1} << 36;               ///< of device memory
  std::map<std::string, std::uint64_t> calls;
  const std::uint32_t* gate = nullptr;  ///< what a stream has last been told to wait for
  std::uint32_t opens_at = 0;           ///< the least value that opens it
  CUevent latest_event = nullptr;       ///< that was recorded
  std::uint64_t waits_for_latest = 0;   ///< of the host
  bool is_older = false;                ///< the driver lacks the newer functions
  std::vector<unsigned> batch_flags;    ///< of the latest batch, by copy
  /// The attributes of the launches so far that had some.
  std::vector<std::vector<CUlaunchAttribute>> launch_attributes;
  /// The call of that name and number, from 1, returns an error; with `lost` all later ones do,
  /// too.
  std::string fails;
  std::uint64_t fails_at = 0;
  CUresult error = CUDA_SUCCESS;
  bool lost = false;
};

/// Returns the driver's state. Tests begin with `state() = {}`.
State& state();
Live live();

/// Makes the `number`th call from now on of a function, for example "cuMemcpyAsync", fail.
void plant(const std::string& function, std::uint64_t number, CUresult error, bool lost = false);

/// Counts a call. Returns the error that is planted there.
CUresult called(const char* function);

/// `flags` are those of cuStreamCreateWithPriority, which a replay does not call.
CUstream make_stream(unsigned flags, int priority = 0);
std::shared_ptr<Stream> stream_of(CUstream handle);
/// Returns null if there is no such pool.
std::shared_ptr<Pool> pool_of(CUmemoryPool handle);
void put(CUstream handle, std::function<CUresult()> run, std::vector<Place> after = {});
/// Runs everything before it. Returns the first error.
CUresult wait_for(const Place& place);
/// Does the same with everything in the stream.
CUresult wait_for(CUstream handle);
/// Among streams that can proceed, runs the one that got work last first.
CUresult wait_for_all();

/// Keeps an object and returns its handle.
template <typename Handle>
CUresult keep(auto& objects, auto object, Handle* handle) {
  *handle = reinterpret_cast<Handle>(object.get());
  objects[*handle] = std::move(object);
  return CUDA_SUCCESS;
}
CUresult forget(auto& objects, auto handle) {
  return objects.erase(handle) == 1 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

/// Returns true if the driver did not make the memory at that address.
bool is_pageable(std::uint64_t address);

/// Returns an operation's work with its own copy of what it needs.
std::function<CUresult()> copied(const CUDA_MEMCPY3D& block);
std::function<CUresult()> set(const CUDA_MEMSET_NODE_PARAMS& memset);
std::function<CUresult()> launched(const void* function, void** parameters);

// The parts of the table of functions that have files of their own.
void add_graphs(ReplayDriver& all);
void add_memory(ReplayDriver& all);

}  // namespace trilane::fake
