// Everything that a program prints, shows and writes.
#pragma once

#include "common/base/console/output_file.hpp"
#include "common/base/console/progress.hpp"
#include "common/base/text/exit_code.hpp"

namespace trilane {

/// A file requested by an option.
struct Output {
  std::string option, path;              ///< as in OutputFile
  std::function<std::string()> content;  ///< returns the current content; empty if there is nothing
                                         ///< to write
};

/// Owns standard output, the progress display and the output files: the only exit for results. An
/// output that cannot be written is reported once, and the others are still written.
class Console {
 public:
  /// Checks that every output can be written, see OutputFile. Throws UsageError.
  explicit Console(std::vector<Output> outputs = {}, bool force = false);

  /// Writes a line to standard error, after the program's name.
  void complain(const std::string& line);

  /// Writes a text to standard error, for programs whose standard output is another's.
  void tell(const std::string& text);

  /// Prints each warning on a line. Call it after the last possible refusal, because a refusal
  /// prints only its reason.
  void warn(const std::vector<std::string>& warnings);

  /// Writes the outputs that are files. Call it after every step, so that an interrupted run keeps
  /// its results.
  void keep();

  /// Writes every output, then `text` for people: to standard output, or to standard error if an
  /// output goes to standard output. Call it once, because standard output cannot be replaced.
  /// Returns exit_output if any of it could not be written, otherwise exit_ok.
  ExitCode finish(const std::string& text = "");

  /// Returns true if keep() writes anything.
  bool has_files() const;

  /// Starts to show progress over that many steps on standard error.
  Progress& expect(std::size_t steps);

 private:
  struct Written {
    OutputFile file;
    std::function<std::string()> content;
    bool failed = false, complained = false;
  };

  void write(Written& output);
  void say(const std::string& text);
  /// Returns true if `action` succeeded; reports an exception, once for each `complained`.
  bool attempt(const std::function<void()>& action, bool& complained);

  std::vector<Written> outputs_;
  bool stdout_is_taken_ = false;
  std::optional<Progress> progress_;
};

}  // namespace trilane
