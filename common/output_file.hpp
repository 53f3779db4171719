// Output files appear whole or not at all.
#pragma once

#include <stdexcept>
#include <string>

namespace trilane {

/// An output that cannot be written: exit code 5.
struct OutputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A file that is written as a whole, as often as wanted: each write goes to a temporary name
/// beside the target and is renamed over it, so that a reader or an interrupt finds the old
/// content or the new, never half. "-" is standard output, written once, at the last write.
class OutputFile {
 public:
  /// An empty path is an output that nobody asked for: writes to it do nothing. Proves before the
  /// run that the target can be written: its folder is there and writable, the target is absent or,
  /// with `force`, a regular file. Throws UsageError that names `option`, the path and the way out.
  OutputFile(std::string option, std::string path, bool force);

  /// Replaces the whole content; every write, flush and rename is checked. Throws OutputError and
  /// leaves the old content.
  void write(const std::string& content);

  const std::string& path() const { return path_; }
  bool enabled() const { return !path_.empty(); }
  bool to_stdout() const { return path_ == "-"; }

 private:
  std::string option_, path_;
};

}  // namespace trilane
