#include "common/device/simulator/operations/memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

namespace trilane::simulator {

namespace {

constexpr std::uint64_t alignment = 256;
constexpr std::uint64_t page = 4096;
/// Small blocks share a region, because mapping one is the slowest part of an allocation.
constexpr std::uint64_t region_bytes = 64 << 20;
/// From this size on, memory has huge pages, which the system gets back at its release.
constexpr std::uint64_t large_bytes = 1 << 20;
/// Number of released blocks that are kept before the oldest may be reused.
constexpr std::size_t resting_blocks = 16;

std::uint64_t rounded_up(std::uint64_t bytes, std::uint64_t to) {
  return (bytes + to - 1) / to * to;
}

/// Returns the bytes that a block occupies. Even an empty block has a unique address.
Range taken_by(const Range& block) {
  return {block.begin,
          block.begin + rounded_up(std::max<std::uint64_t>(block.size(), 1), alignment)};
}

/// Advises the system about the whole pages of a range. Failure costs only time.
void advise(const Range& range, int advice) {
  const std::uintptr_t begin = rounded_up(range.begin, page), end = range.end / page * page;
  madvise(reinterpret_cast<void*>(begin), end - begin, advice);
}

std::uint64_t host_total() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

Memory::~Memory() {
  for (const Range& region : regions_) munmap(reinterpret_cast<void*>(region.begin), region.size());
}

std::optional<Block> Memory::allocate(std::uint64_t bytes, Place place, std::uint64_t owner,
                                      int device) {
  const std::uint64_t most = place == Place::device     ? device_free(device)
                             : is_stream_ordered(place) ? device_bytes_
                                                        : host_total();
  if (bytes > most) return std::nullopt;
  const std::optional<std::uintptr_t> begin = carve(taken_by({0, bytes}).size());
  if (!begin) return std::nullopt;
  const Block block{{*begin, *begin + bytes}, place, owner, device};
  // Huge pages save 511 of 512 page faults.
  if (bytes >= large_bytes) advise(block.range, MADV_HUGEPAGE);
  if (place == Place::device) used(device) += bytes;
  blocks_.emplace(*begin, block);
  return block;
}

std::optional<std::uintptr_t> Memory::carve(std::uint64_t bytes) {
  auto hole = std::ranges::find_if(
      free_, [bytes](const auto& part) { return part.second - part.first >= bytes; });
  if (hole == free_.end()) {
    const std::uint64_t size = rounded_up(std::max(bytes, region_bytes), page);
    // MAP_NORESERVE: gigabytes cost nothing until they are touched.
    void* const region = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (region == MAP_FAILED) return std::nullopt;
    regions_.push_back(range_of(region, size));
    hole = free_.emplace(regions_.back().begin, regions_.back().end).first;
  }
  const auto [begin, end] = *hole;
  free_.erase(hole);
  if (begin + bytes < end) free_.emplace(begin + bytes, end);
  return begin;
}

void Memory::register_host(void* begin, std::uint64_t bytes, int device) {
  const Range range = range_of(begin, bytes);
  blocks_.emplace(range.begin, Block{range, Place::registered, 0, device});
}

Block Memory::find(const void* pointer) const {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const auto next = blocks_.upper_bound(address);
  if (next == blocks_.begin()) return {};
  const Block& block = std::prev(next)->second;
  return address < block.range.end ? block : Block{};
}

bool Memory::is_own(const void* pointer) const {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  return std::ranges::any_of(regions_, [address](const Range& region) {
    return region.begin <= address && address < region.end;
  });
}

bool Memory::release(const void* begin) {
  const auto found = blocks_.find(reinterpret_cast<std::uintptr_t>(begin));
  if (found == blocks_.end()) return false;
  const Block block = found->second;
  blocks_.erase(found);
  if (block.place == Place::device) used(block.device) -= block.range.size();
  if (block.place != Place::registered) rest(taken_by(block.range));
  return true;
}

bool Memory::take(std::uint64_t bytes, int device) {
  if (bytes > device_free(device)) return false;
  used(device) += bytes;
  return true;
}

void Memory::rest(Range range) {
  if (range.size() >= large_bytes) advise(range, MADV_DONTNEED);
  resting_.push_back(range);
  if (resting_.size() <= resting_blocks) return;
  Range oldest = resting_.front();
  resting_.pop_front();
  const auto after = free_.lower_bound(oldest.begin);
  if (after != free_.begin() && std::prev(after)->second == oldest.begin) {
    oldest.begin = std::prev(after)->first;
  }
  if (after != free_.end() && after->first == oldest.end) {
    oldest.end = after->second;
    free_.erase(after);
  }
  free_[oldest.begin] = oldest.end;
}

}  // namespace trilane::simulator
