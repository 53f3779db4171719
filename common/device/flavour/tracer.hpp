// Traces of the device's activity: records of operations and calls, and each flavour's tracer.
#pragma once

#include "common/base/text/enumerators.hpp"

namespace trilane {

/// The chunk and lane of an operation; `none` means the whole pass.
struct Label {
  static constexpr std::uint32_t none = UINT32_MAX;
  static constexpr std::uint32_t marker = UINT32_MAX - 1;  ///< `chunk` outside any pass

  std::uint32_t chunk = none, lane = none;

  bool operator==(const Label&) const = default;
};

/// The label of operations and calls outside any pass.
inline constexpr Label marker_label{.chunk = Label::marker, .lane = Label::none};

/// While one lives, this thread's calls have `label`, which a trace records: neither a stream nor a
/// graph node knows its chunk. Costs two stores.
class Labelled : boost::noncopyable {
 public:
  explicit Labelled(Label label) { current_ = label; }
  ~Labelled() { current_ = {}; }

  static Label current() { return current_; }

 private:
  static inline thread_local Label current_{};
};

/// The kind of an operation. A copy or memset done by a kernel is a kernel.
BOOST_DEFINE_FIXED_ENUM_CLASS(Activity, std::uint8_t, copy_in, copy_out, memset, kernel)

/// An operation on the device. Times are microseconds on the tracer's clock.
struct TracedOperation {
  Activity activity = Activity::kernel;
  std::string name;  ///< of the kernel; otherwise "copy in", "copy out" or "memset"
  double start_us = 0, end_us = 0;
  std::uint64_t bytes = 0;       ///< copied or set
  std::uint64_t call = 0;        ///< TracedCall::id of the issuing call
  std::uint32_t stream = 0;      ///< the tracer's number for it
  std::uint64_t graph_node = 0;  ///< 0: enqueued on a stream
  bool copy_engine = false;      ///< it ran on a copy engine, not on the SMs
  Label label{};
};

/// A call to the runtime.
struct TracedCall {
  std::uint64_t id = 0;
  std::string name;  ///< "cudaMemcpyAsync"
  double start_us = 0, end_us = 0;
  std::uint64_t thread = 0;
  Label label{};
};

struct TraceRecords {
  std::vector<TracedOperation> operations;
  std::vector<TracedCall> calls;
  std::uint64_t lost = 0;  ///< number of records dropped for lack of room
};

/// Records the activity of host and device while it lives. Only one may live at a time. It sees the
/// nodes of a graph only if the graph is created during its life.
class Tracer : boost::noncopyable {
 public:
  virtual ~Tracer() = default;

  /// Returns the time on the clock of the records, in microseconds.
  virtual double now_us() = 0;

  /// Returns the records since the last call, in no particular order. The device must be idle.
  virtual TraceRecords take() = 0;
};

/// Throws NotPossible with the reason if tracing is not possible.
std::unique_ptr<Tracer> start_tracing();

/// Throws the same if tracing is already known to be impossible.
void ensure_tracing();

}  // namespace trilane
