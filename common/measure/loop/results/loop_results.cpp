#include "common/measure/loop/results/loop_results.hpp"

#include <stdexcept>

#include "common/base/json/pretty_json.hpp"
#include "common/measure/loop/results/loop_check.hpp"

namespace trilane {

void round_to_nanoseconds(LoopComparison& comparison) {
  for (LoopMeasurement& measurement : comparison.measurements) {
    for (LoopTurn& turn : measurement.turns) {
      for (double& us : turn.told_us) us = to_nanoseconds(us);
      for (double& us : turn.restart_us) us = to_nanoseconds(us);
    }
  }
}

std::string to_json(const LoopResults& results) {
  return pretty(document_of(loops_schema, results));
}

LoopResults loops_from_json(const std::string& text) {
  try {
    return record_in<LoopResults>(parsed(text), loops_schema);
  } catch (const Misfit& misfit) {
    throw std::invalid_argument("loop file: " + in_words(misfit));
  }
}

}  // namespace trilane
