// Does a call wait for work on another stream?
#pragma once

#include "common/measure/ask/parts/experiment.hpp"

namespace trilane {

/// A call and what it needs. `before` and `after` are not timed; the device is idle then.
struct TriedCall {
  std::string name;
  std::function<void()> call;
  std::function<void()> before = [] {}, after = [] {};
};

/// Return the names of the conditions that try `call` beside `work`, "a kernel", and on an idle
/// device.
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
