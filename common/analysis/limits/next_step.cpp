#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "common/analysis/limits/limitation.hpp"
#include "common/text/size.hpp"

namespace trilane {
namespace {

constexpr char in_parts[] = "a few parts instead of one, so that copies and kernels overlap";

/// Whether a measured variant launches a graph; with `without_copies`, one without copy nodes.
bool has_graph(const Comparison& comparison, bool without_copies) {
  return std::ranges::any_of(comparison.measurements, [&](const Measurement& m) {
    const Model& model = m.plan.model;
    return m.wall && launches_graph(model) && !(without_copies && uses_copy_engines(model));
  });
}

std::string for_host(const Comparison& comparison, const Measurement& m) {
  const Model& model = m.plan.model;
  if (operations_of(model, comparison.workload).total() == 1) {
    return "larger passes: the host already makes only one launch";
  }
  if (!launches_graph(model) && !has_graph(comparison, false)) {
    return "a graph, which is one call a pass";
  }
  if (launches_graph(model) && uses_copy_engines(model) && !has_graph(comparison, true)) {
    return "a graph of kernels only, which move the bytes through mapped host memory: copy and "
           "memset nodes cost the host at every launch";
  }
  return "fewer and wider chunks, or several stages in one kernel: the host pays for each";
}

/// The variant's own program shows nothing else in a profiler.
std::string profile(const Measurement& m) {
  const std::string program = m.variant.substr(0, m.variant.find(':'));
  return fmt::format("a profiler on build/{}, which contains only this variant", program);
}

/// An engine or the SMs are idle for part of the pass, and chunks are not copied one by one.
std::string for_other_ways(const Comparison& comparison, const Measurement& m) {
  if (uses_copy_engines(m.plan.model)) return in_parts;
  const bool tried = std::ranges::any_of(comparison.measurements, [&](const Measurement& other) {
    return other.wall && copies_each_chunk(other.plan.model, comparison.workload);
  });
  return tried ? profile(m) : "streams or a graph, whose copies leave the SMs to the kernels";
}

/// An engine or the SMs are idle for part of the pass, however the bytes are moved.
std::string for_rests(const Load& load, const Comparison& comparison, const Measurement& m) {
  if (!copies_each_chunk(m.plan.model, comparison.workload)) return for_other_ways(comparison, m);
  const double bound = comparison.limit->bound_us;
  const double ends = bound - load.us, between = m.wall->median - bound;
  if (ends >= between) {
    return fmt::format("smaller chunks: the first and the last overlap with nothing for {} us",
                       format_us(ends));
  }
  return fmt::format("another number of lanes or chunks: full overlap would save {} us",
                     format_us(between));
}

/// Nothing is busy for long.
std::string for_waiting(const Comparison& comparison, const Measurement& m) {
  if (waits_each_time(m.plan.model)) return "lanes, and one wait per pass";
  return copies_each_chunk(m.plan.model, comparison.workload)
             ? "more lanes or wider chunks, so that the engines stay busy"
             : in_parts;
}

bool takes_all(const Load& load, const Measurement& m) {
  return load.us >= as_good_as * m.wall->median;
}

std::string for_sms(const Load& load, const Comparison& comparison, const Measurement& m) {
  return takes_all(load, m) ? "the kernel itself: nothing around it takes long"
                            : for_rests(load, comparison, m);
}

std::string for_copies(const Load& load, const Comparison& comparison, const Measurement& m) {
  const double each_us = load.us / comparison.workload.chunks();
  if (copies_each_chunk(m.plan.model, comparison.workload) && each_us < short_us) {
    return fmt::format("wider chunks: a copy takes {} us, and starting it is a good part of that",
                       format_us(each_us));
  }
  return takes_all(load, m) ? "fewer bytes: nothing else takes long"
                            : for_rests(load, comparison, m);
}

}  // namespace

std::string next_step(const Load& load, const Comparison& comparison, const Measurement& m) {
  switch (load.by) {
    case Limiter::host_submission: return for_host(comparison, m);
    case Limiter::copy_in:
    case Limiter::copy_out: return for_copies(load, comparison, m);
    case Limiter::sms: return for_sms(load, comparison, m);
    case Limiter::lane_stages: return "more lanes, so that more stages overlap";
    case Limiter::kernels_in_turn: return "a stream per lane, so that kernels share the SMs";
    case Limiter::kernel_launches:
      return fmt::format(
          "fewer and longer kernels, by fusing them or by wider chunks: one takes {} us, and "
          "starting it is a good part of that",
          format_us(kernel_us(comparison)));
    case Limiter::one_chunk: return "smaller chunks, so that more of them overlap";
    case Limiter::copies_in_turn: return in_parts;
    case Limiter::memory_management: return "memory that is allocated once, or from a pool";
    case Limiter::waiting: return for_waiting(comparison, m);
    case Limiter::launch_and_wait: return "larger passes, which do more work per launch";
    case Limiter::own_kernels: return profile(m);
    case Limiter::taking_turns:
    case Limiter::one_copy_engine:
    case Limiter::link:
    case Limiter::overlap: break;  // these only set bounds
  }
  throw std::logic_error("nothing is limited by: " + std::string(name_of(load.by)));
}

}  // namespace trilane
