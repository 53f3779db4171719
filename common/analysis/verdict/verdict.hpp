// The verdict on a comparison: which variant to use, and why.
#pragma once

#include <optional>
#include <string>

#include "common/results/results.hpp"

namespace trilane {

/// Which variant to use on this workload and by how much: the fastest by wall time, its speed over
/// the reference with interval, and every variant that ties with either. The reference stays the
/// advice unless another is faster beyond a tie. Then the break-even, the device memory, what
/// limits it and what to try next, as far as they are known. `simulated` names the profile that all
/// times come from, and is empty when they were measured. Takes what derive() fills before it.
std::string verdict(const Comparison& comparison, const std::string& simulated = {});

/// The same in parts; nothing when no variant can be advised.
std::optional<Advice> advice(const Comparison& comparison);

/// "3.1", "310": a number of passes, at most six characters.
std::string passes_text(double passes);

}  // namespace trilane
