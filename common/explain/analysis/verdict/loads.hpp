// Computes what is busy during a pass and for how long, the bounds of variants, and their limits.
#pragma once

#include "common/model/results/results.hpp"

namespace trilane {

struct Load {
  Limiter by{};
  double us = 0;        ///< busy time
  double bound_us = 0;  ///< no pass is shorter, because of stages that cannot overlap with it
};

/// In microseconds. Starting a shorter kernel or copy is a large part of its time.
inline constexpr double short_us = 10;

/// Returns true if kernels add to so few words that their time depends on where in memory these
/// lie: 64 times or more to each word of a result below 4 KiB.
bool crowds_results(const Workload& workload);

/// The properties of a pass that loads depend on: measured, or predicted with other knobs.
struct Shape {
  ChunkTimes times;
  double chunks = 1;  ///< a fraction stands for a shorter last chunk
  std::uint32_t lanes = 1, depth = 1;
  WholePass whole{};  ///< zeros if it is not known
  bool one_copy_engine = false;
  bool crowded = false;  ///< crowds_results()
  bool in_turn = true;   ///< true if a chunk's data needs copies in, kernels, copies out in turn
};

/// Returns the measured pass of a comparison that has a limit.
Shape shape_of(const Comparison& comparison);

/// Returns what a pass of that model needs of the copy engines, the link and the SMs. It is never
/// too much, so that every `bound_us` is a bound: kernels that crowd their results count as
/// uncrowded().
///
/// If the engines copy each chunk:
/// - one_chunk: the stages of a chunk, one after the other;
/// - copy_in, copy_out, sms (kernel_launches if kernels are short): as in pipelined.hpp, with
///   kernels on streams or in a graph. If events or edges follow the data, first memsets overlap
///   with first copies in;
/// - one_copy_engine, if a device has no more;
/// - lane_stages, if a lane has more than one chunk: its chunks share memory. On a lane their
///   stages take turns; with edges or events that follow the data, a copy in may overlap with the
///   previous chunk's copy out and memset;
/// - kernels_in_turn, if one stream runs all kernels; taking_turns, if it runs everything.
/// If a pipeline file's data may need less, no stage counts as before or after another.
///
/// If the engines copy the whole pass: copy_in, sms, copy_out, and copies_in_turn, their sum. In
/// batches the same, but the bounds count only the time of the bytes at the link's rate.
///
/// If kernels move the bytes: link, the bytes of the longer direction as one copy, and sms.
///
/// For the whole pass and for kernels, the bound counts only the arithmetic of the stages' kernels.
std::vector<Load> device_loads(const Shape& shape, const Model& model);

/// Returns the host time to submit a pass, in microseconds: the known costs of the plan's calls,
/// shared by the host threads that make them, and at most the fastest submission. The cost of a
/// graph launch depends on its nodes, so variants that launch a graph count that submission. Absent
/// if the launch of a graph waits for the device, and without costs.
std::optional<double> host_us(const Limit& limit, const Measurement& m);

/// Returns host_submission, with the mean submission as `us` and host_us as bound, and the device's
/// loads. Needs a limit, and a measurement with times.
std::vector<Load> loads_of(const Comparison& comparison, const Measurement& m);

/// Returns the time of one kernel of a chunk on a stream, in microseconds. Needs a limit.
double kernel_us(const Comparison& comparison);

struct Bound {
  double us = 0;
  Limiter by{};  ///< what sets it
};

/// Returns the highest bound of the measurement's loads. Absent without times or a limit.
std::optional<Bound> bound_of(const Comparison& comparison, const Measurement& m);

/// Sets bound_us, bound_by and efficiency of every measurement. Sets bound_by_rates_us if a pass
/// was faster than the loads say: the same chain of kernels takes 5% longer in one graph than in
/// the next (H200). Changes the limit's bound_by from "SMs" to "kernel launches" for short ones.
void find_bounds(Comparison& comparison);

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
