// The keys of a map's file: every record's fields, stated once for the writer and the reader.
#pragma once

#include "common/results/files/results_fields.hpp"
#include "common/sweep/map/regime_map.hpp"

namespace trilane {

void fields(auto& archive, Is<Axis> auto& r) {
  archive("knob", r.knob);
  archive.derived("unit", r.knob.empty() ? "" : unit_of(r.knob));
  archive("values", r.values);
}

/// Its name is the key that it stands under.
void fields(auto& archive, Is<CellVariant> auto& r) {
  archive("wall_us", r.wall_us);
  archive("submit_us", r.submit_us);
  archive("over_winner", r.over_winner.estimate);
  archive("low", r.over_winner.low);
  archive("high", r.over_winner.high);
  archive("rounds", r.rounds);
}

void fields(auto& archive, Is<Cell> auto& r) {
  archive("column", r.column);
  archive("row", r.row);
  archive("status", r.status);
  archive("reason", r.reason);
  archive("workload", r.workload);
  archive("requested_kernel_us", r.requested_kernel_us);
  archive("stopped", r.stopped);
  archive("rounds", r.rounds);
  archive("visits", r.visits);
  archive("seconds", r.seconds);
  archive("measuring_seconds", r.measuring_seconds);
  archive("winner", r.winner);
  archive("tied", r.tied);
  archive("runner_up", r.runner_up);
  archive("over_runner_up", r.over_runner_up);
  archive("over_reference", r.over_reference);
  archive("variants", r.variants);
  archive("left_out", r.left_out);
}

void fields(auto& archive, Is<RegimeMap> auto& r) {
  archive("context", r.context);
  archive("command", r.command);
  archive("workload", r.workload);
  archive("columns", r.columns);
  archive("rows", r.rows);
  archive("variants", r.variants);
  archive("letters", r.letters);
  archive("reference", r.reference);
  archive("mode", r.mode);
  archive("seed", r.seed);
  archive("seconds_allowed", r.seconds_allowed);
  archive("seconds", r.seconds);
  archive("finished", r.finished);
  archive("cells", r.cells);
}

}  // namespace trilane
