// Output files that are written completely or not at all.
#pragma once

#include "common/std.hpp"

namespace trilane {

/// A file that can be rewritten as a whole. Each write goes to a temporary name beside the target
/// and is renamed, so that a reader or an interrupt finds the old or the new content, never half.
/// A name that ends in ".gz" makes it gzip data. "-" is standard output, which cannot be replaced:
/// the caller checks to_stdout() and writes once.
class OutputFile {
 public:
  /// Checks, without touching the target, that it can be written: its folder is writable, and the
  /// target is absent or, with `force`, a regular file or a link to one (the link stays). Throws
  /// UsageError that names `option`, the path and the remedy.
  OutputFile(std::string option, std::string path, bool force);

  /// Replaces the whole content. Throws OutputError and keeps the old content if a write, flush or
  /// rename fails. Without `force` a file that appeared since the check stays.
  void write(const std::string& content);

  bool to_stdout() const { return path_ == "-"; }

 private:
  std::string option_, path_, target_;  ///< target: `path` without symbolic links
  bool replace_;                        ///< may replace the target: with `force`, or if it is ours
};

/// Writes to standard output and flushes it. Throws OutputError.
void write_stdout(std::string_view content);

}  // namespace trilane
