// Tells what limits a variant's speed by its comparison, and what would make it faster.
#pragma once

#include "common/explain/analysis/verdict/loads.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

struct Limitation {
  std::optional<Limiter> by;    ///< absent if the comparison has no limit
  std::optional<double> share;  ///< of the variant's wall time
  std::string figures;          ///< part of a sentence
};

/// Returns the longest load (loads.hpp) if it takes more than half of the wall time; "memory
/// management" if each chunk waits for the device to allocate, or "waiting" after each operation.
/// If nothing takes more than half: "launch and wait" for a single short kernel, "its kernels" if
/// they do more than the measured stages, otherwise "waiting". Empty unless ok.
Limitation limitation_of(const Comparison& comparison, const Measurement& measurement);

/// Returns part of a sentence: "copies in take 5421 of its 5588 us, at 49.5 GB/s". Throws
/// std::logic_error for a limiter that is not a load.
std::string words_of(const Load& load, const Comparison& comparison, const Measurement& m);

/// Returns the number of lanes or of chunks, with the same total bytes, predicted to be fastest for
/// the measured variant by more than a tenth. Only for variants that copy chunk by chunk on lanes
/// or along data edges, if the bound explains most of their time. tests/advice.py checks it.
std::optional<NextStep> next_step(const Comparison& comparison, const Measurement& m);

/// Returns "--lanes 8, which should take about 840 us or less, instead of 958".
std::string words_of(const NextStep& step, const Comparison& comparison, const Measurement& m);

}  // namespace trilane
