// Tells how a value differs between repetitions.
#pragma once

#include <cstdint>
#include <span>

#include "common/application/iteration/records/application_recording.hpp"

namespace trilane {

/// Returns how a value varies. `values` come from consecutive repetitions, in order; `later` ones
/// after a pause. A value alternates if both hold:
/// - it returns after a fixed number of repetitions, with at least two whole cycles in a row: a
///   cycle of 2 with 5 repetitions, of at most 5 with 10;
/// - the later values fit into the cycle, from any place in it.
Variation variation_of(std::span<const std::uint64_t> values,
                       std::span<const std::uint64_t> later = {});

}  // namespace trilane
