// The host memory that a replay's copies use in place of the application's.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "common/application/iteration/records/application_recording.hpp"
#include "common/application/iteration/surroundings.hpp"
#include "common/application/replay/calls/driver_handles.hpp"
#include "common/application/replay/calls/replayed_call.hpp"

namespace trilane {

/// The kind of host memory that a replay's copies use.
enum class HostKind {
  as_recorded,
  pinned,  ///< even if the application's is pageable
};

/// Returns true if memory of this kind lies on the host.
bool is_host(MemoryKind kind);

class ReplayedHost {
 public:
  explicit ReplayedHost(HostKind kind) : kind_(kind) {}

  /// Returns memory with the bytes that the copy took from `address`, row after row. Throws
  /// NotPossible if they could not be taken.
  CUdeviceptr source(const RecordedMemory& memory, const ReplayedCall& copy,
                     const std::vector<std::byte>& content, std::uint64_t address);
  /// Returns memory for the bytes that the copy writes to `address`; the same for the same bytes.
  CUdeviceptr destination(const RecordedMemory& memory, const ReplayedCall& copy,
                          std::uint64_t address);

  /// Returns the memory that copies to the host write, in the order of their first call.
  std::vector<MemoryFacts> outputs() const;
  /// Overwrites all of that memory.
  void poison();

 private:
  using Range = std::pair<std::uint64_t, std::uint64_t>;  // address and bytes

  bool is_pinned(const RecordedMemory& memory) const;

  HostKind kind_;
  std::vector<OwnHostMemory> sources_, destinations_;
  std::map<Range, std::size_t> destination_of_;
};

}  // namespace trilane
