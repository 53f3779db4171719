// Answers the questions of the recorder's core from the driver. Needs a current context.
#pragma once

#include "common/application/iteration/surroundings.hpp"

namespace trilane {

/// The default streams as ObservedCall names them.
inline constexpr std::uint64_t legacy_handle = 1, per_thread_handle = 2;

class DriverSurroundings final : public Surroundings {
 public:
  KernelFacts kernel(std::uint64_t function) override;
  RecordedStream stream(std::uint64_t handle) override;
  MemoryFacts memory(std::uint64_t address) override;
  std::string driver_name(std::uint32_t function) override;
  std::string runtime_name(std::uint32_t function) override;
};

}  // namespace trilane
