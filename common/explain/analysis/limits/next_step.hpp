// Suggests what makes a variant faster, as far as its bound tells.
#pragma once

#include <optional>
#include <string>

#include "common/model/results/results.hpp"

namespace trilane {

/// Returns the number of lanes or of chunks, with the same total bytes, predicted to be fastest for
/// the measured variant by more than a tenth. Only for variants that copy chunk by chunk on lanes
/// or along data edges, if the bound explains most of their time. tests/advice.py checks it.
std::optional<NextStep> next_step(const Comparison& comparison, const Measurement& m);

/// Returns "--lanes 8, which should take about 840 us or less, instead of 958".
std::string words_of(const NextStep& step, const Comparison& comparison, const Measurement& m);

}  // namespace trilane
