// Output files, which are written completely or not at all, and temporary files and folders. The
// kernel holds a lock on each temporary one while its owner lives, so a later run can recognise and
// remove those of a dead one. Signals wait until they are removed.
#pragma once

#include "common/base/console/interrupt.hpp"
#include "common/base/system/lock.hpp"

namespace trilane {

/// Removes the temporary files and folders that dead runs left in a folder, as far as possible.
void remove_left_behind(const std::filesystem::path& folder) noexcept;

/// A new file beside `target`, removed unless it replaces it. Its name does not include the
/// target's, which may already have the maximum length. Every function throws std::system_error.
class TemporaryFile : boost::noncopyable {
 public:
  explicit TemporaryFile(const std::filesystem::path& target);
  ~TemporaryFile();

  void write(std::string_view content);

  /// Replaces the target and keeps its permissions.
  void replace(const std::filesystem::path& target);

 private:
  const EndHeld until_removed_;
  std::filesystem::path name_;
  // Two descriptors of one open file, because closing it reports late errors.
  OpenFile file_, lock_;
};

/// A new folder in `parent`, removed with its contents. Poll must_end() while it lives.
class TemporaryFolder : boost::noncopyable {
 public:
  /// Throws std::system_error.
  explicit TemporaryFolder(const std::filesystem::path& parent);
  ~TemporaryFolder();

  const std::filesystem::path& path() const { return path_; }

 private:
  const EndHeld until_removed_;
  std::filesystem::path path_;
  OpenFile lock_;
};

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
