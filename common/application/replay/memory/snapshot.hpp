// What the application's memory held at one moment, kept to be compared with and brought back.
#pragma once

#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "common/application/iteration/surroundings.hpp"
#include "common/application/replay/calls/driver_handles.hpp"

namespace trilane {

/// Bytes of a snapshot.
std::uint64_t bytes_of(const std::vector<MemoryFacts>& memory);

/// Where two contents of the same memory differ.
struct MemoryDifference {
  std::size_t memory = 0;    ///< index in the list
  std::uint64_t offset = 0;  ///< of the first byte
  std::uint64_t bytes = 0;   ///< how many bytes differ in this memory
};

class Snapshot;

/// Blocks of memory that the same calls leave with different contents from run to run.
class Uncertain {
 public:
  static constexpr std::uint64_t block = 512;

  /// Nothing is uncertain.
  Uncertain() = default;
  /// Adds the blocks in which the two, of the same memory, differ.
  void add(const Snapshot& one, const Snapshot& other);

  bool at(std::size_t memory, std::uint64_t offset) const;
  /// Uncertain bytes of each memory.
  std::vector<std::uint64_t> bytes() const;

 private:
  std::vector<std::vector<bool>> blocks_;
};

/// A copy in host memory. The device must be idle for each of its functions.
class Snapshot {
 public:
  /// Takes what the memory holds now, which may be host memory too. Throws OutOfMemory.
  explicit Snapshot(const std::vector<MemoryFacts>& memory);

  /// Where `other`, of the same memory, holds something else, one entry for each piece of memory.
  std::vector<MemoryDifference> differences(const Snapshot& other,
                                            const Uncertain& uncertain = {}) const;
  /// Takes again what a piece of host memory holds now. The device may be at work in other memory.
  void take_host_again(std::size_t memory);
  /// Writes it back.
  void restore() const;

  const std::vector<MemoryFacts>& memory() const { return memory_; }
  const std::byte* content(std::size_t memory) const { return content_.data() + starts_[memory]; }

 private:
  std::vector<MemoryFacts> memory_;
  std::vector<std::size_t> starts_;
  std::vector<std::byte> content_;
};

/// Brings a snapshot back fast: from device memory if there is room for it, otherwise from the
/// host's.
class Restorer {
 public:
  /// Works in `stream`.
  Restorer(const Snapshot& snapshot, CUstream stream);

  /// Returns when the memory holds what the snapshot does.
  void restore() const;
  bool on_device() const { return !kept_.empty(); }

 private:
  const Snapshot& snapshot_;
  OwnMemory memory_;
  std::vector<CUdeviceptr> kept_;  ///< in `memory_`, of each piece
  CUstream stream_;
};

}  // namespace trilane
