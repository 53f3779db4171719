// What the application's memory held at one moment, kept to be compared with and brought back.
#pragma once

#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "common/application/recording/surroundings.hpp"
#include "common/application/replay/driver/driver_error.hpp"

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
  /// The same for one piece.
  void restore(std::size_t memory) const;
  /// Whether the host writes the piece back itself, and only what differs: what it or the device
  /// has just written lies in the host's caches, from where kernels read it faster than those of
  /// the application do. Not so if reading it on the host is slow.
  bool is_the_hosts(std::size_t memory) const;

  const std::vector<MemoryFacts>& memory() const { return memory_; }
  const std::byte* content(std::size_t memory) const { return content_.data() + starts_[memory]; }

 private:
  std::vector<MemoryFacts> memory_;
  std::vector<std::size_t> starts_;
  std::vector<std::byte> content_;
};

}  // namespace trilane
