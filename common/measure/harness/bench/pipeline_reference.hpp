// The expected results of a pipeline file, from running its stages one after the other, twice.
#pragma once

#include <optional>
#include <vector>

#include "common/measure/gpu/pipeline/serial_run.hpp"
#include "common/model/workload/data/inputs.hpp"

namespace trilane {

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
