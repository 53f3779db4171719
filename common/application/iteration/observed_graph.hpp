// An executable graph that the application launches, as a listener hands it to the recorder's core.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "common/application/iteration/observed_call.hpp"

namespace trilane {

/// One operation of a graph. Never moved: it holds the arguments of its launch.
struct ObservedNode {
  ObservedNode() = default;
  ObservedNode(const ObservedNode&) = delete;
  ObservedNode& operator=(const ObservedNode&) = delete;

  ObservedCall call;  ///< without a stream and times
  std::vector<std::byte> arguments;
  std::vector<std::uint32_t> after;  ///< its direct predecessors
};

/// The operations of a launched graph.
struct ObservedGraph {
  std::uint64_t number = 0;  ///< different for each graph and after each change
  std::vector<std::shared_ptr<const ObservedNode>> nodes;
};

}  // namespace trilane
