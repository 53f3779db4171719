// Memory of the simulated device and host: who owns which bytes, and of what sort they are.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "common/device/simulator/operations/device_operation.hpp"

namespace trilane::simulator {

struct Block {
  Range range;
  Place place = Place::pageable;
  std::uint64_t owner = 0;  ///< number of the pool or graph; 0: none
};

/// Every allocation is backed by host memory at the same address, so that host functions in the
/// place of kernels can work on it.
class Memory {
 public:
  explicit Memory(std::uint64_t device_bytes) : device_bytes_(device_bytes) {}
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  /// New memory of that sort, at a multiple of 256 bytes, with undefined content; no block when the
  /// device has not got that much left, or the host not that much at all. Pools and graphs get
  /// addresses alone: the physical memory behind them is counted by take(). Addresses are never
  /// given back to the system, and an address just released is not the next to be handed out, so
  /// that a use after the release is not taken for a use of something else.
  std::optional<Block> allocate(std::uint64_t bytes, Place place, std::uint64_t owner = 0);
  /// Takes up host memory of the user's.
  void register_host(void* begin, std::uint64_t bytes);

  /// The block that `pointer` lies in; pageable, and without a range, when it is in none.
  Block find(const void* pointer) const;

  /// Whether the address has ever been one of an allocation's here: the user has nothing there.
  bool is_own(const void* pointer) const;

  /// Gives a block back by its first address. False when no block begins there.
  bool release(const void* begin);

  /// Counts physical memory of the device that a pool or graphs hold; false when it is not there.
  bool take(std::uint64_t bytes);
  void give_back(std::uint64_t bytes) { device_used_ -= bytes; }

  std::uint64_t device_free() const { return device_bytes_ - device_used_; }
  std::uint64_t device_total() const { return device_bytes_; }

  /// What has not been released, in order of address.
  const std::map<std::uintptr_t, Block>& blocks() const { return blocks_; }

 private:
  std::optional<std::uintptr_t> carve(std::uint64_t bytes);
  void rest(Range range);

  std::uint64_t device_bytes_, device_used_ = 0;
  std::map<std::uintptr_t, Block> blocks_;         // by first address
  std::vector<Range> regions_;                     // mapped from the system
  std::map<std::uintptr_t, std::uintptr_t> free_;  // parts of regions, first address to end
  std::deque<Range> resting_;                      // released not long ago, oldest first
};

}  // namespace trilane::simulator
