// What is busy during a pass and for how long, by the figures of its comparison.
#pragma once

#include <string>
#include <vector>

#include "common/results/results.hpp"

namespace trilane {

struct Load {
  Limiter by{};
  double us = 0;
  std::string figures{};  ///< part of a sentence
};

/// Microseconds. Starting a shorter kernel or copy is a large part of its time.
inline constexpr double short_us = 10;

/// Times closer than this ratio count as equal.
inline constexpr double as_good_as = 0.95;

/// All chunks' memsets and kernels one after the other, in microseconds. Needs a limit.
double kernels_in_turn_us(const Comparison& comparison);

/// One kernel of a chunk, in microseconds. Needs a limit.
double kernel_us(const Comparison& comparison);

/// All chunks of one of `lanes` lanes in turn, if one takes `chunk_us`: they share memory, so each
/// must end before the next begins.
double lane_us(const Comparison& comparison, std::uint32_t lanes, double chunk_us);

/// A pass's kernels, in microseconds; 0 if they are short. Memsets are left out, because not every
/// variant needs them. Needs a limit.
double kernels_us(const Comparison& comparison);

/// What the measurement needs of the host, the copy engines and the SMs. Leaves out a figure if a
/// faster variant with the same work disproves it, and the rate of the link if chunks are too short
/// to show one and no other is known. Needs a limit, and a measurement with times.
std::vector<Load> loads_of(const Comparison& comparison, const Measurement& m);

}  // namespace trilane
