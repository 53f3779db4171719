// What runs beside memsets.
#pragma once

#include <string>
#include <vector>

#include "common/model/results/timeline.hpp"

namespace trilane {

/// Shares of the time that memsets of a traced pass took: in each, another lane ran such an
/// operation.
struct BesideMemsets {
  double kernels = 0, copies_in = 0, copies_out = 0;

  /// The largest of them: at least that share of the time, other lanes went on.
  double most() const;
};

/// Found in the overlaps; all 0 if the pass has no memset.
BesideMemsets beside_memsets(const Timeline& timeline);

}  // namespace trilane
