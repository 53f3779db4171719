// Asks the driver about kernels, streams and memory, and collects a launch's arguments.
#pragma once

#include <cuda.h>

#include "common/application/iteration/observed_call.hpp"
#include "common/application/iteration/surroundings.hpp"
#include "common/application/replay/known_modules.hpp"

namespace trilane {

// The macros of cuda.h give each one the version that its header declares.
#define TRILANE_GRAPH_FUNCTIONS(X) \
  X(cuGraphClone)                  \
  X(cuGraphDestroy)                \
  X(cuGraphGetNodes)               \
  X(cuGraphGetEdges)               \
  X(cuGraphNodeGetType)            \
  X(cuGraphNodeFindInClone)        \
  X(cuGraphNodeSetParams)          \
  X(cuGraphChildGraphNodeGetGraph) \
  X(cuGraphKernelNodeGetParams)    \
  X(cuGraphKernelNodeSetParams)    \
  X(cuGraphMemcpyNodeGetParams)    \
  X(cuGraphMemcpyNodeSetParams)    \
  X(cuGraphMemsetNodeGetParams)    \
  X(cuGraphHostNodeSetParams)      \
  X(cuGraphMemsetNodeSetParams)    \
  X(cuGraphMemAllocNodeGetParams)  \
  X(cuGraphMemFreeNodeGetParams)
#define TRILANE_DRIVER_FUNCTIONS(X) \
  X(cuDriverGetVersion)             \
  X(cuDeviceGetName)                \
  X(cuDeviceGetAttribute)           \
  X(cuCtxGetDevice)                 \
  X(cuCtxSetCurrent)                \
  X(cuFuncGetAttribute)             \
  X(cuFuncGetName)                  \
  X(cuFuncGetParamInfo)             \
  X(cuKernelGetFunction)            \
  X(cuKernelGetName)                \
  X(cuKernelGetParamInfo)           \
  X(cuMemPoolGetAttribute)          \
  X(cuPointerGetAttribute)          \
  X(cuStreamGetFlags)               \
  X(cuStreamGetPriority)            \
  X(cuStreamQuery)                  \
  X(cuStreamIsCapturing)            \
  X(cuStreamGetCaptureInfo)         \
  X(cuMemGetInfo)                   \
  TRILANE_GRAPH_FUNCTIONS(X)

/// A function of the driver. One that an older driver lacks is false and returns an error.
template <typename Function>
struct DriverFunction;
template <typename... Arguments>
struct DriverFunction<CUresult(Arguments...)> {
  CUresult (*address)(Arguments...) = nullptr;

  explicit operator bool() const { return address != nullptr; }
  CUresult operator()(Arguments... arguments) const {
    return address == nullptr ? CUDA_ERROR_NOT_FOUND : address(arguments...);
  }
};

struct DriverFunctions {
#define TRILANE_MEMBER(name) DriverFunction<decltype(::name)> name;
  TRILANE_DRIVER_FUNCTIONS(TRILANE_MEMBER)
#undef TRILANE_MEMBER

  /// Returns true if the driver has everything that graphs need.
  bool know_graphs() const;
};

/// Returns all of them, found at first use.
const DriverFunctions& driver_functions();

/// The default streams as ObservedCall names them.
inline constexpr std::uint64_t legacy_handle = 1, per_thread_handle = 2;

/// Asks the driver for a stream's kind and priority.
RecordedStream stream_behind(std::uint64_t handle);

/// Answers the questions of the recorder's core. Needs a current context.
class DriverSurroundings final : public Surroundings {
 public:
  /// `modules` must outlive this object.
  explicit DriverSurroundings(const KnownModules& modules) : modules_(modules) {}

  KernelFacts kernel(std::uint64_t function) override;
  RecordedStream stream(std::uint64_t handle) override { return stream_behind(handle); }
  MemoryFacts memory(std::uint64_t address) override;
  std::string driver_name(std::uint32_t function) override;
  std::string runtime_name(std::uint32_t function) override;

 private:
  const KnownModules& modules_;
};

/// Reads a launch's geometry, whose parts have the same names wherever the driver keeps them.
template <typename Geometry>
void set_geometry(ObservedLaunch& launch, const Geometry& from) {
  launch.grid[0] = from.gridDimX;
  launch.grid[1] = from.gridDimY;
  launch.grid[2] = from.gridDimZ;
  launch.block[0] = from.blockDimX;
  launch.block[1] = from.blockDimY;
  launch.block[2] = from.blockDimZ;
  launch.shared_bytes = from.sharedMemBytes;
}

/// Returns where the parameters of a kernel lie, a CUfunction or a CUkernel. Empty if the driver,
/// which is asked once for each kernel, does not say. Valid until the kernels are forgotten.
const std::vector<ParameterPlace>& parameter_places(std::uint64_t function);

/// Returns the arguments, each at its offset, from the parameters of a launch; empty if unknown.
/// Valid until the next call. Not thread-safe.
std::span<const std::byte> gathered_arguments(std::uint64_t function, void** parameters,
                                              void** extra);

/// Returns the attributes of a launch as a recording states them. Equal ones share a pointer until
/// the process ends. Null if no attribute matters. Not thread-safe.
const LaunchAttributes* recorded_attributes(std::span<const CUlaunchAttribute> attributes);

/// Must be called when a module is unloaded: another kernel may get a handle of its kernels.
void forget_kernels();

}  // namespace trilane
