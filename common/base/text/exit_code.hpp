// Exit codes, and the exceptions that lead to them. A message is a line: error, value and remedy.
#pragma once

#include "common/std.hpp"

namespace trilane {

enum ExitCode : int {
  exit_ok = 0,
  exit_wrong = 1,          ///< wrong data, a failed variant, or a sticky error
  exit_usage = 2,          ///< the command line
  exit_no_gpu = 3,         ///< no usable GPU, found before the first successful CUDA call
  exit_not_possible = 4,   ///< not supported here, or not enough memory
  exit_output = 5,         ///< output could not be written
  exit_unexpected = 6,     ///< an unforeseen error
  exit_interrupted = 130,  ///< SIGINT, SIGTERM or SIGHUP
};

/// Returns the more severe code: interrupted, unexpected, wrong, output, not possible, ok. The
/// others end a run before it has anything to compare.
ExitCode worse_of(ExitCode one, ExitCode other);

/// Its message is a text, or a format with its arguments.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
  template <typename First, typename... More>
  explicit Failure(fmt::format_string<First, More...> form, First&& first, More&&... more)
      : std::runtime_error(fmt::vformat(form, fmt::make_format_args(first, more...))) {}
};

/// Leads to exit_wrong.
struct WrongResult : Failure {
  using Failure::Failure;
};

/// Leads to exit_usage.
struct UsageError : Failure {
  using Failure::Failure;
};

/// Throws UsageError: "--option 'text': why". The reason may be a format with its arguments.
[[noreturn]] void refuse(std::string_view option, std::string_view text, std::string_view why);
template <typename First, typename... More>
[[noreturn]] void refuse(std::string_view option, std::string_view text,
                         fmt::format_string<First, More...> why, First&& first, More&&... more) {
  refuse(option, text, fmt::vformat(why, fmt::make_format_args(first, more...)));
}

/// Leads to exit_no_gpu.
struct NoGpu : Failure {
  using Failure::Failure;
};

/// Leads to exit_not_possible.
struct NotPossible : Failure {
  using Failure::Failure;
};

/// The device's memory ran out. It is NotPossible, so that other work continues.
struct OutOfMemory : NotPossible {
  using NotPossible::NotPossible;
};

/// Leads to exit_output.
struct OutputError : Failure {
  using Failure::Failure;
};

}  // namespace trilane
