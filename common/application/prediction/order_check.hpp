// Asks the simulated device about the order of two recorded operations.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "common/application/iteration/records/application_recording.hpp"
#include "common/application/iteration/records/race_record.hpp"
#include "common/application/prediction/ways/stand_in_streams.hpp"

namespace trilane {

/// Issues the calls of an iteration with a few bytes each. Each uses its own memory, except that
/// the two operations in question share some. Leaves out calls that allocate, free or launch a
/// graph or a host function, as they change no order.
class OrderCheck {
 public:
  /// Throws CudaError, as unordered() does.
  explicit OrderCheck(const ApplicationRecording& recording);

  /// Returns true if the device finds no order between the two operations of a race, in whatever
  /// order it runs them. Discards all hazards found before.
  bool unordered(const RecordedRace& race);

 private:
  /// One piece of memory of each kind, with some bytes for each call to read, some to write, and
  /// some that two calls share.
  class Bytes {
   public:
    explicit Bytes(std::size_t calls);
    std::byte* own(MemoryKind kind, std::size_t call, Use use);
    std::byte* shared(MemoryKind kind);

   private:
    std::byte* begin(MemoryKind kind);

    std::size_t calls_;
    DeviceBuffer device_;
    PinnedBuffer pinned_;
    std::vector<std::byte> pageable_;
  };

  void make(std::size_t call, const RecordedRace& race, const RaceSide* side);

  const ApplicationRecording& recording_;
  StandInStreams streams_;
  Bytes bytes_;
  std::array<std::shared_ptr<const void>, 2> kernels_;  // without and with the shared bytes
};

}  // namespace trilane
