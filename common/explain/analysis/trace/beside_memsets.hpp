// Finds what overlaps with memsets.
#pragma once

#include <string>
#include <vector>

#include "common/model/results/timeline.hpp"

namespace trilane {

/// Shares of the time of a traced pass's memsets, by the operation that another lane ran meanwhile.
struct BesideMemsets {
  double kernels = 0, copies_in = 0, copies_out = 0;

  /// Returns the largest share: other lanes went on for at least that share of the time.
  double most() const;
};

/// Returns the shares found in the overlaps; all 0 if the pass has no memset.
BesideMemsets beside_memsets(const Timeline& timeline);

}  // namespace trilane
