// One sweep at a time on a file.
#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>

namespace trilane {

/// An advisory lock (flock) on the file of a sweep, which the kernel releases with the process, so
/// nothing is left behind. Each write makes a new file, to which the lock moves.
class FileLock {
 public:
  /// Takes no lock for an empty path and "-", or before there is a file. Throws UsageError if
  /// another sweep holds the lock.
  explicit FileLock(std::string path);
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

  /// Must be called before each write. Throws OutputError if the file is not the one that this
  /// sweep found or wrote.
  void check() const;

  /// Must be called after each write, whether or not it succeeded. Throws OutputError if another
  /// sweep locked the new file first; that sweep then has everything that this one wrote.
  void follow();

 private:
  bool lock();

  std::string path_;
  int held_ = -1;
  std::optional<struct stat> ours_;  ///< the locked file; absent if none exists
};

}  // namespace trilane
