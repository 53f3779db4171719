// The modules that the application has loaded, as far as their code says what they are.
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

/// May be used by several threads.
class KnownModules {
 public:
  /// Takes a module; `number` is the listener's.
  void loaded(std::uint32_t number, std::span<const std::byte> cubin);
  void unloaded(std::uint32_t number);

  /// How many have been unloaded. After one the handles of kernels may be stale.
  std::uint64_t unloads() const;
  /// Those that have a kernel of that mangled name: several may, and only the driver knows which
  /// one a handle means. None: its code was not seen, or could not be read.
  std::vector<std::shared_ptr<const CubinContents>> with_kernel(const std::string& name) const;

 private:
  mutable std::mutex mutex_;
  std::map<std::uint32_t, std::shared_ptr<const CubinContents>> modules_;
  std::uint64_t unloads_ = 0;
};

}  // namespace trilane
