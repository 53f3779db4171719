#include "common/base/console/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/text/exit_code.hpp"
#include "common/base/text/gzip.hpp"
#include "common/base/text/words.hpp"

namespace trilane {
namespace {

namespace fs = std::filesystem;

/// Returns the reason why the target cannot be written, with the remedy; empty if it can.
std::string obstacle(const fs::path& path, const fs::path& target, bool force) {
  if (!path.has_filename()) return "names a folder; add a file name";
  struct stat found {};
  if (lstat(target.c_str(), &found) == 0) {
    if (S_ISLNK(found.st_mode)) return "is a broken link; give a regular file's name";
    if (S_ISDIR(found.st_mode)) return "is a folder; add a file name";
    if (!S_ISREG(found.st_mode)) return "is not a regular file; give another name, or - for stdout";
    if (!force) return "already exists; give another name or add --force";
    if (access(target.c_str(), W_OK) != 0) return "is write-protected; give another name";
  } else if (errno != ENOENT) {
    return fmt::format("cannot be written ({}); give another name", std::strerror(errno));
  }
  remove_left_behind(target.has_parent_path() ? target.parent_path() : ".");
  try {
    TemporaryFile probe(target);
  } catch (const std::system_error& error) {
    return fmt::format("cannot create a file in its folder ({}); give another folder",
                       error.code().message());
  }
  return {};
}

constexpr std::string_view before = ".trilane-", after = ".tmp";

std::system_error last_error() { return {errno, std::generic_category()}; }

/// Returns a name from a number unique in this process and the process's own number.
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

OutputFile::OutputFile(std::string option, std::string path, bool force)
    : option_(std::move(option)), path_(std::move(path)), target_(path_), replace_(force) {
  if (to_stdout()) return;
  std::error_code none;
  if (fs::is_symlink(path_, none)) {
    const fs::path followed = fs::canonical(path_, none);
    if (!followed.empty()) target_ = followed;
  }
  const std::string why = obstacle(path_, target_, force);
  if (!why.empty()) refuse(option_, path_, why);
}

void OutputFile::write(const std::string& content) {
  if (to_stdout()) return write_stdout(content);
  try {
    std::error_code none;
    if (!replace_ && fs::exists(fs::symlink_status(target_, none)))
      throw std::system_error(EEXIST, std::generic_category());
    TemporaryFile file(target_);
    file.write(path_.ends_with(".gz") ? gzipped(content) : content);
    file.replace(target_);
    replace_ = true;
  } catch (const std::system_error& error) {
    throw OutputError("{} {}: cannot be written ({}); make room or give another name", option_,
                      in_quotes(path_), error.code().message());
  }
}

void write_stdout(std::string_view content) {
  const bool whole = std::fwrite(content.data(), 1, content.size(), stdout) == content.size();
  if (!whole || std::fflush(stdout) != 0) {
    throw OutputError("standard output: cannot be written ({}); redirect it elsewhere",
                      std::strerror(errno));
  }
}

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
