// What the simulated device runs: tasks, and the operations that enqueue them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/device/label.hpp"
#include "common/device/profile/kinds.hpp"

namespace trilane::simulator {

/// Bytes from `begin` up to, not including, `end`.
struct Range {
  std::uintptr_t begin = 0, end = 0;
  std::uint64_t size() const { return end - begin; }
  bool overlaps(const Range& other) const { return begin < other.end && other.begin < end; }
  bool operator==(const Range&) const = default;
};

/// The `bytes` bytes at `begin`.
Range range_of(const void* begin, std::uint64_t bytes);

/// What an operation does to a range. Allocating leaves bytes undefined; after a release they may
/// belong to somebody else.
enum class Touch { read, write, read_write, allocate, release };

struct Access {
  Range range;
  Touch touch;
};

/// The sorts of memory there are.
enum class Place {
  device,      ///< cudaMalloc
  pool,        ///< a memory pool's, in stream order
  graph,       ///< allocation node of a graph
  pinned,      ///< cudaMallocHost, cudaHostAlloc; the device can address it
  registered,  ///< cudaHostRegister; the owner is the user
  pageable,    ///< anything else of the host's
};

constexpr bool is_on_device(Place place) {
  return place == Place::device || place == Place::pool || place == Place::graph;
}

/// Bytes that a kernel or a memset moves.
struct Traffic {
  std::uint64_t device = 0;  ///< read and written, of the device's memory
  std::uint64_t in = 0;      ///< read from mapped host memory
  std::uint64_t out = 0;     ///< written to it
};

/// What is to be done, wherever and however often: a stream operation and a graph node hold one.
struct Task {
  Kind kind = Kind::kernel;
  std::string name;              ///< for reports: "copy in of 4096 bytes", "transform_each"
  std::vector<Access> accesses;  ///< every byte it reads or writes, on the device and the host
  std::function<void()> work;    ///< moves the data; may be empty
  std::uint64_t bytes = 0;       ///< copied or set
  KernelSize kernel;             ///< of a kernel
  Traffic traffic{};             ///< of a kernel or a memset
  bool pageable = false;         ///< a copy from or to pageable host memory
  Place from = Place::device;    ///< what a copy reads
  Place to = Place::device;      ///< what a copy or a memset writes
};

/// Whether an access of a task may be to pageable memory: the host's end of a copy that says so (or
/// both, when it is within the host), and all that a host function touches.
bool takes_pageable(const Task& task, Touch touch);

/// Where an operation stands in the happens-before relation: see order.hpp.
struct Position {
  std::uint32_t chain = 0, tick = 0;
  std::vector<std::uint32_t> clock;  ///< per chain, the last tick that came before or is this one;
                                     ///< none in the chains that began later
};

struct Operation;

/// An operation in virtual time, before it is finished: see engines.hpp.
struct Timing {
  double ready_us = 0;              ///< not before: the host's handing over, and what is finished
  std::uint32_t waits_for = 0;      ///< how many of its predecessors are not finished
  std::vector<Operation*> next;     ///< what waits for it
  std::optional<Kind> kind_before;  ///< of the last stage before it
};

/// An operation in the schedule, before it is done: see schedule.hpp.
struct Waiting {
  std::size_t waits_for = 0;     ///< how many of its predecessors are not done
  std::size_t place = 0;         ///< in the schedule's list
  std::vector<Operation*> next;  ///< what waits for it
};

using OperationPtr = std::shared_ptr<Operation>;

/// Operations that something comes after: the tails of a stream, what an event recorded.
using Frontier = std::vector<OperationPtr>;

/// One task on its way through the device.
struct Operation {
  std::uint64_t number = 0;  ///< in the order in which the host issued them, from 1
  std::shared_ptr<const Task> task;
  std::string lane;              ///< for reports: "stream 3", "graph 2 node 5 on stream 1"
  std::uint64_t stream = 0;      ///< number of the stream that it, or its graph, was enqueued on
  std::uint64_t launch = 0;      ///< number of the graph launch that it belongs to; 0: none
  std::uint64_t graph_node = 0;  ///< no other's in any executable; the same at each launch
  Label label{};                 ///< whose work it is
  Frontier after;                ///< what it waits for; emptied by the schedule when it is done
  Position position;
  double issued_us = 0;    ///< virtual host time at which the device got it
  bool moves_data = true;  ///< false: issued in a timed pass, its work is left out
  bool done = false;       ///< it has run, in the order that the schedule drew
  Waiting waiting{};
  Timing timing{};
  double started_us = -1;   ///< virtual device time; negative: not yet, or it takes no engine
  double finished_us = -1;  ///< virtual device time; negative: not known yet
};

/// `more` added to `frontier`, without what is in it already.
void merge(Frontier& frontier, const Frontier& more);

/// "copy in of 4096 bytes (stream 3, operation 17)".
std::string describe(const Operation& operation);

}  // namespace trilane::simulator
