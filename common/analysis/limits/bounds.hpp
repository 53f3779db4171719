// Which bound holds for which variant, and how close it comes.
#pragma once

#include <optional>
#include <string>

#include "common/results/results.hpp"

namespace trilane {

struct Bound {
  double us = 0;
  std::string by;  ///< what sets it
};

/// What the host needs to submit a pass: the sum of the costs of the calls in the plan, as far as
/// they are known, shared by the host threads that make them. What launching a graph costs depends
/// on its nodes, so of variants that launch one it is their own fastest submission. Absent where
/// that waits for the device, and in older files.
std::optional<double> host_us(const Limit& limit, const Measurement& m);

/// The bound that applies, by what the plan says that a pass does: the higher of "host submission",
/// as above, and one of these.
/// - Every operation is waited for: "taking turns", serial_us.
/// - The engines copy each chunk: bound_us, by what the limit says ("copy in", "SMs" or "copy out";
///   "one chunk's stages" where they take more than half of it); on a device with one copy engine
///   "the one copy engine", one_engine_us. On lanes at least "a lane's stages", the first lane's
///   chunks in turn; where one stream runs all kernels at least "kernels in turn", unless they are
///   short: a copy in, memsets and kernels, a copy out.
/// - They copy the whole pass: "copies in turn", copy in, kernels and copy out one after another.
/// - Kernels move the bytes, or one does everything: "SMs", the stages' kernels, or "link", the
///   bytes one way at the rate of copies without their fixed part, whichever takes longer.
/// Short kernels count for nothing in the last two: in a graph they start faster than on the lanes
/// that they were measured on. Absent without times, and without a limit.
std::optional<Bound> bound_of(const Comparison& comparison, const Measurement& m);

/// Fills bound_us, bound_by and efficiency of every measurement, and calls the limit's "SMs" by
/// their name "kernel launches" where kernels are short.
void find_bounds(Comparison& comparison);

}  // namespace trilane
