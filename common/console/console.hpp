// What a program prints, shows and writes.
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
  std::string option, path;              ///< as in OutputFile
  std::function<std::string()> content;  ///< the current one; empty: nothing to write
};

/// Owns standard output, the progress display and the output files.
class Console {
 public:
  /// Checks that every output can be written, see OutputFile. Throws UsageError.
  explicit Console(std::vector<Output> outputs = {}, bool force = false);

  /// Writes text for people to standard output, or to standard error if an output goes to standard
  /// output. Throws OutputError.
  void say(const std::string& text);

  /// Writes a line to standard error.
  void complain(const std::string& line);

  /// Writes the outputs that are files. Call it after every step, so that an interrupted run keeps
  /// its results. Throws OutputError.
  void keep() { write(false); }

  /// Writes every output. Call it once, because standard output cannot be replaced. Throws
  /// OutputError.
  void finish() { write(true); }

  /// Whether keep() writes anything.
  bool has_files() const;

  /// From now on shows progress over that many steps on standard error.
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
