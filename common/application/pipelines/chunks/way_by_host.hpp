// Checks that chunks do not depend on each other through host memory.
#pragma once

#include <vector>

#include "common/application/pipelines/chunks/chunk_operation.hpp"

namespace trilane {

/// Throws UsageError that names the first call that copies in what another one has copied out.
void require_no_way_by_host(const ApplicationRecording& recording,
                            const std::vector<ChunkOperation>& operations);

}  // namespace trilane
