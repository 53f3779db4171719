// Open files and folders, and locks on them.
#pragma once

#include "common/std.hpp"

namespace trilane {

/// The outcome of an attempt to lock a file.
enum class Lock {
  ours,
  taken,        ///< another opening of the file has it
  unavailable,  ///< the file system has no locks, or no file is open
};

/// Owns an open file or folder. Its lock is advisory and belongs to this opening of the file
/// (flock), so a process also excludes itself. The kernel releases it with the last descriptor.
class OpenFile {
 public:
  OpenFile() = default;
  /// Takes over a descriptor, which may be negative.
  explicit OpenFile(int file) : file_(file) {}
  OpenFile(OpenFile&& other) noexcept;
  OpenFile& operator=(OpenFile&& other) noexcept;
  ~OpenFile();

  /// Opens for reading, without waiting for a writer of a pipe. `flags` are added to those of
  /// open(). Check the result: errno says why it is not open.
  static OpenFile to_read(const std::filesystem::path& name, int flags = 0);

  explicit operator bool() const { return file_ >= 0; }
  int get() const { return file_; }

  /// Returns the descriptor, which the caller must close.
  int release() { return std::exchange(file_, -1); }

  /// Tries to lock the file exclusively, without waiting.
  Lock lock() const;

 private:
  int file_ = -1;
};

}  // namespace trilane
