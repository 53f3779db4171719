// Holds the application's memory content at one moment, to compare and restore it.
#pragma once

#include <cuda.h>

#include "common/application/iteration/surroundings.hpp"
#include "common/application/replay/driver_handles.hpp"

namespace trilane {

/// Returns the bytes of a snapshot.
std::uint64_t bytes_of(const std::vector<MemoryFacts>& memory);

/// A difference between two contents of the same memory.
struct MemoryDifference {
  std::size_t memory = 0;    ///< index in the list
  std::uint64_t offset = 0;  ///< of the first differing byte
  std::uint64_t bytes = 0;   ///< number of differing bytes in this memory
};

class Snapshot;

/// Blocks of memory whose content differs between runs of the same calls.
class Uncertain {
 public:
  static constexpr std::uint64_t block = 512;

  /// Nothing is uncertain.
  Uncertain() = default;
  /// Adds the blocks in which two snapshots of the same memory differ.
  void add(const Snapshot& one, const Snapshot& other);

  bool at(std::size_t memory, std::uint64_t offset) const {
    return memory < blocks_.size() && blocks_[memory][offset / block];
  }
  /// Returns the uncertain bytes of each memory.
  std::vector<std::uint64_t> bytes() const;

 private:
  std::vector<std::vector<bool>> blocks_;
};

/// A copy in host memory. The device must be idle for each function.
class Snapshot {
 public:
  /// Takes the memory's current content; it may be host memory too. Throws OutOfMemory.
  explicit Snapshot(const std::vector<MemoryFacts>& memory);

  /// Returns the differences to `other`, of the same memory, one entry for each piece.
  std::vector<MemoryDifference> differences(const Snapshot& other,
                                            const Uncertain& uncertain = {}) const;
  /// Takes the current content of a piece of host memory again. The device may use other memory.
  void take_host_again(std::size_t memory);
  /// Drops a piece of memory. Returns its content.
  std::vector<std::byte> take_out(std::size_t memory);
  /// Writes it back.
  void restore() const;

  const std::vector<MemoryFacts>& memory() const { return memory_; }
  const std::byte* content(std::size_t memory) const { return content_.data() + starts_[memory]; }

 private:
  std::vector<MemoryFacts> memory_;
  std::vector<std::size_t> starts_;
  std::vector<std::byte> content_;
};

/// Restores a snapshot fast: from device memory if there is room for it, otherwise from the host's.
class Restorer {
 public:
  /// Works in `stream`.
  Restorer(const Snapshot& snapshot, CUstream stream);

  /// Returns when the memory holds the snapshot's content.
  void restore() const;

 private:
  const Snapshot& snapshot_;
  OwnMemory memory_;
  std::vector<CUdeviceptr> kept_;  ///< in `memory_`, for each piece
  CUstream stream_;
};

}  // namespace trilane
