// What one invocation says, shows and writes.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/console/output_file.hpp"
#include "common/console/progress.hpp"

namespace trilane {

/// A file that an option asks for.
struct Output {
  std::string option, path;              ///< as OutputFile takes them
  std::function<std::string()> content;  ///< as it is now; empty while there is nothing to write
};

/// Owns standard output, the progress display and the output files.
class Console {
 public:
  /// Proves that every output can be written, see OutputFile. Throws UsageError.
  explicit Console(std::vector<Output> outputs = {}, bool force = false);

  /// Writes text for people to standard output, or to standard error where an output goes to
  /// standard output. Throws OutputError.
  void say(const std::string& text);

  /// Writes a line to standard error.
  void complain(const std::string& line);

  /// Writes the outputs that are files, as they are now: called after every step, so that an
  /// interrupted run keeps what it had. Throws OutputError.
  void keep() { write(false); }

  /// Writes every output, those on standard output too, which cannot be written again. Throws
  /// OutputError.
  void finish() { write(true); }

  /// Whether keep() writes anything.
  bool has_files() const;

  /// Shows progress on standard error from now on, over so many steps.
  Progress& expect(std::size_t steps);

 private:
  struct Written {
    OutputFile file;
    std::function<std::string()> content;
  };

  void write(bool all);

  std::vector<Written> outputs_;
  bool stdout_is_taken_ = false;
  std::optional<Progress> progress_;
};

}  // namespace trilane
