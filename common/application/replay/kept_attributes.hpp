// Determines what becomes of a launch's attributes in a graph.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <span>

#include "common/application/iteration/recorded_call.hpp"

namespace trilane {

/// The place where a capture keeps an attribute.
enum class AttributeKept : std::uint8_t {
  nowhere,  ///< it concerns streams, or nothing at all
  in_node,
  in_edge,   ///< from the previous kernel
  as_event,  ///< the kernel records one
  unknown,   ///< an attribute of a newer driver
};

/// Returns where a capture of a launch keeps the attribute, as cuda.h says.
AttributeKept kept_by_capture(CUlaunchAttributeID id);

/// Returns the attributes of a launch as a recording states them.
LaunchAttributes in_recording(std::span<const CUlaunchAttribute> attributes);

}  // namespace trilane
