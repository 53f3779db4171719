// Tracks the operations that use a piece of memory, by stream.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "common/application/iteration/order/happens_before.hpp"
#include "common/application/iteration/records/application_recording.hpp"

namespace trilane {

struct RecordedAccess {
  std::size_t place = 0;  ///< see HappensBefore
  const UsedRange* range = nullptr;
  const RecordedCall* operation = nullptr;  ///< the call, or the operation of a node of its graph
  bool in_graph = false;
};

/// Two accesses that may overlap in time; `first` is issued first.
struct UnorderedPair {
  RecordedAccess first, second;
};

/// The accesses to one piece of memory in the order of issue.
class MemoryAccesses {
 public:
  explicit MemoryAccesses(const HappensBefore& order) : order_(order) {}

  /// Adds an access, the latest so far. Calls visit(pair) with each earlier one in another stream
  /// that is not ordered before it, latest first, until visit returns false.
  template <typename Visit>
  void add(const RecordedAccess& access, Visit visit) {
    const IssuedCall& late = order_.at(access.place);
    for (const auto& [stream, accesses] : by_stream_) {
      if (stream == late.stream) continue;
      for (auto early = accesses.rbegin(); early != accesses.rend(); ++early) {
        if (order_.at(early->place).number <= late.before[stream]) break;
        if (!visit(UnorderedPair{*early, access})) return;
      }
    }
    by_stream_[late.stream].push_back(access);
  }

 private:
  const HappensBefore& order_;
  std::map<std::uint32_t, std::vector<RecordedAccess>> by_stream_;
};

}  // namespace trilane
