// Owners of driver objects that a replay makes, and the driver's errors.
#pragma once

#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "common/application/replay/iteration/replay_driver.hpp"

namespace trilane {

/// An error of the driver.
class DriverError : public std::runtime_error {
 public:
  DriverError(CUresult code, const std::string& function);
  CUresult code() const { return code_; }

 private:
  CUresult code_;
};

/// Throws DriverError, or OutOfMemory, unless the call of `function` succeeded.
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
using OwnGraphExec = DriverOwner<CUgraphExec, &ReplayDriver::cuGraphExecDestroy>;

/// Returns the function behind a launch's handle: a CUfunction, or a CUkernel of a library.
CUfunction function_of(std::uint64_t handle);

/// `flags` are those of cuEventCreate.
OwnEvent make_own_event(unsigned flags);

/// Makes a pool on the current device that keeps all of its memory.
OwnPool make_own_pool();

/// Device memory, in pieces that hold nothing else.
class OwnMemory {
 public:
  OwnMemory() = default;
  /// Throws OutOfMemory.
  explicit OwnMemory(std::size_t bytes);
  OwnMemory(OwnMemory&& other) noexcept;
  OwnMemory& operator=(OwnMemory&& other) noexcept;
  ~OwnMemory();

  CUdeviceptr address() const { return address_; }

 private:
  CUdeviceptr address_ = 0;
};

/// Host memory, pinned or pageable, with the same offset from a page as `like`, so that the driver
/// copies it in the same pieces.
class OwnHostMemory {
 public:
  OwnHostMemory() = default;
  OwnHostMemory(std::size_t bytes, bool pinned, std::uint64_t like);
  OwnHostMemory(OwnHostMemory&& other) noexcept;
  OwnHostMemory& operator=(OwnHostMemory&& other) noexcept;
  ~OwnHostMemory();

  std::byte* data() const { return data_; }
  std::size_t size() const { return bytes_; }

 private:
  void* whole_ = nullptr;
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
  bool pinned_ = false;
};

}  // namespace trilane
