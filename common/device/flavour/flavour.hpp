// The seam between the two flavours of a program, for a GPU and for the simulated device. Defined
// in cuda/cuda_flavour.cpp, and simulator/runtime/simulated_flavour.cpp and machine/call.cpp.
#pragma once

#include "common/device/profile/profile.hpp"
#include "common/model/variant/model.hpp"
#include "common/model/workload/workload.hpp"

namespace trilane {

/// Returns microseconds on a clock that never goes back; virtual on the simulated device.
double now_us();

/// Returns the host's time for `action`, in microseconds of now_us().
template <typename Action>
double timed_us(const Action& action) {
  const double start = now_us();
  action();
  return now_us() - start;
}

/// Keeps the host busy for `us` microseconds of now_us().
void spend_us(double us);

/// Returns the simulated device's profile, "NVIDIA H200 (profile of 2026-11-21)"; empty on a GPU.
std::string simulated_profile();

/// Returns the simulated device's profile; nullptr on a GPU.
const Profile* profile_in_use();

/// Returns the reason why the simulated device cannot run this work: it would be timed as if it
/// were other work. Empty if it can. A GPU always can.
std::string why_not_modelled(HostMemory memory, Wait wait);

/// Returns what the times of this work leave out, a sentence each; nothing on a GPU.
std::vector<std::string> left_out(const Workload& workload);

/// Returns true if the device models everything that makes such a variant fast or slow. A GPU does.
bool is_modelled(const Model& model);

/// Settings of the simulated device.
struct SimulationSettings {
  std::string profile;  ///< path of a profile; empty: the built-in one
  std::string fault;    ///< "NUMBER=CODE"; empty: none
  std::uint64_t seed = 1;
  std::string gpus{};                      ///< "COUNT", or "COUNT,NUMBER=RATE%,..."; empty: one
  std::function<void(Profile&)> change{};  ///< of the profile, for a question; may be empty
};

/// Restarts the simulated devices with these settings. Throws UsageError for a profile, fault or
/// number of GPUs that cannot be read. Does nothing on a GPU.
void start_simulation(const SimulationSettings& settings);

/// While one lives, the simulated device only times operations and moves no data.
class TimedOnly : boost::noncopyable {
 public:
  TimedOnly();
  ~TimedOnly();
};

/// While one lives, `members` threads that each make a HostThread may call the runtime. The
/// simulated device admits one call of each thread in turn, so that the same seed gives the same
/// run. A thread must therefore make its calls, or end its HostThread, without waiting for another
/// thread. A member may make HostThreads of its own, which share its turns. With `each_measures`,
/// TimedOnly and take_hazards() of a member concern only its work and that of its threads.
class HostThreads : boost::noncopyable {
 public:
  explicit HostThreads(std::uint32_t members, bool each_measures = false);
  ~HostThreads();

 private:
  friend class HostThread;
  struct Order;
  std::unique_ptr<Order> order_;
};

/// Makes the calling thread member `number` of `threads`, from 0. Every member must make one.
class HostThread : boost::noncopyable {
 public:
  HostThread(HostThreads& threads, std::uint32_t number);
  ~HostThread();
};

/// Returns the hazards found since the last call, one line each. A GPU finds none.
std::vector<std::string> take_hazards();

enum class DeclaredTouch : std::uint8_t { reads, writes, both };

/// An access to the first `bytes` bytes behind one of a kernel's pointers.
struct DeclaredAccess {
  std::size_t argument = 0;  ///< index of the pointer among the kernel's parameters, from 0
  std::uint64_t bytes = 0;   ///< in each launch
  DeclaredTouch touch = DeclaredTouch::both;
};

/// A kernel that the simulated device only times and checks, without running it.
struct DeclaredKernel {
  std::string name;                        ///< for reports and traces
  std::vector<DeclaredAccess> accesses{};  ///< everything that it reads or writes
  double time_us = 0;                      ///< of one launch alone on the device; not negative
};

/// Returns a function for cudaLaunchKernel and for kernel nodes, while the pointer lives; nodes
/// made from it work without it. A launch leaves memory unchanged, but counts as the declared
/// accesses. It takes `time_us`, or longer over the link if it touches mapped host memory. Its
/// share of the SMs is that of its threads. Throws std::logic_error on a GPU.
std::shared_ptr<const void> declare_kernel(const DeclaredKernel& kernel);

}  // namespace trilane
