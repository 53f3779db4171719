// Output files appear whole or not at all.
#pragma once

#include <string>
#include <string_view>

namespace trilane {

/// A file that is written as a whole, as often as wanted: each write goes to a temporary name
/// beside the target and is renamed over it, so that a reader or an interrupt finds the old
/// content or the new, never half. "-" is standard output: nothing can be replaced there, so the
/// caller asks to_stdout() and writes once, at the end.
class OutputFile {
 public:
  /// With an empty path there is no output: writes do nothing. Proves before the
  /// run that the target can be written, without touching it: a file can be made in its folder, the
  /// target is absent or, with `force`, a regular file, or a link to one (the link stays). Throws
  /// UsageError that names `option`, the path and the way out.
  OutputFile(std::string option, std::string path, bool force);

  /// Replaces the whole content; every write, flush and rename is checked. Throws OutputError and
  /// leaves the old content. Without `force` a file that appeared since the check stays.
  void write(const std::string& content);

  const std::string& path() const { return path_; }
  bool enabled() const { return !path_.empty(); }
  bool to_stdout() const { return path_ == "-"; }

 private:
  std::string option_, path_, target_;  ///< target: the path with symbolic links followed
  bool replace_;                        ///< the target may be there: `force`, or our own
};

/// Writes to standard output and flushes it. Throws OutputError.
void write_stdout(std::string_view content);

}  // namespace trilane
