// Says what will take long before it begins.
#pragma once

#include <cstdint>
#include <string>

namespace trilane {

/// The name of a phase, and its time if that is more than 10 s: "checking", or "checking, which
/// takes about 14 s".
std::string announced(const std::string& phase, double seconds);

/// An estimate of the time in seconds to allocate so many bytes of host memory, pin them and fill
/// them with input, at the rate at which this host fills fresh memory now. 0 for less than 1 GiB,
/// which takes too little time to be announced.
double host_memory_seconds(std::uint64_t bytes);

}  // namespace trilane
