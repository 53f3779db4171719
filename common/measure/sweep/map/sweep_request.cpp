#include "common/measure/sweep/map/sweep_request.hpp"

namespace trilane {

SweepPoint point_at(const SweepRequest& request, std::size_t column, std::size_t row) {
  Knobs knobs = request.knobs;
  SweepPoint point{.workload = {}, .kernel_time_us = request.kernel_time_us};
  set_knob(request.columns.knob, request.columns.values.at(column), knobs, point.kernel_time_us);
  if (request.rows) {
    set_knob(request.rows->knob, request.rows->values.at(row), knobs, point.kernel_time_us);
  }
  point.workload = turned(request.base, knobs);
  point.workload.modified = true;
  return point;
}

}  // namespace trilane
