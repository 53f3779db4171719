// The rows of a timeline: on each, one thing after the other.
#pragma once

#include <string>
#include <vector>

#include "common/analysis/trace/traced_pass.hpp"

namespace trilane {

/// One row: calls or operations that do not overlap. One of the lists is empty.
struct Track {
  std::string name;
  std::vector<const TracedCall*> calls;
  std::vector<const TracedOperation*> operations;
};

/// The rows of a pass, which must outlive them: host threads ("host"), engines (see causes.hpp),
/// lanes ("lane 0"; "whole pass"). What overlaps goes on to further rows ("compute, row 2"). Every
/// operation stands in two rows, its engine's and its lane's.
struct Tracks {
  explicit Tracks(const TracedPass& pass);

  std::vector<Track> host, engines, lanes;
};

}  // namespace trilane
