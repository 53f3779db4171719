// Tasks, and the operations that run them on the simulated device.
#pragma once

#include "common/device/flavour/tracer.hpp"
#include "common/device/profile/kinds.hpp"

namespace trilane::simulator {

/// Bytes from `begin` up to, not including, `end`.
struct Range {
  std::uintptr_t begin = 0, end = 0;
  std::uint64_t size() const { return end - begin; }
  bool overlaps(const Range& other) const { return begin < other.end && other.begin < end; }
  bool operator==(const Range&) const = default;
};

/// Returns the `bytes` bytes at `begin`.
inline Range range_of(const void* begin, std::uint64_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  return {address, address + bytes};
}

/// The effect of an operation on a range. Allocated bytes are undefined.
enum class Touch { read, write, read_write, allocate, release };

/// An access to rows of bytes at equal distances, without the gaps between them.
struct Access {
  Range range;  ///< the first row
  Touch touch;
  std::uint64_t rows = 1;
  std::uint64_t pitch = 0;  ///< bytes from one row to the next

  std::uint64_t bytes() const { return range.size() * rows; }
  /// Returns the range from the first row to the last, with the gaps.
  Range span() const { return {range.begin, range.end + (rows - 1) * pitch}; }
};

/// Calls `action` with the range of each row.
template <typename Action>
void for_each_row(const Access& access, Action action) {
  for (std::uint64_t row = 0; row < access.rows; ++row) {
    const std::uint64_t offset = row * access.pitch;
    action(Range{access.range.begin + offset, access.range.end + offset});
  }
}

/// The kind of memory.
BOOST_DEFINE_ENUM_CLASS(Place,
                        device,      ///< cudaMalloc
                        pool,        ///< a memory pool
                        graph,       ///< an allocation node of a graph
                        pinned,      ///< cudaMallocHost, cudaHostAlloc; the device can address it
                        registered,  ///< cudaHostRegister; owned by the user
                        pageable)    ///< any other host memory
using trilane::name_of;

/// Returns true if operations allocate such memory, in the order of their streams.
constexpr bool is_stream_ordered(Place place) {
  return place == Place::pool || place == Place::graph;
}

constexpr bool is_on_device(Place place) {
  return place == Place::device || is_stream_ordered(place);
}

/// The bytes that a kernel or a memset moves.
struct Traffic {
  std::uint64_t device = 0;  ///< read from and written to device memory
  std::uint64_t in = 0;      ///< read from mapped host memory
  std::uint64_t out = 0;     ///< written to mapped host memory
};

/// Threads that fit on an SM: CUDA Programming Guide, "Technical Specifications per Compute
/// Capability", at 9.0. Others have as many or fewer.
inline constexpr double threads_of_sm = 2048;

/// Work of a stream operation, or of every launch of a graph node.
struct Task {
  Kind kind = Kind::kernel;
  int device = 0;                  ///< whose engine does it
  int to_device = 0;               ///< target of a copy; `device` is the source's
  bool staged = false;             ///< a copy between devices that goes through the host
  std::string name;                ///< for reports: "copy in of 4096 bytes", "transform_each"
  std::vector<Access> accesses{};  ///< everything that it reads or writes, on device and host
  std::function<void()> work{};    ///< moves the data; may be empty
  std::uint64_t bytes = 0;         ///< copied or set
  std::uint64_t rows = 1;          ///< rows of a copy's bytes
  /// For a copy in a batch: the number of preceding copies of its kind.
  std::optional<std::uint64_t> batched{};
  KernelSize kernel{};                  ///< of a kernel
  std::optional<double> declared_us{};  ///< of a kernel whose size does not determine its time
  double fill = 0;                      ///< threads of a kernel: 1 are as many as fit on the SMs
  Traffic traffic{};                    ///< of a kernel or a memset
  bool pageable = false;                ///< a copy from or to pageable host memory
  Place from = Place::device;           ///< source of a copy
  Place to = Place::device;             ///< target of a copy or memset
};

using TaskPtr = std::shared_ptr<const Task>;

/// Returns true if an access of a task may be to pageable memory: the host's end of a pageable
/// copy, both ends within the host, and all accesses of a host function.
inline bool takes_pageable(const Task& task, Touch touch) {
  switch (task.kind) {
    case Kind::copy_in: return task.pageable && touch == Touch::read;
    case Kind::copy_out: return task.pageable && touch == Touch::write;
    case Kind::copy_within: return task.pageable;
    case Kind::host_function: return true;
    default: return false;
  }
}

/// The position of an operation in the happens-before relation, see order.hpp.
struct Position {
  std::uint32_t chain = 0, tick = 0;
  std::vector<std::uint32_t> clock;  ///< per chain begun before: the last tick up to this operation
};

struct Operation;

/// An operation in virtual time, before it is finished: see virtual_timeline.hpp.
struct Timing {
  double ready_us = 0;            ///< the earliest start known so far
  std::uint32_t waits_for = 0;    ///< number of unfinished predecessors
  std::vector<Operation*> next;   ///< operations that wait for it
  std::optional<Kind> kind;       ///< of the last stage up to it, see Costs::kind_seen()
  std::uint32_t looks = 0;        ///< for which it and its predecessors in a graph waited
  bool begins_launch = false;     ///< a node without predecessors
  bool waits_for_engine = false;  ///< a predecessor of another kind ended after its issue
};

/// An operation in the schedule, before it is done: see schedule.hpp.
struct Waiting {
  std::size_t waits_for = 0;     ///< number of predecessors that are not done
  std::size_t place = 0;         ///< in the schedule's list
  std::vector<Operation*> next;  ///< operations that wait for it
};

using OperationPtr = std::shared_ptr<Operation>;

/// Predecessors of later operations: the tail of a stream, or the work of an event.
using Frontier = std::vector<OperationPtr>;

/// A task in progress on the device.
struct Operation {
  std::uint64_t number = 0;  ///< in the order of issue, from 1
  TaskPtr task;
  std::string lane;              ///< for reports: "stream 3", "graph 2 node 5 on stream 1"
  std::uint64_t stream = 0;      ///< number of the stream on which it, or its graph, was enqueued
  int device = 0;                ///< of that stream
  std::uint64_t launch = 0;      ///< number of its graph launch; 0 if none
  std::uint64_t graph_node = 0;  ///< unique to the node; the same at each launch
  Label label{};                 ///< its chunk and lane
  Frontier after;                ///< its predecessors; emptied when it is done
  Position position;
  double issued_us = 0;    ///< virtual host time at which the device receives it
  bool moves_data = true;  ///< false if issued in a timed pass, and only timed
  std::uint32_t part = 0;  ///< of the host that issued it, see part_of_host()
  bool done = false;       ///< it has run in the drawn order
  Waiting waiting{};
  Timing timing{};
  double started_us = -1;   ///< virtual device time; negative if not started, or without an engine
  double finished_us = -1;  ///< virtual device time; negative if not yet known

  bool finished() const { return finished_us >= 0; }
};

/// Adds to `frontier` the items of `more` that it lacks.
template <typename Item>
void merge(std::vector<Item>& frontier, const std::vector<Item>& more) {
  for (const Item& item : more) {
    if (!includes(frontier, item)) frontier.push_back(item);
  }
}

/// Returns true if all of these have run in the drawn order.
inline bool all_done(const Frontier& operations) {
  return std::ranges::all_of(operations, [](const OperationPtr& one) { return one->done; });
}

/// Returns "copy in of 4096 bytes (stream 3, operation 17)".
inline std::string describe(const Operation& operation) {
  return fmt::format("{} ({}, operation {})", operation.task->name, operation.lane,
                     operation.number);
}

}  // namespace trilane::simulator
