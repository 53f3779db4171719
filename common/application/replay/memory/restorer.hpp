// Brings a snapshot back again and again.
#pragma once

#include <cuda.h>

#include <cstddef>
#include <vector>

#include "common/application/replay/driver/driver_handles.hpp"
#include "common/application/replay/memory/snapshot.hpp"

namespace trilane {

/// Brings a snapshot back fast: device memory from device memory if there is room for it, otherwise
/// from the host's.
class Restorer {
 public:
  /// Works in `stream`.
  Restorer(const Snapshot& snapshot, CUstream stream);

  /// Returns when the memory holds what the snapshot does.
  void restore() const;

 private:
  struct Kept {
    std::size_t memory;   ///< index of the piece
    CUdeviceptr address;  ///< of its content in `memory_`
  };

  const Snapshot& snapshot_;
  OwnMemory memory_;
  std::vector<Kept> kept_;              ///< empty: there is no room
  std::vector<std::size_t> on_host_{};  ///< the other pieces, which the host brings back
  CUstream stream_;
};

}  // namespace trilane
