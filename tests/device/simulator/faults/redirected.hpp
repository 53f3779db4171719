// Captures what a program writes to standard output or error.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include "tests/framework.hpp"

namespace trilane::simulator {

/// While an instance exists, output to the file descriptor is kept in memory.
class Redirected {
 public:
  explicit Redirected(int descriptor)
      : descriptor_(descriptor), kept_(dup(descriptor)), file_(memfd_create("redirected", 0)) {
    std::fflush(nullptr);
    if (kept_ < 0 || file_ < 0 || dup2(file_, descriptor_) < 0) throw std::runtime_error("no file");
  }
  ~Redirected() {
    std::fflush(nullptr);
    dup2(kept_, descriptor_);
    close(kept_);
    close(file_);
  }
  Redirected(const Redirected&) = delete;
  Redirected& operator=(const Redirected&) = delete;

  std::string text() const {
    std::fflush(nullptr);
    std::string text(static_cast<std::size_t>(lseek(file_, 0, SEEK_END)), '\0');
    const ssize_t count = pread(file_, text.data(), text.size(), 0);
    if (count != static_cast<ssize_t>(text.size())) throw std::runtime_error("cannot be read back");
    return text;
  }

 private:
  int descriptor_, kept_, file_;
};

}  // namespace trilane::simulator
