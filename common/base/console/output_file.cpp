#include "common/base/console/output_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "common/base/console/temporary.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/gzip.hpp"
#include "common/base/text/quoting.hpp"

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
