// How the recorder's core asks the driver or the simulated device about handles and addresses.
#pragma once

#include "common/application/iteration/application_recording.hpp"

namespace trilane {

/// The place of a kernel's parameter in ObservedLaunch::arguments.
struct ParameterPlace {
  std::uint64_t offset = 0, bytes = 0;
};

struct KernelFacts {
  std::string name;  ///< demangled
  std::vector<ParameterPlace> parameters;
  std::uint32_t registers = 0;
  std::uint64_t static_shared_bytes = 0;
  std::optional<bool> waits_for_previous{}, triggers_next{};  ///< as in RecordedKernel
};

/// Memory that an address lies in.
struct MemoryFacts {
  MemoryKind kind = MemoryKind::unknown;
  std::uint64_t base = 0, bytes = 0;  ///< 0 bytes: extent unknown
};

/// Asked for each handle once, and for addresses that no observed allocation holds.
class Surroundings {
 public:
  virtual ~Surroundings() = default;
  virtual KernelFacts kernel(std::uint64_t function) = 0;
  virtual RecordedStream stream(std::uint64_t handle) = 0;
  virtual MemoryFacts memory(std::uint64_t address) = 0;
  /// The names of functions as ObservedCall numbers them: "cuLaunchKernel", "cudaLaunchKernel".
  virtual std::string driver_name(std::uint32_t function) = 0;
  virtual std::string runtime_name(std::uint32_t function) = 0;
};

}  // namespace trilane
