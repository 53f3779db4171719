#include "common/application/replay/calls/replayed_allocations.hpp"

#include <cstring>
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
  const bool behind = offset == bytes_[number] && others_.find(address) == nullptr;
  if (offset >= bytes_[number] && !behind) return std::nullopt;
  return MovingAddress{number, offset};
}

bool ReplayedAllocations::any_in(std::span<const std::byte> bytes) const {
  if (live_.empty()) return false;
  const std::uint64_t least = live_.begin()->first;
  const std::uint64_t most = live_.rbegin()->first + bytes_[live_.rbegin()->second];
  for (std::size_t at = 0; at + sizeof least <= bytes.size(); at += sizeof least) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    if (word >= least && word <= most && find(word)) return true;
  }
  return false;
}

}  // namespace trilane
