// The parts of a calibration, in the order in which they need one another.
#pragma once

#include "common/calibrate/probes/bed.hpp"
#include "common/device/profile/profile.hpp"

namespace trilane {

/// profile.engine but for kernels, and the sizes that operations are measured at.
void measure_engines(Bed& bed, Profile& profile);

/// profile.stream and the calls that order streams. Needs the engines.
void measure_streams(Bed& bed, Profile& profile);

/// profile.kernels. Needs the streams.
void measure_kernels(Bed& bed, Profile& profile);

/// profile.memory and the calls that make and destroy things.
void measure_memory(Bed& bed, Profile& profile);

/// profile.graph and the calls of graphs and captures. Needs the streams and the memory.
void measure_graphs(Bed& bed, Profile& profile);

/// The calls that make, set and update nodes, and "launch of 64 kernel nodes": launches of chains
/// of one kind, which show what a node of it costs the host.
void measure_nodes(Bed& bed, Profile& profile);

}  // namespace trilane
