#include "common/measure/gpu/host_buffer.hpp"

#include <cuda_runtime_api.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/base/text/exit_code.hpp"
#include "common/base/text/size.hpp"
#include "common/measure/gpu/runtime/check.hpp"
#include "common/model/workload/parallel.hpp"

namespace trilane {
namespace {

/// Pinned and mapped for every GPU of the process.
constexpr unsigned for_all_gpus = cudaHostRegisterMapped | cudaHostRegisterPortable;

constexpr std::size_t page = 4096, huge_page = 2 << 20;

std::byte* pageable(std::uint64_t bytes, std::size_t alignment = page) {
  void* const memory =
      std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return static_cast<std::byte*>(memory);
}

/// Allocates pageable memory to be pinned. If it is large, all cores touch it first, in huge pages
/// if available: pinning fills untouched memory page by page on one core.
std::byte* to_be_pinned(std::uint64_t bytes) {
  if (bytes < large_host_buffer) return pageable(bytes);
  std::unique_ptr<std::byte, decltype(&std::free)> memory(pageable(bytes, huge_page), std::free);
  madvise(memory.get(), bytes, MADV_HUGEPAGE);  // failure costs only time
  in_parallel(bytes / huge_page, 16, [&](std::size_t first, std::size_t last) {
    std::memset(memory.get() + first * huge_page, 0, (last - first) * huge_page);
  });
  return memory.release();
}

std::byte* allocated(std::uint64_t bytes, unsigned flags) {
  void* memory = nullptr;
  check(cudaHostAlloc(&memory, bytes, flags | cudaHostAllocPortable));
  return static_cast<std::byte*>(memory);
}

HostBuffer registered(std::uint64_t bytes) {
  HostBuffer buffer(to_be_pinned(bytes), {HostMemory::pageable});  // until it is registered
  check(cudaHostRegister(buffer.get(), bytes, for_all_gpus));
  buffer.get_deleter().kind = HostMemory::registered;
  return buffer;
}

[[noreturn]] void give_up(std::uint64_t bytes) {
  const char* const way_out = errno == EFBIG ? "raise the limit on the size of files (ulimit -f)"
                                             : "choose a smaller --size";
  throw NotPossible("cannot allocate {} of shared memory ({}); {}", format_bytes(bytes),
                    std::strerror(errno), way_out);
}

std::byte* mapped(int file, std::uint64_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) give_up(bytes);
  return static_cast<std::byte*>(memory);
}

}  // namespace

void HostRelease::operator()(std::byte* memory) const noexcept {
  const bool registered = kind == HostMemory::registered;
  if (!owned && !registered) return;
  wait_if_unwinding();
  if (registered) warn(cudaHostUnregister(memory));
  if (!owned) return;
  if (registered || kind == HostMemory::pageable) {
    std::free(memory);
  } else {
    warn(cudaFreeHost(memory));
  }
}

HostBuffer make_host_buffer(std::uint64_t bytes, HostMemory kind) {
  switch (kind) {
    case HostMemory::pinned:
      if (bytes >= large_host_buffer) return registered(bytes);
      return {allocated(bytes, cudaHostAllocMapped), {kind}};
    case HostMemory::write_combined:
      return {allocated(bytes, cudaHostAllocMapped | cudaHostAllocWriteCombined), {kind}};
    case HostMemory::registered: return registered(bytes);
    case HostMemory::pageable: break;
  }
  return {pageable(bytes), {HostMemory::pageable}};
}

HostBuffer pin_shared(std::byte* memory, std::uint64_t bytes) {
  check(cudaHostRegister(memory, bytes, for_all_gpus));
  return {memory, {HostMemory::registered, false}};
}

HostBuffer view_of(std::byte* memory) { return {memory, {HostMemory::pageable, false}}; }

double host_memory_seconds(std::uint64_t bytes) {
  constexpr std::uint64_t sample = 256 << 20;
  if (bytes < large_host_buffer) return 0;
  const auto start = std::chrono::steady_clock::now();
  const HostBuffer memory = make_host_buffer(sample, HostMemory::pageable);
  in_parallel(sample, 4 << 20, [&](std::size_t first, std::size_t last) {
    std::memset(memory.get() + first, 0, last - first);
  });
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  // To fill memory is half of the work: pinning walks over all of its pages, and the input is
  // drawn.
  return 2 * taken.count() * static_cast<double>(bytes) / static_cast<double>(sample);
}

HostMemory output_kind(HostMemory kind) {
  return kind == HostMemory::write_combined ? HostMemory::pinned : kind;
}

SharedMemory::SharedMemory(std::uint64_t bytes)
    : bytes_(bytes), file_(memfd_create("trilane", MFD_CLOEXEC)) {
  if (!file_ || ftruncate(file_.get(), static_cast<off_t>(bytes)) != 0) give_up(bytes);
  memory_ = mapped(file_.get(), bytes);
}

SharedMemory::SharedMemory(int file, std::uint64_t bytes)
    : bytes_(bytes), file_(file), memory_(mapped(file, bytes)) {}

SharedMemory::~SharedMemory() { munmap(memory_, bytes_); }

}  // namespace trilane
