// Records of what an application's executable graphs and memory pools took, over its whole run.
#pragma once

#include "common/application/iteration/call_stacks.hpp"

namespace trilane {

/// Executable graphs that were instantiated at one place, by the calls that were listened to.
struct RecordedExecutables {
  std::optional<std::uint32_t> stack{};  ///< of the instantiation; absent: unknown
  std::uint64_t made = 0, destroyed = 0;
  std::uint64_t never = 0, once = 0;  ///< destroyed without a launch, and after a single one
  std::uint64_t again = 0;            ///< made after the one before had been launched
  std::uint64_t reused = 0;           ///< launches, except the first, after a later one was made
  std::uint64_t nodes = 0;            ///< operations of the latest; 0: unknown
  std::uint64_t bytes = 0;            ///< of the device, taken until each was launched
  std::uint64_t launches = 0, updates = 0, sets = 0;                    ///< sets: of a node
  double instantiate_us = 0, launch_us = 0, update_us = 0, set_us = 0;  ///< the host's, in all
  bool operator==(const RecordedExecutables&) const = default;
};
BOOST_DESCRIBE_STRUCT(RecordedExecutables, (),
                      (stack, made, destroyed, never, once, again, reused, nodes, bytes, launches,
                       updates, sets, instantiate_us, launch_us, update_us, set_us))

/// Graphs and pools by the places where they were made or grew. Stacks are indices in `source`.
struct RecordedResources {
  std::vector<RecordedExecutables> executables;
  RecordedSource source;
  bool operator==(const RecordedResources&) const = default;
};
BOOST_DESCRIBE_STRUCT(RecordedResources, (), (executables, source))

}  // namespace trilane
