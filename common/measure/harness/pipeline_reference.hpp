// The expected results of a pipeline file, from running its stages one after the other, twice.
#pragma once

#include "common/measure/gpu/runtime/handles.hpp"
#include "common/measure/gpu/stages.hpp"
#include "common/model/workload/data/contents.hpp"

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

class PipelineReference {
 public:
  /// `host_in` is the input that draw() fills and variants read.
  PipelineReference(const Workload& workload, FileKernels kernels, std::uint64_t seed,
                    std::byte* host_in);

  /// Fills the input and computes the expected output: the results of serial, or the contents of
  /// reference files. The first time serial runs twice, on device memory with different contents,
  /// and must give the same results within the tolerances. Throws WrongResult that names the buffer
  /// if the results differ, differ from a reference file, or a stage fails. On the simulated device
  /// nothing is computed.
  void draw(std::byte* expected, const SerialRun::Watch& watch = {});

 private:
  void ensure_repeatable(SerialRun& run, const SerialRun::Watch& watch, std::byte* expected);
  void ensure_right(std::byte* expected) const;

  Workload workload_;
  FileKernels kernels_;
  std::byte* host_in_;
  Inputs inputs_;
  bool first_ = true;
};

}  // namespace trilane
