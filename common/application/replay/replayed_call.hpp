// One call of an iteration as a replay makes it. It has handles, the replay's own addresses where
// it must not touch the application's memory, and the attributes that its node keeps.
#pragma once

#include <cuda.h>

#include "common/application/iteration/application_recording.hpp"
#include "common/application/iteration/call_kinds.hpp"
#include "common/application/iteration/memory_map.hpp"
#include "common/application/iteration/recorded_call.hpp"
#include "common/application/replay/driver_handles.hpp"

namespace trilane {

/// The graph that the application launched, in its state at that time.
struct TakenGraph {
  OwnGraph graph;                  ///< a clone; null: the driver cannot make one
  CUgraphExec as_it_is = nullptr;  ///< the application's own, if there is no clone
  std::vector<CUgraphNode> nodes;  ///< its operations, by number in the RecordedGraph
  unsigned long long flags = 0;    ///< for its instantiation
};

/// Data that only the application's own call shows, taken while it was made.
struct CapturedCall {
  std::vector<CUlaunchAttribute> attributes{};  ///< of a launch
  /// For a graph's launch, whole change, and first call that names it; null: it could not be taken.
  std::shared_ptr<TakenGraph> graph{};
  /// The host memory that each copy reads, row by row: a copy's own data, those of a batch, or by
  /// node of a graph. Empty: it reads nothing there.
  std::vector<std::vector<std::byte>> sources{};
};

/// Calls visit(offset, word) for each aligned word of arguments or data: it may be an address.
void each_word(std::span<const std::byte> bytes, auto visit) {
  std::uint64_t word = 0;
  for (std::size_t at = 0; at + sizeof word <= bytes.size(); at += sizeof word) {
    std::memcpy(&word, bytes.data() + at, sizeof word);
    visit(at, word);
  }
}

/// Returns true if `holds` does for one of these words from the memory's first byte to its end.
bool any_word(std::span<const std::byte> bytes, const MemoryMap& memory, auto holds) {
  const std::vector<MemoryFacts> all = memory.all();
  if (all.empty()) return false;
  const std::uint64_t first = all.front().base, end = all.back().base + all.back().bytes;
  bool found = false;
  each_word(bytes, [&](std::size_t, std::uint64_t word) {
    found = found || (word >= first && word <= end && holds(word));
  });
  return found;
}

/// An address in memory that the iteration itself allocates: known only after the allocation.
struct MovingAddress {
  std::uint32_t allocation = 0;  ///< number of the allocation in the iteration
  std::uint64_t offset = 0;
};

/// A moving pointer within a kernel's arguments.
struct MovingArgument {
  std::size_t at = 0;  ///< byte in `arguments`
  MovingAddress address;
};

/// Members that do not apply to the kind of call keep their initial values.
struct ReplayedCall {
  CallKind kind = CallKind::other;
  double gap_us = 0;  ///< the host's time before it, as host_gaps() says
  CUstream stream = nullptr;
  std::uint32_t event = 0;
  CUdeviceptr destination = 0, source = 0;
  std::optional<MovingAddress> moving_destination, moving_source;
  std::uint64_t bytes = 0, height = 1, destination_pitch = 0, source_pitch = 0;
  std::uint64_t depth = 1, destination_rows = 0, source_rows = 0;  ///< as in ObservedCall
  bool waits = false;                                              ///< for a copy
  /// The copies of a batch, each as a call of its own. The batch itself has no addresses.
  std::vector<ReplayedCall> copies;
  std::vector<CUmemcpyAttributes> copy_attributes;  ///< for a batch
  std::vector<std::size_t> attributes_hold_from;    ///< by attribute: the first copy
  std::uint32_t value = 0, value_bytes = 1;
  std::uint32_t allocation = 0;        ///< for an allocation or free: its number
  CUmemoryPool pool = nullptr;         ///< for a stream-ordered allocation; null: the current one
  CUfunction function = nullptr;       ///< as the application launches it
  CUfunction node_function = nullptr;  ///< the same for a graph's node
  std::uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1}, shared_bytes = 0;
  std::vector<CUlaunchAttribute> attributes;       ///< of a launch
  std::vector<CUlaunchAttribute> node_attributes;  ///< those of its node, with the priority
  std::vector<std::byte> arguments;
  std::vector<std::size_t> parameters;  ///< offset of each in `arguments`
  std::vector<MovingArgument> moving;
  std::uint32_t executable = 0;  ///< for a graph launch or change: number of the executable graph
  CUgraph graph = nullptr;       ///< the launched graph; for a change of the whole: the new one
  CUgraphNode node = nullptr;    ///< for a change of one node: see the members above
  CallKind changed = CallKind::other;  ///< for such a change: the kind of the node
};

/// Returns a copy of one or several rows as the driver takes it; a plane cannot have slices.
CUDA_MEMCPY2D plane_of(const ReplayedCall& copy);
CUDA_MEMCPY3D block_of(const ReplayedCall& copy);
CUDA_MEMSET_NODE_PARAMS memset_of(const ReplayedCall& memset);

/// Tracks the memory that an iteration itself allocates through its calls.
class ReplayedAllocations {
 public:
  /// `others`: memory that the iteration does not allocate.
  explicit ReplayedAllocations(const std::vector<MemoryFacts>& others) : others_(others) {}

  /// Takes an allocation of the application. Returns its number.
  std::uint32_t add(std::uint64_t address, std::uint64_t bytes);
  /// Takes a free. Returns the allocation's number; nothing if the iteration did not make it.
  std::optional<std::uint32_t> remove(std::uint64_t address);
  /// Finds an address in memory that is allocated now. It may be right behind that memory, where a
  /// range ends, if nothing else begins there.
  std::optional<MovingAddress> find(std::uint64_t address) const;
  /// Returns true if one of the aligned words of these bytes is such an address.
  bool any_in(std::span<const std::byte> bytes) const {
    return any_word(bytes, live_, [&](std::uint64_t word) { return find(word).has_value(); });
  }

  /// Returns the bytes of each allocation, by number.
  const std::vector<std::uint64_t>& bytes() const { return bytes_; }

 private:
  MemoryMap others_, live_;
  std::vector<std::uint64_t> bytes_;
};

/// The place where a capture keeps an attribute.
enum class AttributeKept : std::uint8_t {
  nowhere,  ///< it concerns streams, or nothing at all
  in_node,
  in_edge,   ///< from the previous kernel
  as_event,  ///< the kernel records one
  unknown,   ///< an attribute of a newer driver
};

/// Returns where a capture of a launch keeps the attribute, as cuda.h says.
AttributeKept kept_by_capture(CUlaunchAttributeID id);

/// Returns the attributes of a launch as a recording states them.
LaunchAttributes in_recording(std::span<const CUlaunchAttribute> attributes);

}  // namespace trilane
