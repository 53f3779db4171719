#include "common/application/replay/calls/replayed_host.hpp"

#include <cstring>

#include "common/base/text/exit_code.hpp"

namespace trilane {

namespace {

constexpr int poison_byte = 0xA5;

/// Returns the bytes from the first row's start to the last row's end.
std::uint64_t extent(const ReplayedCall& call, std::uint64_t pitch) {
  const std::uint64_t width = call.bytes / call.height;
  return (call.height - 1) * (pitch == 0 ? width : pitch) + width;
}

}  // namespace

bool is_host(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::pinned:
    case MemoryKind::pageable: return true;
    case MemoryKind::device:
    case MemoryKind::pool:
    case MemoryKind::managed:
    case MemoryKind::module:
    case MemoryKind::unknown: return false;
  }
  return false;
}

bool ReplayedHost::is_pinned(const RecordedMemory& memory) const {
  switch (kind_) {
    case HostKind::as_recorded: return memory.kind == MemoryKind::pinned;
    case HostKind::pinned: return true;
  }
  return true;
}

CUdeviceptr ReplayedHost::source(const RecordedMemory& memory, const ReplayedCall& copy,
                                 const std::vector<std::byte>& content, std::uint64_t address) {
  if (content.size() != copy.bytes) {
    throw NotPossible("the content of a copy's host memory could not be taken");
  }
  sources_.emplace_back(copy.bytes, is_pinned(memory), address);
  std::memcpy(sources_.back().data(), content.data(), copy.bytes);
  return reinterpret_cast<CUdeviceptr>(sources_.back().data());
}

CUdeviceptr ReplayedHost::destination(const RecordedMemory& memory, const ReplayedCall& copy,
                                      std::uint64_t address) {
  const std::uint64_t bytes = extent(copy, copy.destination_pitch);
  const auto [found, is_new] = destination_of_.try_emplace({address, bytes}, destinations_.size());
  if (is_new) destinations_.emplace_back(bytes, is_pinned(memory), address);
  return reinterpret_cast<CUdeviceptr>(destinations_[found->second].data());
}

std::vector<MemoryFacts> ReplayedHost::outputs() const {
  std::vector<MemoryFacts> all;
  for (const OwnHostMemory& memory : destinations_) {
    all.push_back(
        {MemoryKind::pageable, reinterpret_cast<std::uint64_t>(memory.data()), memory.size()});
  }
  return all;
}

void ReplayedHost::poison() {
  for (const OwnHostMemory& memory : destinations_) {
    std::memset(memory.data(), poison_byte, memory.size());
  }
}

}  // namespace trilane
