// An executable graph that the application launches, as a listener hands it to the recorder's core.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "common/application/iteration/observed_call.hpp"

namespace trilane {

/// One operation of a graph. Never moved: the arguments of its launch lie in it.
struct ObservedNode {
  ObservedNode() = default;
  ObservedNode(const ObservedNode&) = delete;
  ObservedNode& operator=(const ObservedNode&) = delete;

  ObservedCall call;  ///< without a stream and times
  std::vector<std::byte> arguments;
  std::vector<std::uint32_t> after;  ///< the earlier nodes that it follows directly
};

/// What the graph does when it is launched.
struct ObservedGraph {
  std::uint64_t number = 0;  ///< another one for each graph and whenever it was changed
  std::vector<std::shared_ptr<const ObservedNode>> nodes;
};

}  // namespace trilane
