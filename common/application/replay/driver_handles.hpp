// Owners of driver objects that a replay makes, and checked calls of the driver.
#pragma once

#include <cuda.h>

#include "common/application/replay/replay_driver.hpp"

namespace trilane {

/// Throws std::runtime_error, or OutOfMemory, unless the call of `function` succeeded.
void check_driver(CUresult code, const char* function);

/// Calls a function of the driver and checks it: TRILANE_DRIVER(cuMemFree, pointer).
#define TRILANE_DRIVER(name, ...) \
  ::trilane::check_driver(::trilane::driver().name(__VA_ARGS__), #name)

namespace detail {

/// Releases with the driver's function at `member`; a failed release counts as released.
template <auto member>
struct DriverRelease {
  template <typename Handle>
  void operator()(Handle handle) const {
    static_cast<void>((driver().*member)(handle));
  }
};

}  // namespace detail

template <typename Handle, auto member>
using DriverOwner = std::unique_ptr<std::remove_pointer_t<Handle>, detail::DriverRelease<member>>;

using OwnEvent = DriverOwner<CUevent, &ReplayDriver::cuEventDestroy>;
using OwnGraph = DriverOwner<CUgraph, &ReplayDriver::cuGraphDestroy>;
using OwnPool = DriverOwner<CUmemoryPool, &ReplayDriver::cuMemPoolDestroy>;
using OwnModule = DriverOwner<CUmodule, &ReplayDriver::cuModuleUnload>;
using OwnGraphExec = DriverOwner<CUgraphExec, &ReplayDriver::cuGraphExecDestroy>;

/// Returns the function behind a launch's handle: a CUfunction, or a CUkernel of a library.
CUfunction function_of(std::uint64_t handle);

/// `flags` are those of cuEventCreate.
OwnEvent make_own_event(unsigned flags);

/// Device memory, in pieces that hold nothing else.
class OwnMemory {
 public:
  OwnMemory() = default;
  /// Throws OutOfMemory.
  explicit OwnMemory(std::size_t bytes);

  CUdeviceptr address() const { return reinterpret_cast<CUdeviceptr>(memory_.get()); }

 private:
  struct Free {
    void operator()(void* memory) const;
  };
  std::unique_ptr<void, Free> memory_;
};

/// Host memory, pinned or pageable, as far from a page as `like`, to be copied in the same pieces.
class OwnHostMemory {
 public:
  OwnHostMemory(std::size_t bytes, bool pinned, std::uint64_t like);

  std::byte* data() const { return data_; }
  std::size_t size() const { return bytes_; }

 private:
  struct Free {
    bool pinned;
    void operator()(void* memory) const;
  };
  std::unique_ptr<void, Free> whole_;
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace trilane
