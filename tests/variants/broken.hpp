// Variants with one mistake each, built from the same parts as the real ones.
#pragma once

#include "common/model/variant/variant.hpp"

namespace trilane {

enum class Mistake {
  none,
  no_memset,  // the kernels accumulate on top of the previous pass
  no_join,    // origin continues while the lanes still work
  no_fork,    // the lanes start before the origin's earlier work
  last_chunk_skipped,
  scratch_shared,  // two lanes work in the same memory
  output_stale,    // copied out before the kernels: the previous pass's result
  gap_written,     // a word beyond the chunk
  wait_in_submit,
  wait_for_pass_before,  // the usual accident with a reused event
  node_added,            // graphs: one memset too many
  edges_added,           // graphs: lanes chained one after the other
  edges_moved,           // graphs: as many nodes and edges, in another order
};

/// Returns a registry entry for the mistake; those about graphs are recorded, the others issued by
/// lanes.
VariantEntry broken(Mistake mistake);

}  // namespace trilane
