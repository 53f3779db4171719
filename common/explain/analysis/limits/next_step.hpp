// What makes a variant faster, as far as its bound tells.
#pragma once

#include <optional>
#include <string>

#include "common/model/results/results.hpp"

namespace trilane {

/// The number of lanes or of chunks, of the same bytes in all, with which the measured variant is
/// foreseen to be fastest, and by more than a tenth. Only for variants that copy chunk by chunk on
/// lanes or along data edges, if the bound explains most of their time. tests/advice.py follows it.
std::optional<NextStep> next_step(const Comparison& comparison, const Measurement& m);

/// "--lanes 8, which should take about 840 us or less, instead of 958"
std::string words_of(const NextStep& step, const Comparison& comparison, const Measurement& m);

}  // namespace trilane
