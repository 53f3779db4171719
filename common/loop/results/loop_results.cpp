#include "common/loop/results/loop_results.hpp"

#include <stdexcept>

#include "common/json/pretty_json.hpp"

namespace trilane {

std::string to_json(const LoopResults& results) {
  boost::json::value document = document_of(loops_schema, results);
  round_to_nanoseconds(document);
  return pretty(document);
}

LoopResults loops_from_json(const std::string& text) {
  try {
    return record_in<LoopResults>(parsed(text), loops_schema);
  } catch (const Misfit& misfit) {
    throw std::invalid_argument("loop file: " + in_words(misfit));
  }
}

}  // namespace trilane
