#include "common/measure/sweep/lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "common/base/text/exit_code.hpp"
#include "common/base/text/quoting.hpp"

namespace trilane {
namespace {

bool same_file(const struct stat& one, const struct stat& other) {
  return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

}  // namespace

/// Locks the file that has this name at that moment. If files cannot be locked, only check()
/// protects.
bool FileLock::lock() {
  while (true) {
    held_ = open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    const bool taken = held_ >= 0 && flock(held_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (taken) return false;
    struct stat named {};
    ours_.reset();
    if (stat(path_.c_str(), &named) != 0) return true;
    ours_ = named;
    if (held_ < 0 || (fstat(held_, &named) == 0 && same_file(*ours_, named))) return true;
    close(held_);
  }
}

FileLock::FileLock(std::string path) : path_(std::move(path)) {
  if (path_ == "-") path_.clear();
  if (path_.empty() || lock()) return;
  throw UsageError(
      fmt::format("--json {}: another sweep is writing it; wait for its end, or give another name",
                  in_quotes(path_)));
}

FileLock::~FileLock() {
  if (held_ >= 0) close(held_);
}

void FileLock::check() const {
  struct stat named {};
  if (path_.empty() || stat(path_.c_str(), &named) != 0) return;
  if (ours_ && same_file(*ours_, named)) return;
  throw OutputError(fmt::format(
      "--json {}: another program has written it meanwhile, so this sweep leaves it as it is; run "
      "one sweep at a time, or give another name",
      in_quotes(path_)));
}

void FileLock::follow() {
  struct stat named {};
  const bool is_held = ours_ && stat(path_.c_str(), &named) == 0 && same_file(*ours_, named);
  if (path_.empty() || is_held) return;
  const int before = std::exchange(held_, -1);
  const bool locked = lock();
  if (before >= 0) close(before);
  if (locked) return;
  throw OutputError(
      fmt::format("--json {}: another sweep goes on with it; run one sweep at a time, or give "
                  "another name",
                  in_quotes(path_)));
}

}  // namespace trilane
