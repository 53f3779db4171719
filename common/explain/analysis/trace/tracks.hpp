// Lays out the rows of a timeline. Nothing overlaps within a row.
#pragma once

#include <string>
#include <vector>

#include "common/explain/analysis/trace/traced_pass.hpp"

namespace trilane {

/// One row: calls or operations that do not overlap. One of the lists is empty.
struct Track {
  std::string name;
  std::vector<const TracedCall*> calls;
  std::vector<const TracedOperation*> operations;
};

/// The rows of a pass, which must outlive them: host threads ("host"), engines (causes.hpp) and
/// lanes ("lane 0", "whole pass"; "stream 0" of an application). Overlapping items continue in
/// further rows ("compute, row 2"). Every operation has two rows, its engine's and its lane's.
struct Tracks {
  explicit Tracks(const TracedPass& pass);

  std::vector<Track> host, engines, lanes;
};

}  // namespace trilane
