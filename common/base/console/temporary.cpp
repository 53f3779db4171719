#include "common/base/console/temporary.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>

namespace trilane {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view before = ".trilane-", after = ".tmp";

std::system_error last_error() { return {errno, std::generic_category()}; }

/// Returns a name from a number unique in this process and the process's own, which another machine
/// may also use.
std::string new_name() {
  static std::atomic<unsigned> made = 0;
  return fmt::format("{}{}-{}{}", before, getpid(), made++, after);
}

bool is_ours(const std::string& name) { return name.starts_with(before) && name.ends_with(after); }

/// Locks a new file or folder. Returns false if another run already considered it abandoned, and
/// has removed it or is about to. If locks are unavailable, nothing is considered abandoned.
bool is_kept(const OpenFile& file) {
  const Lock lock = file.lock();
  if (lock != Lock::ours) return lock == Lock::unavailable;
  struct stat found {};
  return fstat(file.get(), &found) == 0 && found.st_nlink > 0;
}

}  // namespace

void remove_left_behind(const fs::path& folder) noexcept try {
  std::error_code none;
  std::vector<fs::path> found;
  for (fs::directory_iterator at(folder, none), end; !none && at != end; at.increment(none)) {
    if (is_ours(at->path().filename())) found.push_back(at->path());
  }
  for (const fs::path& name : found) {
    const OpenFile file = OpenFile::to_read(name, O_NOFOLLOW);
    if (file.lock() == Lock::ours) fs::remove_all(name, none);
  }
} catch (const std::exception&) {
  // Remaining files are left.
}

TemporaryFile::TemporaryFile(const fs::path& target) {
  const fs::path folder = target.has_parent_path() ? target.parent_path() : ".";
  do {
    name_ = folder / new_name();
    file_ = OpenFile(open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!file_ && errno != EEXIST) throw last_error();
  } while (!file_ || !is_kept(file_));
  lock_ = OpenFile(fcntl(file_.get(), F_DUPFD_CLOEXEC, 0));
}

TemporaryFile::~TemporaryFile() {
  if (!name_.empty()) unlink(name_.c_str());
}

void TemporaryFile::write(std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(file_.get(), content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw last_error();
    content.remove_prefix(static_cast<std::size_t>(written));
  }
}

void TemporaryFile::replace(const fs::path& target) {
  struct stat old {};
  if (stat(target.c_str(), &old) == 0 && fchmod(file_.get(), old.st_mode & 0777) != 0)
    throw last_error();
  if (close(file_.release()) != 0) throw last_error();
  if (rename(name_.c_str(), target.c_str()) != 0) throw last_error();
  name_.clear();
}

TemporaryFolder::TemporaryFolder(const fs::path& parent) {
  do {
    lock_ = {};
    path_ = parent / new_name();
    if (mkdir(path_.c_str(), 0700) != 0) {
      if (errno != EEXIST) throw last_error();
      continue;
    }
    lock_ = OpenFile::to_read(path_, O_NOFOLLOW);
    if (!lock_ && errno != ENOENT) {
      const std::system_error error = last_error();
      rmdir(path_.c_str());
      throw error;
    }
  } while (!lock_ || !is_kept(lock_));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code none;
  fs::remove_all(path_, none);
}

}  // namespace trilane
