#include "common/gpu/host_buffer.hpp"

#include <cuda_runtime_api.h>

#include <cstdlib>
#include <new>

#include "common/gpu/runtime/check.hpp"

namespace trilane {

namespace {

constexpr std::size_t page = 4096;

std::byte* pageable(std::uint64_t bytes) {
  void* const memory = std::aligned_alloc(page, (bytes + page - 1) / page * page);
  if (memory == nullptr) throw std::bad_alloc();
  return static_cast<std::byte*>(memory);
}

std::byte* allocated(std::uint64_t bytes, unsigned flags) {
  void* memory = nullptr;
  check(cudaHostAlloc(&memory, bytes, flags));
  return static_cast<std::byte*>(memory);
}

}  // namespace

void HostRelease::operator()(std::byte* memory) const noexcept {
  const bool registered = kind == HostMemory::registered;
  if (registered) warn(cudaHostUnregister(memory));
  if (registered || kind == HostMemory::pageable) {
    std::free(memory);
  } else {
    warn(cudaFreeHost(memory));
  }
}

HostBuffer make_host_buffer(std::uint64_t bytes, HostMemory kind) {
  switch (kind) {
    case HostMemory::pinned: return {allocated(bytes, cudaHostAllocMapped), {kind}};
    case HostMemory::write_combined:
      return {allocated(bytes, cudaHostAllocMapped | cudaHostAllocWriteCombined), {kind}};
    default: break;
  }
  HostBuffer buffer(pageable(bytes), {HostMemory::pageable});
  if (kind == HostMemory::pageable) return buffer;
  check(cudaHostRegister(buffer.get(), bytes, cudaHostRegisterMapped));
  buffer.get_deleter().kind = HostMemory::registered;
  return buffer;
}

HostMemory output_kind(HostMemory kind) {
  return kind == HostMemory::write_combined ? HostMemory::pinned : kind;
}

}  // namespace trilane
