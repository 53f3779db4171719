// Memory of the simulated device and host: the blocks, their owners and their places.
#pragma once

#include "common/device/simulator/operations/device_operation.hpp"

namespace trilane::simulator {

struct Block {
  Range range;
  Place place = Place::pageable;
  std::uint64_t owner = 0;  ///< number of the pool or graph; 0: none
  int device = 0;           ///< its device; of host memory, that which was current
};

/// Every allocation is host memory at the same address, on which host functions of kernels work.
class Memory : boost::noncopyable {
 public:
  explicit Memory(std::uint64_t device_bytes, std::size_t devices = 1)
      : device_bytes_(device_bytes), used_(devices) {}
  ~Memory();

  /// Allocates memory in `place`, aligned to 256 bytes, with undefined content; returns nullopt if
  /// the device has less left, or the host has less in total. Pools and graphs get only addresses;
  /// take() counts their physical memory. Addresses are never returned to the system, and a
  /// released one is not reused at once, so that a use after the release is recognised.
  std::optional<Block> allocate(std::uint64_t bytes, Place place, std::uint64_t owner = 0,
                                int device = 0);
  /// Adds host memory owned by the user.
  void register_host(void* begin, std::uint64_t bytes, int device = 0);

  /// Returns the block that contains `pointer`, or a pageable one with an empty range.
  Block find(const void* pointer) const;

  /// Returns true if the address is in a region of this class, in which the user has no memory.
  bool is_own(const void* pointer) const;

  /// Releases the block that begins at this address. Returns false if none exists.
  bool release(const void* begin);

  /// Takes physical device memory for a pool or a graph. Returns false if there is not enough.
  bool take(std::uint64_t bytes, int device = 0);
  void give_back(std::uint64_t bytes, int device = 0) { used(device) -= bytes; }

  std::uint64_t device_free(int device = 0) const {
    return device_bytes_ - used_.at(static_cast<std::size_t>(device));
  }
  std::uint64_t device_total() const { return device_bytes_; }

  /// Returns the blocks that have not been released, by address.
  const std::map<std::uintptr_t, Block>& blocks() const { return blocks_; }

 private:
  std::optional<std::uintptr_t> carve(std::uint64_t bytes);
  void rest(Range range);

  std::uint64_t& used(int device) { return used_.at(static_cast<std::size_t>(device)); }

  std::uint64_t device_bytes_;                     // of each
  std::vector<std::uint64_t> used_;                // by device
  std::map<std::uintptr_t, Block> blocks_;         // by first address
  std::vector<Range> regions_;                     // mapped from the system
  std::map<std::uintptr_t, std::uintptr_t> free_;  // parts of regions, first address to end
  std::deque<Range> resting_;                      // recently released, oldest first
};

}  // namespace trilane::simulator
