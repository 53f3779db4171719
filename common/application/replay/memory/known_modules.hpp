// The modules that the application has loaded, as far as their code describes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "common/application/replay/memory/cubin_contents.hpp"

namespace trilane {

/// Thread-safe.
class KnownModules {
 public:
  /// Takes a module; `number` is the listener's.
  void loaded(std::uint32_t number, std::span<const std::byte> cubin);
  void unloaded(std::uint32_t number);

  /// Returns how many have been unloaded. Handles of kernels may be stale after an unload.
  std::uint64_t unloads() const;
  /// Returns the modules that have a kernel of that mangled name: only the driver knows which one a
  /// handle means. Empty if its code was not seen, or could not be read.
  std::vector<std::shared_ptr<const CubinContents>> with_kernel(const std::string& name) const;

 private:
  mutable std::mutex mutex_;
  std::map<std::uint32_t, std::shared_ptr<const CubinContents>> modules_;
  std::uint64_t unloads_ = 0;
};

}  // namespace trilane
