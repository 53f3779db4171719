#include "common/measure/gpu/shared_memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "common/base/text/exit_code.hpp"
#include "common/base/text/size.hpp"

namespace trilane {
namespace {

[[noreturn]] void give_up(std::uint64_t bytes) {
  const char* const way_out = errno == EFBIG ? "raise the limit on the size of files (ulimit -f)"
                                             : "choose a smaller --size";
  throw NotPossible(fmt::format("{} of shared memory cannot be had ({}); {}", format_bytes(bytes),
                                std::strerror(errno), way_out));
}

std::byte* mapped(int file, std::uint64_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) give_up(bytes);
  return static_cast<std::byte*>(memory);
}

}  // namespace

SharedMemory::SharedMemory(std::uint64_t bytes)
    : bytes_(bytes), file_(memfd_create("trilane", MFD_CLOEXEC)) {
  if (file_ < 0) give_up(bytes);
  try {
    if (ftruncate(file_, static_cast<off_t>(bytes)) != 0) give_up(bytes);
    memory_ = mapped(file_, bytes);
  } catch (...) {
    close(file_);
    throw;
  }
}

SharedMemory::SharedMemory(int file, std::uint64_t bytes)
    : bytes_(bytes), file_(file), memory_(mapped(file, bytes)) {}

SharedMemory::~SharedMemory() {
  munmap(memory_, bytes_);
  close(file_);
}

}  // namespace trilane
