#include "common/application/replay/calls/replayed_allocations.hpp"

#include <iterator>

namespace trilane {

std::uint32_t ReplayedAllocations::add(std::uint64_t address, std::uint64_t bytes) {
  const auto number = static_cast<std::uint32_t>(bytes_.size());
  live_[address] = number;
  bytes_.push_back(bytes);
  return number;
}

std::optional<std::uint32_t> ReplayedAllocations::remove(std::uint64_t address) {
  const auto found = live_.find(address);
  if (found == live_.end()) return std::nullopt;
  const std::uint32_t number = found->second;
  live_.erase(found);
  return number;
}

std::optional<MovingAddress> ReplayedAllocations::find(std::uint64_t address) const {
  const auto next = live_.upper_bound(address);
  if (next == live_.begin()) return std::nullopt;
  const auto& [base, number] = *std::prev(next);
  const std::uint64_t offset = address - base;
  if (offset >= bytes_[number]) return std::nullopt;
  return MovingAddress{number, offset};
}

}  // namespace trilane
