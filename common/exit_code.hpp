// How a program ends.
#pragma once

namespace trilane {

enum ExitCode : int {
  exit_ok = 0,
  exit_wrong = 1,          ///< wrong data, a failed variant, or a sticky error
  exit_usage = 2,          ///< the command line
  exit_no_gpu = 3,         ///< no usable GPU, found before the first successful CUDA call
  exit_not_possible = 4,   ///< not supported here, or not enough memory
  exit_output = 5,         ///< output could not be written
  exit_interrupted = 130,  ///< Ctrl-C
};

}  // namespace trilane
