// What is busy during a pass, for how long, and the bounds that follow.
#pragma once

#include <optional>
#include <vector>

#include "common/model/results/results.hpp"

namespace trilane {

struct Load {
  Limiter by{};
  double us = 0;        ///< busy for so long
  double bound_us = 0;  ///< no pass is shorter, because of stages that cannot overlap with it
};

/// Microseconds. Starting a shorter kernel or copy is a large part of its time.
inline constexpr double short_us = 10;

/// Times closer than this ratio count as equal.
inline constexpr double as_good_as = 0.95;

/// Whether kernels add so often to so few words that their time depends on where in memory these
/// lie: 64 times or more to each word of a result below 4 KiB.
bool crowds_results(const Workload& workload);

/// A pass as loads depend on it: measured, or foreseen with other knobs.
struct Shape {
  ChunkTimes times;
  double chunks = 1;  ///< a fraction stands for a shorter last chunk
  std::uint32_t lanes = 1, depth = 1;
  std::optional<WholePass> whole{};
  bool one_copy_engine = false;
  bool crowded = false;  ///< crowds_results()
  bool in_turn = true;   ///< whether a chunk's data needs copies in, kernels, copies out in turn
};

/// The measured pass of a comparison that has a limit.
Shape shape_of(const Comparison& comparison);

/// What a pass of that model needs of the copy engines, the link and the SMs; never more, so that
/// every `bound_us` is a bound: it counts with uncrowded() kernels where they crowd their results.
/// Where the engines copy each chunk:
/// - one_chunk: the stages of a chunk, one after the other;
/// - copy_in, copy_out, sms (kernel_launches if kernels are short): as in pipelined.hpp, with
///   kernels on streams or in a graph. Where events or edges follow the data, first memsets run
///   beside first copies in;
/// - one_copy_engine, where a device has no more;
/// - lane_stages, where a lane has more than one chunk: its chunks share memory. On a lane their
///   stages take turns; with edges or events that follow the data, a copy in may overlap with the
///   copy out and memset of the chunk before;
///   Where a pipeline file's data may need less, no stage counts as before or after another;
/// - kernels_in_turn, where one stream runs all kernels; taking_turns, where it runs everything.
/// The engines copy the whole pass: copy_in, sms, copy_out, and copies_in_turn, the sum of them.
/// In batches the same, but the bounds count only what the bytes take at the link's rate.
/// Kernels move the bytes: link, the bytes of the longer way as one copy, and sms. For all these,
/// the bound counts only the arithmetic of the stages' kernels.
std::vector<Load> device_loads(const Shape& shape, const Model& model);

/// Host time to submit a pass, in microseconds: the known costs of the plan's calls, shared by the
/// host threads that make them, and no more than the fastest submission took. The cost of a graph
/// launch depends on its nodes, so variants that launch a graph count that. Absent where the launch
/// of a graph waits for the device, and without costs.
std::optional<double> host_us(const Limit& limit, const Measurement& m);

/// host_submission, with the mean submission as `us` and host_us as bound, and the device's
/// loads. Needs a limit, and a measurement with times.
std::vector<Load> loads_of(const Comparison& comparison, const Measurement& m);

/// One kernel of a chunk on a stream, in microseconds. Needs a limit.
double kernel_us(const Comparison& comparison);

}  // namespace trilane
