// The simulated machine: all that stands behind the runtime functions.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "common/device/profile/profile.hpp"
#include "common/device/simulator/hazards/hazards.hpp"
#include "common/device/simulator/hazards/host_watch.hpp"
#include "common/device/simulator/hazards/order.hpp"
#include "common/device/simulator/machine/graph_memory.hpp"
#include "common/device/simulator/machine/process.hpp"
#include "common/device/simulator/machine/trace_log.hpp"
#include "common/device/simulator/memory/memory.hpp"
#include "common/device/simulator/operations/draw.hpp"
#include "common/device/simulator/operations/objects.hpp"
#include "common/device/simulator/timing/schedule.hpp"
#include "common/device/simulator/timing/virtual_timeline.hpp"

namespace trilane::simulator {

/// One call that fails without doing anything: the `call`-th of the process or since restart(),
/// from 1, in the order of Machine::calls.
struct Fault {
  std::uint64_t call = 0;
  cudaError_t code = cudaErrorUnknown;
};

struct Settings {
  Profile profile;
  std::uint64_t seed = 1;  ///< of every free choice
  std::optional<Fault> fault;
  double patience_s = 10;  ///< real time after which a host function is taken to wait forever
  std::size_t queue_depth = 1024;  ///< operations on one stream at which the host blocks
};

/// Thrown inside a runtime function: what it returns.
struct Refusal {
  cudaError_t code;
};

[[noreturn]] inline void refuse(cudaError_t code) { throw Refusal{code}; }
inline void require(bool right, cudaError_t code = cudaErrorInvalidValue) {
  if (!right) refuse(code);
}

/// The object behind a handle. Throws Refusal with `code` where there is none.
template <typename Object>
Object& object_of(const std::vector<std::unique_ptr<Object>>& objects, const Object* handle,
                  cudaError_t code) {
  const auto found = std::ranges::find(objects, handle, &std::unique_ptr<Object>::get);
  if (found == objects.end()) refuse(code);
  return **found;
}

/// Destroys the object behind a handle.
template <typename Object>
void remove(std::vector<std::unique_ptr<Object>>& objects, const Object* handle) {
  std::erase_if(objects, [handle](const auto& owned) { return owned.get() == handle; });
}

class Machine {
 public:
  explicit Machine(Settings settings);
  ~Machine();

  /// Makes an operation of `task` at the end of `stream`; or a node, when the stream is capturing.
  void enqueue(Task task, cudaStream_t stream);

  /// What the next operation on `stream` comes after: its tail, and by the rule of the legacy
  /// default stream, which stands here alone, those of the streams that synchronise with it. Throws
  /// Refusal (cudaErrorStreamCaptureImplicit) where that would depend on a capture.
  Frontier tail_of(const CUstream_st& stream);

  /// Issues an operation whose task, lane, stream, launch and `after` are filled in: gives it its
  /// number, places it in the order, checks it for hazards, hands it to timeline and schedule.
  void issue(const OperationPtr& operation);

  /// The host waits: runs operations in a drawn order until all of `targets` are done, and throws
  /// Refusal with a sticky error that came of it.
  void wait_for(const Frontier& targets);
  /// The host waits for all operations of all streams.
  void wait_for_device();
  /// Whether all of it is done; where it is not, something may run now.
  bool query(const Frontier& targets);

  /// Where the documentation says that a call may wait: runs operations until all of `targets` are
  /// done, if the draw says so. What is issued later is not ordered after them, and the virtual
  /// clock stands still.
  void may_wait_for(const Frontier& targets);
  /// The same, for all operations of all streams.
  void may_wait_for_device();
  /// In virtual time alone the host waits for `targets`: what the measured driver does where the
  /// documentation says may. Nothing while a host function is still to run: nobody knows its end.
  void clock_waits_for(const Frontier& targets);
  void clock_waits_for_device();

  /// The error that stays, cudaSuccess for none. Set by operations and by faults.
  void lose(cudaError_t code) {
    if (sticky == cudaSuccess) sticky = code;
  }

  /// A new object at the end of `objects`, with the next number.
  template <typename Object>
  Object& make(std::vector<std::unique_ptr<Object>>& objects) {
    objects.push_back(std::make_unique<Object>());
    objects.back()->number = ++numbered;
    return *objects.back();
  }

  /// Keeps `thing` until all of `work` is done: its owner has let it go, the device has not.
  void keep_until(const Frontier& work, std::shared_ptr<void> thing);

  /// What was never released: streams, events, graphs, pools, memory; one line each. Defined in
  /// process.cpp, which prints it at the end.
  std::vector<std::string> leaks() const;

  Settings settings;
  std::unique_ptr<Draw> draw;  ///< tests may put a scripted one here
  /// Called before each operation runs, in the order drawn; tests may put something here.
  std::function<void(const Operation&)> on_execute;
  Memory memory;
  Order order;
  Hazards hazards;
  HostWatch watch;
  Timeline timeline;
  Schedule schedule;
  TraceLog* trace = nullptr;  ///< the living tracer's; null: nobody traces

  bool moves_data = true;  ///< off in timed passes: operations take their time and move nothing
  cudaError_t sticky = cudaSuccess;
  unsigned device_flags = cudaDeviceScheduleAuto;
  std::map<std::uint64_t, cudaError_t> last;  ///< by host thread, where it had one
  std::vector<const char*> calls;             ///< names of all calls so far
  std::recursive_mutex mutex;

  CUstream_st legacy;        ///< the default stream
  Frontier destroyed_tails;  ///< of blocking streams that are gone: it waits for them all the same
  std::vector<std::unique_ptr<CUstream_st>> streams;
  std::vector<std::unique_ptr<CUevent_st>> events;
  std::vector<std::unique_ptr<CUgraph_st>> graphs;
  std::vector<std::unique_ptr<CUgraphExec_st>> executables;
  std::vector<std::unique_ptr<CUmemPoolHandle_st>> pools;
  std::vector<std::shared_ptr<Capture>> captures;  ///< under way
  std::uint64_t numbered = 0;                      ///< objects so far: each gets the next number
  std::uint64_t issued = 0, launches = 0;
  std::unique_ptr<CUmemPoolHandle_st> default_pool;  ///< made when it is first asked for
  GraphMemory graph_memory;

 private:
  void execute(Operation& operation);
  void run_host_function(Operation& operation);
  void make_room(const CUstream_st& stream);
  void host_waited_for(const Frontier& targets);

  std::vector<std::pair<Frontier, std::shared_ptr<void>>> kept_;
  Frontier under_way_;              // all that the host has not waited for
  std::size_t host_functions_ = 0;  // of them still to run
  std::size_t polls_ = 0;           // queries that found host functions still to run
  /// Of them, by stream: what takes a place in its queue. Nodes of a graph take none.
  std::map<std::uint64_t, std::deque<OperationPtr>> queues_;
};

}  // namespace trilane::simulator
