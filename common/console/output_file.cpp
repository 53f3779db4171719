#include "common/console/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "common/text/exit_code.hpp"
#include "common/text/quoting.hpp"

namespace trilane {
namespace {

namespace fs = std::filesystem;

std::system_error last_error() { return {errno, std::generic_category()}; }

/// A new file beside `target`, removed unless it is renamed to it. Its name does not include the
/// target's, which may already have the maximum length.
class Temporary {
 public:
  explicit Temporary(const fs::path& target) {
    static unsigned made = 0;
    const fs::path folder = target.has_parent_path() ? target.parent_path() : ".";
    do {
      name_ = folder / fmt::format(".trilane-{}-{}.tmp", getpid(), made++);
      file_ = open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (file_ < 0 && errno == EEXIST);
    if (file_ < 0) throw last_error();
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (file_ >= 0) close(file_);
    if (!name_.empty()) unlink(name_.c_str());
  }

  void write(std::string_view content) {
    while (!content.empty()) {
      const ssize_t written = ::write(file_, content.data(), content.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) throw last_error();
      content.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  /// Replaces the target and keeps its permissions.
  void replace(const fs::path& target) {
    struct stat old {};
    if (stat(target.c_str(), &old) == 0 && fchmod(file_, old.st_mode & 0777) != 0)
      throw last_error();
    if (close(std::exchange(file_, -1)) != 0) throw last_error();
    if (rename(name_.c_str(), target.c_str()) != 0) throw last_error();
    name_.clear();
  }

 private:
  fs::path name_;
  int file_ = -1;
};

/// Why the target cannot be written, and how to fix it; empty if it can.
std::string obstacle(const fs::path& path, const fs::path& target, bool force) {
  if (!path.has_filename()) return "names a folder; add a file name";
  struct stat found {};
  if (lstat(target.c_str(), &found) == 0) {
    if (S_ISLNK(found.st_mode)) return "is a broken link; give a regular file's name";
    if (S_ISDIR(found.st_mode)) return "is a folder; add a file name";
    if (!S_ISREG(found.st_mode)) return "is not a regular file; give another name, or - for stdout";
    if (!force) return "is already there; give another name or add --force";
    if (access(target.c_str(), W_OK) != 0) return "is write-protected; give another name";
  } else if (errno != ENOENT) {
    return fmt::format("cannot be written ({}); give another name", std::strerror(errno));
  }
  try {
    Temporary probe(target);
  } catch (const std::system_error& error) {
    return fmt::format("cannot make a file in its folder ({}); give another folder",
                       error.code().message());
  }
  return {};
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
  if (!why.empty()) throw UsageError(fmt::format("{} {}: {}", option_, in_quotes(path_), why));
}

void OutputFile::write(const std::string& content) {
  if (to_stdout()) return write_stdout(content);
  try {
    std::error_code none;
    if (!replace_ && fs::exists(fs::symlink_status(target_, none)))
      throw std::system_error(EEXIST, std::generic_category());
    Temporary file(target_);
    file.write(content);
    file.replace(target_);
    replace_ = true;
  } catch (const std::system_error& error) {
    throw OutputError(fmt::format("{} {}: cannot be written ({}); make room or give another name",
                                  option_, in_quotes(path_), error.code().message()));
  }
}

void write_stdout(std::string_view content) {
  const bool whole = std::fwrite(content.data(), 1, content.size(), stdout) == content.size();
  if (!whole || std::fflush(stdout) != 0) {
    throw OutputError(fmt::format("standard output: cannot be written ({}); redirect it elsewhere",
                                  std::strerror(errno)));
  }
}

}  // namespace trilane
