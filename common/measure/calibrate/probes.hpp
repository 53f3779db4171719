// The parts of a calibration in the order of their dependencies, and the median of several.
#pragma once

#include <vector>

#include "common/device/profile/profile.hpp"
#include "common/measure/calibrate/bed.hpp"

namespace trilane {

/// Measures profile.engine.
void measure_engines(Bed& bed, Profile& profile);

/// Measures profile.stream and the calls that order streams. Needs the engines.
void measure_streams(Bed& bed, Profile& profile);

/// Measures the host's time for a batch of copies.
void measure_batches(Bed& bed, Profile& profile);

/// Measures profile.kernels. Needs the streams.
void measure_kernels(Bed& bed, Profile& profile);

/// Measures profile.memory and the calls that create and destroy streams, events and pools.
void measure_memory(Bed& bed, Profile& profile);

/// Measures profile.graph and the calls of graphs and captures. Needs the streams and the memory.
void measure_graphs(Bed& bed, Profile& profile);

/// Measures the calls that create, set and update nodes, and launches of chains of one kind, such
/// as "launch of 64 kernel nodes".
void measure_nodes(Bed& bed, Profile& profile);

/// Returns the first of `profiles`, with every measured figure replaced by the median over all of
/// them. There must be at least one profile, and all must have the same figures.
Profile middle(const std::vector<Profile>& profiles);

}  // namespace trilane
