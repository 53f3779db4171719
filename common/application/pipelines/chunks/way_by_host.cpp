#include "common/application/pipelines/chunks/way_by_host.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "common/application/pipelines/chunks/refused_call.hpp"

namespace trilane {
namespace {

/// Returns the host's side of a copy.
const UsedRange& host_side(const RecordedCall& call, Stage stage) {
  return *std::ranges::find(call.uses, stage == Stage::copy_in ? Use::reads : Use::writes,
                            &UsedRange::use);
}

/// Host memory that copies have written, as ranges that do not overlap.
class WrittenHostMemory {
 public:
  /// Returns the call that wrote part of the range; nothing if none did.
  std::optional<std::size_t> writer_of(const UsedRange& range) const {
    const auto found = first_in(range);
    return touches(found, range) ? std::optional(found->second.call) : std::nullopt;
  }

  void add(const UsedRange& range, std::size_t call) {
    std::uint64_t begin = range.offset, end = range.offset + range.bytes;
    for (auto old = first_in(range); touches(old, range); old = ranges_.erase(old)) {
      begin = std::min(begin, old->first.offset);
      end = std::max(end, old->second.end);
    }
    ranges_[{range.memory, begin}] = {end, call};
  }

 private:
  struct Written {
    std::uint64_t end = 0;
    std::size_t call = 0;
  };
  using Ranges = std::map<DevicePlace, Written>;  ///< in host memory, by its beginning

  /// Returns the first range that ends behind the beginning of `range`, in its memory or a later
  /// one.
  Ranges::const_iterator first_in(const UsedRange& range) const {
    auto found = ranges_.upper_bound({range.memory, range.offset});
    if (found == ranges_.begin()) return found;
    const auto before = std::prev(found);
    const bool reaches = before->first.memory == range.memory && before->second.end > range.offset;
    return reaches ? before : found;
  }
  bool touches(Ranges::const_iterator written, const UsedRange& range) const {
    return written != ranges_.end() && written->first.memory == range.memory &&
           written->first.offset < range.offset + range.bytes;
  }

  Ranges ranges_;
};

}  // namespace

void require_no_way_by_host(const ApplicationRecording& recording,
                            const std::vector<ChunkOperation>& operations) {
  WrittenHostMemory written;
  for (const ChunkOperation& operation : operations) {
    const RecordedCall& call = recording.calls[operation.call];
    if (operation.stage == Stage::copy_out) {
      written.add(host_side(call, operation.stage), operation.call);
    }
    if (operation.stage != Stage::copy_in) continue;
    const auto writer = written.writer_of(host_side(call, operation.stage));
    if (!writer) continue;
    refuse_call(recording, operation.call,
                fmt::format("copies in what {} copied out; the chunks of a pipeline file are "
                            "independent",
                            words_of_call(recording, *writer)));
  }
}

}  // namespace trilane
