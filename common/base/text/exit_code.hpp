// Exit codes, and the exceptions that lead to them. A message is one line: what was wrong, the
// value, and how to fix it.
#pragma once

#include <stdexcept>
#include <string_view>

namespace trilane {

enum ExitCode : int {
  exit_ok = 0,
  exit_wrong = 1,          ///< wrong data, a failed variant, or a sticky error
  exit_usage = 2,          ///< the command line
  exit_no_gpu = 3,         ///< no usable GPU, found before the first successful CUDA call
  exit_not_possible = 4,   ///< not supported here, or not enough memory
  exit_output = 5,         ///< output could not be written
  exit_unexpected = 6,     ///< an error that nothing foresees
  exit_interrupted = 130,  ///< SIGINT, SIGTERM or SIGHUP
};

/// The more severe: interrupted, unexpected, wrong, output, not possible, ok. The others end a run
/// before it has anything to weigh.
ExitCode worse_of(ExitCode one, ExitCode other);

/// exit_wrong.
struct WrongResult : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// exit_usage.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws UsageError: "--option 'text': why".
[[noreturn]] void refuse(std::string_view option, std::string_view text, std::string_view why);

/// exit_no_gpu.
struct NoGpu : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// exit_not_possible.
struct NotPossible : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The device's memory ran out. NotPossible, so that what stood beside it goes on.
struct OutOfMemory : NotPossible {
  using NotPossible::NotPossible;
};

/// exit_output.
struct OutputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace trilane
