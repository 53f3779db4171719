#include "common/base/system/lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace trilane {

OpenFile::OpenFile(OpenFile&& other) noexcept : file_(other.release()) {}

OpenFile& OpenFile::operator=(OpenFile&& other) noexcept {
  std::swap(file_, other.file_);
  return *this;
}

OpenFile::~OpenFile() {
  if (file_ >= 0) close(file_);
}

OpenFile OpenFile::to_read(const std::filesystem::path& name, int flags) {
  return OpenFile(open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags));
}

Lock OpenFile::lock() const {
  if (flock(file_, LOCK_EX | LOCK_NB) == 0) return Lock::ours;
  return errno == EWOULDBLOCK ? Lock::taken : Lock::unavailable;
}

}  // namespace trilane
