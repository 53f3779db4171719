// The simulated machine: the state behind the runtime functions.
#pragma once

#include <cuda_runtime_api.h>

#include "common/device/simulator/hazards/host_watch.hpp"
#include "common/device/simulator/machine/graph_memory.hpp"
#include "common/device/simulator/machine/trace_log.hpp"
#include "common/device/simulator/timing/schedule.hpp"
#include "common/device/simulator/timing/virtual_timeline.hpp"

namespace trilane::simulator {

/// An injected error: the call with this number in Machine::calls, from 1, only returns `code`.
struct Fault {
  std::uint64_t call = 0;
  cudaError_t code = cudaErrorUnknown;
};

struct Settings {
  Profile profile;                    ///< of each device
  std::vector<double> copy_rates{1};  ///< of each device, relative to the profile
  std::uint64_t seed = 1;             ///< of every free choice
  std::optional<Fault> fault{};
  double patience_s = 60;          ///< real time until a host function counts as endless
  std::size_t queue_depth = 1024;  ///< operations on one stream at which the host blocks
};

/// Thrown inside a runtime function, which then returns `code`.
struct Refusal {
  cudaError_t code;
};

[[noreturn]] inline void refuse(cudaError_t code) { throw Refusal{code}; }
inline void require(bool right, cudaError_t code = cudaErrorInvalidValue) {
  if (!right) refuse(code);
}

/// Refuses (cudaErrorNotSupported) what the simulated device does not model, and prints "trilane:
/// simulated device: WHAT is not modelled" to stderr, once each. The machine must be locked.
[[noreturn]] void refuse_not_modelled(const char* what);

/// Returns the number of the calling host thread. Unlike a std::thread::id it is never reused.
std::uint64_t this_thread();

/// Returns the object behind a handle. Throws Refusal with `code` if none exists.
template <typename Object>
Object& object_of(const std::vector<std::unique_ptr<Object>>& objects, const Object* handle,
                  cudaError_t code = cudaErrorInvalidValue) {
  // Compilers do not inline a projection by a member function, and a swarm has many events.
  const auto found =
      std::ranges::find_if(objects, [handle](const auto& owned) { return owned.get() == handle; });
  if (found == objects.end()) refuse(code);
  return **found;
}

/// Destroys the object behind a handle. Throws Refusal with `code` if none exists.
template <typename Object>
void remove(std::vector<std::unique_ptr<Object>>& objects, const Object* handle,
            cudaError_t code = cudaErrorInvalidValue) {
  const auto is_it = [handle](const auto& owned) { return owned.get() == handle; };
  require(std::erase_if(objects, is_it) == 1, code);
}

/// A device of the machine, with everything that it does not share.
struct Gpu {
  int number = 0;
  unsigned flags = cudaDeviceScheduleAuto;
  CUstream_st legacy;                               ///< the default stream
  std::map<std::uint64_t, CUstream_st> per_thread;  ///< default streams, by host thread
  Frontier destroyed_tails;  ///< of destroyed blocking streams, for which `legacy` still waits
  CUmemPoolHandle_st default_pool;  ///< numbered at first use
  GraphMemory graph_memory;
  std::set<int> peers;  ///< devices whose memory it may access, except that of pools
};

class Machine {
 public:
  explicit Machine(Settings settings);

  /// Returns the device with that number. Throws Refusal with `missing` if none exists.
  Gpu& gpu(int number, cudaError_t missing = cudaErrorInvalidDevice);
  /// Returns the calling thread's current device.
  Gpu& gpu() { return gpus[static_cast<std::size_t>(current[this_thread()])]; }
  Gpu& gpu_of(const CUstream_st& stream) { return gpu(stream.device); }
  bool is_legacy(const CUstream_st& stream) { return &stream == &gpu_of(stream).legacy; }

  /// Enqueues an operation for `task` on `stream`, or makes a node if the stream is capturing.
  void enqueue(Task task, CUstream_st& stream);

  /// Enqueues unordered operations on a stream that is not capturing. Its next one comes after all.
  void enqueue_batch(std::vector<Task> tasks, CUstream_st& stream);

  /// Returns the predecessors of the next operation on `stream`: its tail and the tails of the
  /// streams that synchronise with it (legacy default stream). Throws Refusal
  /// (cudaErrorStreamCaptureImplicit) if one of these is capturing.
  Frontier tail_of(const CUstream_st& stream);

  /// Enqueues an operation on the current device's default stream that comes after all work of
  /// `devices` and before all later work there.
  void enqueue_alone(Task task, const std::set<int>& devices);

  /// Returns true if kernels on `device` may access the block.
  bool may_access(int device, const Block& block);

  /// Issues an operation whose task, lane, stream, launch and `after` are set: numbers it, places
  /// it in the order, checks it for hazards, and adds it to timeline and schedule.
  void issue(const OperationPtr& operation);

