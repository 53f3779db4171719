// The host's caches, in which a copy leaves the memory that it reads or writes.
#pragma once

#include <cstddef>

namespace trilane {

/// Writes what the caches hold of the memory back to it, and drops it from them. Passes took up to
/// 8% less where their mapped memory lay in the caches, in which that of a program whose host
/// leaves it alone did not lie (tried.md). Does nothing on processors other than x86-64.
void evict_from_caches(const std::byte* memory, std::size_t bytes);

}  // namespace trilane
