// Parts of experiments: a kernel that keeps the device busy, copies, pools and graphs. The header
// includes everything that most questions need.
#pragma once

#include <cuda_runtime_api.h>

#include "common/base/text/size.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/measure/ask/question.hpp"
#include "common/measure/gpu/operation.hpp"
#include "common/measure/gpu/recording.hpp"
#include "common/model/workload/steps.hpp"

namespace trilane {

/// A stream that KeptStreams never hands to other experiments.
using OwnStream = std::unique_ptr<CUstream_st, Release<cudaStreamDestroy>>;

/// Returns a stream that synchronises with the legacy stream.
OwnStream make_blocking_stream();

/// Returns device memory of zeros.
DeviceBuffer make_cleared_buffer(std::uint64_t bytes);

/// Orders later work on `second` after the work now on `first`.
void order(cudaStream_t first, cudaStream_t second, const OrderingEvent& event);

/// An experiment whose work is on one stream, or most of it.
class StreamExperiment : public Experiment {
 protected:
  cudaStream_t stream() const { return stream_.get(); }

  /// Waits for the stream.
  void synchronise() const { check(cudaStreamSynchronize(stream())); }

  /// Returns the time from the beginning of `issue` until the stream is idle.
  template <typename Action>
  double done_us(const Action& issue) const {
    return timed_us([&] {
      issue();
      synchronise();
    });
  }

  /// Returns the host's time for `issue` alone, and waits for the stream.
  template <typename Action>
  double issued_us(const Action& issue) const {
    const double us = timed_us(issue);
    synchronise();
    return us;
  }

 private:
  Stream stream_ = make_stream();
};

/// The share of the device that a kernel occupies.
enum class Extent {
  one_block,  ///< leaves nearly all SMs idle
  all_sms,    ///< as many threads as an H200 holds at once
};

/// A kernel of known duration that keeps the device busy while calls are tried beside it.
class BusyKernel {
 public:
  /// Finds the rounds for a kernel of about `us` microseconds.
  explicit BusyKernel(double us, Extent extent = Extent::one_block);

  /// Launches it once or several times.
  void enqueue(cudaStream_t stream, int times = 1) const;

  /// Returns its wall time in microseconds, with launch and wait.
  double wall_us(cudaStream_t stream) const;

 private:
  PinnedBuffer host_;
  Job job_;
  DeviceBuffer in_, out_;
  Step step_;
};

/// Enqueue a copy.
void copy_to_device(void* device, const void* host, std::uint64_t bytes, cudaStream_t stream);
void copy_to_host(void* host, const void* device, std::uint64_t bytes, cudaStream_t stream);

/// Returns about 0, for conditions that are turned round: what they measure costs nothing.
inline double nothing_us() {
  return timed_us([] {});
}

/// Returns the number of bytes with that value.
double count_of(const std::byte* memory, std::uint64_t bytes, int value);

/// A call and what it needs. `before` and `after` are not timed; the device is idle then.
struct TriedCall {
  std::string name;
  std::function<void()> call;
  std::function<void()> before = [] {}, after = [] {};
};

/// Return the names of conditions that try `call` beside `work`, "a kernel", and on an idle device.
std::string beside(const std::string& call, const std::string& work);
std::string alone(const std::string& call);

/// Times calls with the device idle and beside work on a stream of its own.
class BesideWork {
 public:
  /// `what` is "a kernel"; it takes a millisecond or two.
  BesideWork(std::string what, std::function<void(cudaStream_t)> enqueue);

  /// Returns the conditions: the work itself, then each call alone and beside it.
  std::vector<Condition> conditions(const std::vector<TriedCall>& calls) const;

  /// Returns the condition that runs the work alone, named `what`.
  Condition work() const;
  /// Returns the condition that makes the call beside the work.
  Condition beside_work(const TriedCall& call) const;

  /// Returns the stream that the work runs on.
  cudaStream_t stream() const { return stream_.get(); }

 private:
  double call_us(const TriedCall& call, bool beside) const;

  std::string what_;
  std::function<void(cudaStream_t)> enqueue_;
  Stream stream_ = make_stream();
};

/// Beside a kernel of one block.
class BesideKernel : public BesideWork {
 public:
  explicit BesideKernel(double us = 2000)
      : BesideWork(what, [this](cudaStream_t stream) { kernel_.enqueue(stream); }), kernel_(us) {}
  static constexpr const char* what = "a kernel";

 private:
  BusyKernel kernel_;
};

/// Returns true if the call takes longer beside the work than alone by at least half of the work's
/// time; false if by less than a tenth of it; nothing in between.
std::optional<bool> waits(const Readings& readings, const std::string& call,
                          const std::string& what);

/// Returns the call's times in words.
std::string times_of(const Readings& readings, const std::string& call, const std::string& what);

/// Returns whether these calls wait for the work, one case per call.
Conclusion whether_they_wait(const Readings& readings, const std::vector<std::string>& calls,
                             const std::string& what = BesideKernel::what);

}  // namespace trilane
