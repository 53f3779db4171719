// The bound that applies to a variant, and how close the variant comes to it.
#pragma once

#include <optional>

#include "common/results/results.hpp"

namespace trilane {

struct Bound {
  double us = 0;
  Limiter by{};  ///< what sets it
};

/// Host time to submit a pass, in microseconds: the known costs of the plan's calls, shared by the
/// host threads that make them. The cost of a graph launch depends on its nodes, so variants that
/// launch a graph count their own fastest submission. Absent where that waits for the device, and
/// in older files.
std::optional<double> host_us(const Limit& limit, const Measurement& m);

/// The bound that applies to what the plan says a pass does: "host submission", as above, or one of
/// these, whichever is higher.
/// - The host waits for every operation: "taking turns", serial_us.
/// - The engines copy each chunk: bound_us, named by the limit ("copy in", "SMs" or "copy out";
///   "one chunk's stages" where they take more than half of it). With one copy engine: "the one
///   copy engine", one_engine_us. On lanes at least "a lane's stages", the first lane's chunks in
///   turn. If one stream runs all kernels and they are not short, at least "kernels in turn".
/// - The engines copy the whole pass: "copies in turn", copy in, then kernels, then copy out.
/// - Kernels move the bytes, or one does everything: "SMs", the stages' kernels, or "link", the
///   bytes one way at the rate of copies without their fixed part, whichever takes longer.
/// Short kernels count as zero in the last two: in a graph they start faster than on the lanes
/// where they were measured. Absent without times, and without a limit.
std::optional<Bound> bound_of(const Comparison& comparison, const Measurement& m);

/// Fills bound_us, bound_by and efficiency of every measurement, and changes the limit's bound_by
/// from "SMs" to "kernel launches" where kernels are short.
void find_bounds(Comparison& comparison);

}  // namespace trilane
