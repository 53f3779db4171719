// Determines which operations belong to one chunk: those that work on the same device memory, until
// it is filled anew.
#pragma once

#include <vector>

#include "common/application/pipelines/chunks/chunk_operation.hpp"

namespace trilane {

/// The operations of one chunk in issue order, as indices.
using ChunkChain = std::vector<std::size_t>;

/// Returns the chains in the order of their first operations. Memory that only kernels point to
/// joins them too. Throws UsageError that names the call if several chunks share such memory, if
/// one copies out unwritten memory, or if one copies in what another has copied out.
std::vector<ChunkChain> chunk_chains(const ChunkOperations& operations);

}  // namespace trilane
