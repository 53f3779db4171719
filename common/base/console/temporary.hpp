// Temporary files and folders. The kernel holds a lock on each while its owner lives, so a later
// run can recognise and remove those of a dead one. Signals wait until they are removed.
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

}  // namespace trilane
