#include "common/application/replay/iteration/driver_handles.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "common/base/text/exit_code.hpp"

namespace trilane {

namespace {

std::string name_of_error(CUresult code) {
  const char* name = nullptr;
  if (driver().cuGetErrorName(code, &name) != CUDA_SUCCESS || name == nullptr) return "unknown";
  return name;
}

constexpr std::size_t page = 4096;

/// The driver takes memory from the device in such pieces. In a piece with room left behind the
/// replay's own memory, small allocations of the application would take 3 us instead of 35.
constexpr std::size_t piece = std::size_t{2} << 20;

}  // namespace

DriverError::DriverError(CUresult code, const std::string& function)
    : std::runtime_error(fmt::format("{}: {}", function, name_of_error(code))), code_(code) {}

void check_driver(CUresult code, const char* function) {
  if (code == CUDA_SUCCESS) return;
  if (code == CUDA_ERROR_OUT_OF_MEMORY) throw OutOfMemory(fmt::format("{}: no memory", function));
  throw DriverError(code, function);
}

/// The runtime launches kernels by a CUkernel.
CUfunction function_of(std::uint64_t handle) {
  CUfunction function = nullptr;
  const CUresult result =
      driver().cuKernelGetFunction(&function, reinterpret_cast<CUkernel>(handle));
  return result == CUDA_SUCCESS ? function : reinterpret_cast<CUfunction>(handle);
}

OwnEvent make_own_event(unsigned flags) {
  CUevent event = nullptr;
  TRILANE_DRIVER(cuEventCreate, &event, flags);
  return OwnEvent(event);
}

OwnMemory::OwnMemory(std::size_t bytes) {
  TRILANE_DRIVER(cuMemAlloc, &address_, (bytes + piece - 1) / piece * piece);
}

OwnPool make_own_pool() {
  CUmemPoolProps properties{};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  TRILANE_DRIVER(cuCtxGetDevice, &properties.location.id);
  CUmemoryPool handle = nullptr;
  TRILANE_DRIVER(cuMemPoolCreate, &handle, &properties);
  OwnPool pool(handle);
  cuuint64_t everything = UINT64_MAX;
  TRILANE_DRIVER(cuMemPoolSetAttribute, handle, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &everything);
  return pool;
}

OwnMemory::OwnMemory(OwnMemory&& other) noexcept : address_(std::exchange(other.address_, 0)) {}

OwnMemory& OwnMemory::operator=(OwnMemory&& other) noexcept {
  std::swap(address_, other.address_);
  return *this;
}

OwnMemory::~OwnMemory() {
  if (address_ != 0) static_cast<void>(driver().cuMemFree(address_));
}

OwnHostMemory::OwnHostMemory(std::size_t bytes, bool pinned, std::uint64_t like)
    : bytes_(bytes), pinned_(pinned) {
  const std::size_t offset = like % page;
  const std::size_t whole = (bytes + offset + page - 1) / page * page;
  if (pinned) {
    TRILANE_DRIVER(cuMemHostAlloc, &whole_, whole, 0);
  } else {
    whole_ = std::aligned_alloc(page, whole);
    if (whole_ == nullptr) throw std::bad_alloc();
  }
  std::memset(whole_, 0, whole);  // touched, as the application's is
  data_ = static_cast<std::byte*>(whole_) + offset;
}

OwnHostMemory::OwnHostMemory(OwnHostMemory&& other) noexcept { *this = std::move(other); }

OwnHostMemory& OwnHostMemory::operator=(OwnHostMemory&& other) noexcept {
  std::swap(whole_, other.whole_);
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  std::swap(pinned_, other.pinned_);
  return *this;
}

OwnHostMemory::~OwnHostMemory() {
  if (whole_ == nullptr) return;
  // After a call that failed half-way, copies issued before it may still use the memory.
  static_cast<void>(driver().cuCtxSynchronize());
  if (pinned_) {
    static_cast<void>(driver().cuMemFreeHost(whole_));
  } else {
    std::free(whole_);
  }
}

}  // namespace trilane
