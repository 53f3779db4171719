// How a value differs between repetitions.
#pragma once

#include <cstdint>
#include <span>

#include "common/application/iteration/records/application_recording.hpp"

namespace trilane {

/// How a value varies, from the value in each repetition, in order: of some in a row and, after
/// others that were not seen, of some more. It alternates if it returns after a fixed number of
/// repetitions, of which at least two whole turns were seen in a row, and the others fit into the
/// turn, from any place in it on: with 5 repetitions that is a turn of 2, with 10 one of at most 5.
Variation variation_of(std::span<const std::uint64_t> values,
                       std::span<const std::uint64_t> later = {});

}  // namespace trilane
