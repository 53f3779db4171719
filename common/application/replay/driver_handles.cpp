#include "common/application/replay/driver_handles.hpp"

#include "common/base/text/exit_code.hpp"

namespace trilane {

namespace {

const char* name_of_error(CUresult code) {
  const char* name = nullptr;
  if (driver().cuGetErrorName(code, &name) != CUDA_SUCCESS || name == nullptr) return "unknown";
  return name;
}

constexpr std::size_t page = 4096;

/// The driver takes memory from the device in such pieces. In a piece with room left behind the
/// replay's own memory, small allocations of the application would take 3 us instead of 35.
constexpr std::size_t piece = std::size_t{2} << 20;

}  // namespace

void check_driver(CUresult code, const char* function) {
  if (code == CUDA_SUCCESS) return;
  if (code == CUDA_ERROR_OUT_OF_MEMORY) throw OutOfMemory(fmt::format("{}: no memory", function));
  throw std::runtime_error(fmt::format("{}: {}", function, name_of_error(code)));
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
  CUdeviceptr address = 0;
  TRILANE_DRIVER(cuMemAlloc, &address, (bytes + piece - 1) / piece * piece);
  memory_.reset(reinterpret_cast<void*>(address));
}

void OwnMemory::Free::operator()(void* memory) const {
  static_cast<void>(driver().cuMemFree(reinterpret_cast<CUdeviceptr>(memory)));
}

OwnHostMemory::OwnHostMemory(std::size_t bytes, bool pinned, std::uint64_t like) : bytes_(bytes) {
  const std::size_t offset = like % page;
  const std::size_t whole = (bytes + offset + page - 1) / page * page;
  void* memory = nullptr;
  if (pinned) {
    TRILANE_DRIVER(cuMemHostAlloc, &memory, whole, 0);
  } else {
    memory = std::aligned_alloc(page, whole);
    if (memory == nullptr) throw std::bad_alloc();
  }
  whole_ = {memory, Free{pinned}};
  std::memset(memory, 0, whole);  // touched, as the application's is
  data_ = static_cast<std::byte*>(memory) + offset;
}

void OwnHostMemory::Free::operator()(void* memory) const {
  // After a call that failed half-way, copies issued before it may still use the memory.
  static_cast<void>(driver().cuCtxSynchronize());
  if (pinned) {
    static_cast<void>(driver().cuMemFreeHost(memory));
  } else {
    std::free(memory);
  }
}

}  // namespace trilane