  /// Refuses `task` (cudaErrorInvalidValue) after a check for hazards. `where` is for the report.
  [[noreturn]] void refuse_task(Task task, const std::string& where = "");

  /// Runs operations in a drawn order until all of `targets` are done. Throws Refusal (sticky).
  void wait_for(const Frontier& targets);
  /// Returns all operations that the host has not waited for, or those of a device's streams.
  Frontier under_way() const { return under_way_; }
  Frontier under_way(int device) const;
  /// Returns true if all of `targets` are done. Otherwise some operations may run now.
  bool query(const Frontier& targets);

  /// Runs operations until all of `targets` are done, if the draw decides so. For calls that may
  /// wait by the documentation: they order no later operations, and take no time.
  void may_wait_for(const Frontier& targets);
  /// Makes the host wait for `targets` only in virtual time, as the measured driver does in such
  /// calls. Does nothing while a host function is pending, because its end is unknown.
  void clock_waits_for(const Frontier& targets);

  /// Keeps the host busy for the profile's time of a call. Returns false if the profile lacks it.
  bool spend_for(const std::string& call);

  /// Sets the sticky error if none exists; called by operations and faults.
  void lose(cudaError_t code) {
    if (sticky == cudaSuccess) sticky = code;
  }

  /// Returns a new object at the end of `objects`: the next number, and then its next members.
  template <typename Object, typename... Members>
  Object& make(std::vector<std::unique_ptr<Object>>& objects, Members... members) {
    return *objects.emplace_back(std::make_unique<Object>(++numbered, std::move(members)...));
  }

  /// Destroys `thing` only after all of `work` is done.
  void keep_until(const Frontier& work, std::shared_ptr<void> thing);

  /// Returns everything that was never released: streams, events, graphs, pools, memory; one line
  /// each. Defined in machine_process.cpp, which prints it at the end.
  std::vector<std::string> leaks() const;

  Settings settings;
  std::unique_ptr<Draw> draw;  ///< tests may replace it
  /// Called before each operation runs; for tests.
  std::function<void(const Operation&)> on_execute;
  Memory memory;
  OperationOrder order;
  Hazards hazards;
  HostWatch watch;
  Timeline timeline;
  Schedule schedule;
  TraceLog* trace = nullptr;  ///< of the living tracer; null: none

  std::map<std::uint32_t, int> timed_only;  ///< living TimedOnly, by part_of_host()
  cudaError_t sticky = cudaSuccess;
  std::map<std::uint64_t, cudaError_t> last;  ///< by host thread
  std::vector<const char*> calls;             ///< names of all calls so far
  std::recursive_mutex mutex;

  /// Returns false in timed passes of the calling thread's part of the host.
  bool moves_data() const;

  /// Returns the calling thread's per-thread default stream of its current device, created at first
  /// use.
  CUstream_st& default_of_thread();

  std::vector<Gpu> gpus;                 ///< by number
  std::map<std::uint64_t, int> current;  ///< device, by host thread
  std::vector<std::unique_ptr<CUstream_st>> streams;
  std::vector<std::unique_ptr<CUevent_st>> events;
  std::vector<std::unique_ptr<CUgraph_st>> graphs;
  std::vector<std::unique_ptr<CUgraphExec_st>> executables;
  std::vector<std::unique_ptr<CUmemPoolHandle_st>> pools;
  std::vector<std::shared_ptr<Capture>> captures;  ///< under way
  std::uint64_t numbered = 0;                      ///< number of the latest object
  std::uint64_t issued = 0, launches = 0;

 private:
  OperationPtr issue_on(const CUstream_st& stream, Task task, Frontier after);
  void execute(Operation& operation);
  void check_peer_access(const Operation& operation);
  void run_host_function(Operation& operation);
  void make_room(const CUstream_st& stream);
  void host_waited_for(const Frontier& targets);

  std::vector<std::pair<Frontier, std::shared_ptr<void>>> kept_;
  Frontier under_way_;
  std::size_t host_functions_ = 0;  // pending ones
  std::size_t polls_ = 0;           // queries while host functions were pending
  std::size_t early_polls_ = 0;     // in a row, of results that were done but not due
  /// The queue of each stream. Nodes of a graph occupy no place in it.
  std::map<std::uint64_t, std::deque<OperationPtr>> queues_;
};

/// Returns the machine of this process, by default made at first use with the built-in profile.
Machine& machine();

/// Starts over with a new machine. The old one is forgotten, and its handles are void.
void restart(Settings settings);

/// Returns the built-in profile: the committed one of an H200.
const Profile& built_in_profile();

/// The machine of this process, locked while this lives.
class Locked {
 public:
  Machine* operator->() const { return &machine_; }

 private:
  Machine& machine_ = machine();
  const std::lock_guard<std::recursive_mutex> lock_{machine_.mutex};
};

}  // namespace trilane::simulator
