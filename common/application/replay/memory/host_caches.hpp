// The host's caches, in which a copy leaves the memory that it reads or writes.
#pragma once

#include <cstddef>

namespace trilane {

/// Writes what the caches hold of the memory back to it, and drops it from them. Kernels run up to
/// 8% faster where mapped memory is in the host's caches, and an application's mostly is not unless
/// its host has just used it. Does nothing on processors other than x86-64.
void evict_from_caches(const std::byte* memory, std::size_t bytes);

}  // namespace trilane
