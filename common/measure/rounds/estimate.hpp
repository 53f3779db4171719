// Announces long phases before they begin.
#pragma once

#include <cstdint>
#include <string>

namespace trilane {

/// Returns the name of a phase, and its time if that is more than 10 s: "checking", or "checking,
/// which takes about 14 s".
std::string announced(const std::string& phase, double seconds);

/// Returns the estimated time in seconds to allocate `bytes` of host memory, pin them and fill them
/// with input, at the rate at which this host now fills fresh memory. Returns 0 for less than 1
/// GiB, which is too quick to be announced.
double host_memory_seconds(std::uint64_t bytes);

}  // namespace trilane
