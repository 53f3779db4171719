// The reference pass of a pipeline file, one operation at a time.
#pragma once

#include <functional>

#include "common/measure/gpu/runtime/handles.hpp"
#include "common/measure/gpu/stages/stages.hpp"

namespace trilane {

/// Runs chunk after chunk in the memory of one chunk, waiting after each operation.
class SerialRun {
 public:
  /// Called before and after each step, while the device is idle. Either may be empty.
  struct Watch {
    std::function<void(const SerialRun&, const Step&)> before, after;
  };

  /// Runs the job's workload on its input; `host_out` must have room for its output.
  SerialRun(const Job& job, std::byte* host_out);

  /// Sets all device memory of a chunk to `fill` before its first step. Memory that a kernel reads
  /// uninitialised, or leaves unwritten, then differs between two runs. Throws WrongResult that
  /// names the failed stage, and Interrupted after a signal.
  void run(std::byte fill, const Watch& watch = {});

  /// Returns the device memory of a chunk.
  const std::byte* memory() const { return memory_.get(); }
  const Job& job() const { return job_; }

 private:
  Job job_;
  DeviceBuffer memory_;
  Scratch scratch_;
  Stream stream_ = make_stream();
};

}  // namespace trilane
