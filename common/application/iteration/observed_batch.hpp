// Several copies made by one call, as a listener hands them to the recorder's core.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/application/iteration/observed_call.hpp"

namespace trilane {

/// Copies without an order among themselves; may be a single one.
struct ObservedBatch {
  struct Copy {
    std::uint64_t destination = 0, source = 0, bytes = 0;
  };
  std::vector<Copy> copies;
  std::vector<std::byte> attributes;    ///< the driver's records of how to copy, unchanged
  std::vector<std::size_t> holds_from;  ///< by attribute: the first copy to which it applies
};

/// Returns each copy of a batch as a call of its own, without stream and times; any other copy as
/// it is.
inline std::vector<ObservedCall> copies_of(const ObservedCall& call) {
  if (!call.batch) return {call};
  std::vector<ObservedCall> all;
  for (const auto& [destination, source, bytes] : call.batch->copies) {
    all.push_back(
        {.kind = call.kind, .destination = destination, .source = source, .bytes = bytes});
  }
  return all;
}

}  // namespace trilane
