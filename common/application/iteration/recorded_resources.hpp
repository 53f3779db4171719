// Records of what an application's executable graphs and memory pools took, over its whole run.
#pragma once

#include "common/application/iteration/call_stacks.hpp"
#include "common/base/text/enumerators.hpp"

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
};
BOOST_DESCRIBE_STRUCT(RecordedExecutables, (),
                      (stack, made, destroyed, never, once, again, reused, nodes, bytes, launches,
                       updates, sets, instantiate_us, launch_us, update_us, set_us))

/// The reason why a pool took memory of the device.
BOOST_DEFINE_FIXED_ENUM_CLASS(
    GrowthCause, std::uint8_t,
    needed,        ///< all that was free would not have sufficed
    other_stream,  ///< nothing ordered the stream behind the free of a block that was large enough
    sizes,         ///< what was free sufficed only in sum
    given_back,    ///< the pool had released memory at a wait
    unheard)       ///< not every call was listened to

/// Allocations after which a pool had grown, by cause and place.
struct PoolGrowth {
  GrowthCause cause = GrowthCause::unheard;
  std::optional<std::uint32_t> stack{};  ///< absent: unknown
  std::uint64_t count = 0, bytes = 0;
};
BOOST_DESCRIBE_STRUCT(PoolGrowth, (), (cause, stack, count, bytes))

/// A pool that stream-ordered allocations came from, in bytes, as the driver says.
struct RecordedPool {
  std::uint64_t reserved = 0, used = 0, reserved_most = 0, used_most = 0;
  std::uint64_t threshold = 0;           ///< free memory beyond it is released at waits
  std::uint64_t allocations = 0;         ///< that were heard
  std::uint64_t every = 1;               ///< number of them between two samples
  std::vector<std::uint64_t> samples{};  ///< reserved bytes; at most 64
  std::vector<PoolGrowth> growth{};
};
BOOST_DESCRIBE_STRUCT(RecordedPool, (),
                      (reserved, used, reserved_most, used_most, threshold, allocations, every,
                       samples, growth))

/// Graphs and pools by the places where they were made or grew. Stacks are indices in `source`.
struct RecordedResources {
  std::vector<RecordedExecutables> executables;
  std::vector<RecordedPool> pools;
  RecordedSource source;
};
BOOST_DESCRIBE_STRUCT(RecordedResources, (), (executables, pools, source))

}  // namespace trilane
