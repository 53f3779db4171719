// Counts the calls of the CUDA runtime that this process makes, as the runtime itself reports them
// to a profiler (CUPTI callbacks). The library is loaded at run time.
#pragma once

#include "tests/framework.hpp"

namespace trilane {

/// Returns true if CUPTI can be loaded here.
bool can_count_calls();

/// Returns the runtime functions called by any thread while `body` runs, by name. Throws
/// std::runtime_error if CUPTI refuses.
std::map<std::string, std::uint64_t> count_calls(const std::function<void()>& body);

}  // namespace trilane
