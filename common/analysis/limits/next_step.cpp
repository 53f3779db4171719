#include "common/analysis/limits/next_step.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/analysis/limits/limitation.hpp"
#include "common/text/size.hpp"

namespace trilane {
namespace {

/// Whether a variant was measured that does with one launch what others do with many calls, or,
/// asked so, without copies on the engines.
bool has_graph(const Comparison& comparison, bool without_copies) {
  return std::ranges::any_of(comparison.measurements, [&](const Measurement& m) {
    return m.wall && !m.plan.nodes.empty() &&
           (!without_copies || count_of(m.plan.nodes, "memcpy nodes") == 0);
  });
}

std::string for_host(const Comparison& comparison, const Measurement& m) {
  if (total_calls(m.plan) == 1 && total_nodes(m.plan) < 2) {
    return "larger passes: the host has nothing to do but one launch";
  }
  if (m.plan.nodes.empty() && !has_graph(comparison, false)) {
    return "a graph, which is one call a pass";
  }
  const bool copies = count_of(m.plan.nodes, "memcpy nodes") > 0;
  if (copies && !has_graph(comparison, true)) {
    return "a graph of kernels only, which move the bytes through mapped host memory: copy and "
           "memset nodes cost the host at every launch";
  }
  return "fewer and wider chunks, or several stages in one kernel: the host pays for each";
}

/// Where an engine rests for a part of the pass, though chunk by chunk.
std::string for_rests(const Load& load, const Comparison& comparison, const Measurement& m) {
  const double bound = comparison.limit->bound_us;
  const double ends = bound - load.us, between = m.wall->median - bound;
  if (ends >= between) {
    return fmt::format("smaller chunks: the first and the last stand alone for {} us",
                       format_us(ends));
  }
  return fmt::format(
      "another number of lanes or chunks: {} us of it are more than stages that overlap need",
      format_us(between));
}

/// The same where bytes go another way.
std::string for_other_ways(const Comparison& comparison, const Measurement& m) {
  if (count_of(m.plan.nodes, "memcpy nodes") + count_of(m.plan.calls, "cudaMemcpyAsync") > 0) {
    return in_parts;
  }
  const bool tried = std::ranges::any_of(comparison.measurements, [&](const Measurement& other) {
    return other.wall && copies_each_chunk(other.plan, comparison.workload);
  });
  return tried ? profile(m) : "streams or a graph, whose copies leave the SMs to the kernels";
}

}  // namespace

std::string profile(const Measurement& m) {
  const std::string program = m.variant.substr(0, m.variant.find(':'));
  return fmt::format("a profiler on build/{}, which is this variant alone", program);
}

std::string fewer_kernels(const Comparison& comparison) {
  return fmt::format(
      "fewer and longer kernels, by fusing them or by wider chunks: one takes {} us, and starting "
      "it is a good part of that",
      format_us(kernel_us(comparison)));
}

std::string next_step(const Load& load, const Comparison& comparison, const Measurement& m) {
  if (load.by == "host submission") return for_host(comparison, m);
  if (load.by == "a lane's stages") return "more lanes, so that more stages overlap";
  if (load.by == "kernels in turn") return "a stream per lane, so that kernels share the SMs";
  if (load.by == "kernel launches") return fewer_kernels(comparison);
  const bool all_the_time = load.us >= as_good_as * m.wall->median;
  if (load.by == "SMs" && all_the_time) return "the kernel itself: nothing around it takes long";
  const bool chunks = copies_each_chunk(m.plan, comparison.workload);
  const double each_us = load.us / comparison.workload.chunks();
  if (load.by != "SMs" && chunks && each_us < short_us) {
    return fmt::format("wider chunks: a copy takes {} us, and starting it is a good part of that",
                       format_us(each_us));
  }
  if (all_the_time) return "fewer bytes: nothing else is left to gain";
  return chunks ? for_rests(load, comparison, m) : for_other_ways(comparison, m);
}

}  // namespace trilane
