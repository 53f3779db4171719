#include "common/analysis/limits/limitation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "common/analysis/limits/bounds.hpp"
#include "common/analysis/limits/loads.hpp"
#include "common/text/size.hpp"

namespace trilane {
namespace {

constexpr double most_of_it = 0.5;  // of the wall time

/// A launch and a wait take 10 us and more, which is a large part of a pass shorter than this.
constexpr double short_pass_us = 5 * short_us;

/// The number of kernels in a pass if kernels and chunks are short; otherwise 0.
std::uint64_t short_kernels(const Comparison& comparison, const Measurement& m) {
  const Limit& limit = *comparison.limit;
  const double longest_us = std::max({kernel_us(comparison), limit.copy_in_us, limit.copy_out_us});
  return longest_us < short_us ? operations_of(m.plan.model, comparison.workload).kernels : 0;
}

Limitation limited_by(Limiter by, std::optional<double> share, std::string figures,
                      const Comparison& comparison, const Measurement& m) {
  return {by, share, std::move(figures), next_step({by}, comparison, m)};
}

/// No load takes most of the time: lists all of them, for the reader to judge.
Limitation idle(const Comparison& comparison, const std::vector<Load>& loads,
                const Measurement& m) {
  std::vector<std::string> each;
  for (const Load& load : loads) {
    each.push_back(
        fmt::format("{}{} {}", name_of(load.by), each.empty() ? " takes" : "", format_us(load.us)));
  }
  const std::string all =
      fmt::format("of its {} us {}", format_us(m.wall->median), fmt::join(each, ", "));
  const auto found = [&](Limiter by, const std::string& more = "") {
    return limited_by(by, std::nullopt, all + more, comparison, m);
  };
  const Model& model = m.plan.model;
  if (copies_each_chunk(model, comparison.workload)) return found(Limiter::waiting);
  if (uses_copy_engines(model)) {
    if (const std::uint64_t kernels = short_kernels(comparison, m); kernels > 0) {
      return found(Limiter::kernel_launches,
                   fmt::format(", and each of its {} kernels {} by itself", kernels,
                               format_us(kernel_us(comparison))));
    }
    return found(Limiter::waiting, ", and its copies overlap with no kernel");
  }
  if (operations_of(model, comparison.workload).total() == 1 && m.wall->median < short_pass_us) {
    return found(Limiter::launch_and_wait, ", and the rest is launch and synchronisation latency");
  }
  // The stages' kernel times do not apply, because these kernels also move the bytes.
  return found(Limiter::own_kernels, ", and its kernels move the bytes, too");
}

/// Whether the bound adds up stages that run in turn, which no single load shows.
bool is_a_sequence(Limiter by) {
  switch (by) {
    case Limiter::copies_in_turn:
    case Limiter::one_chunk: return true;
    case Limiter::host_submission:
    case Limiter::copy_in:
    case Limiter::copy_out:
    case Limiter::sms:
    case Limiter::kernel_launches:
    case Limiter::lane_stages:
    case Limiter::kernels_in_turn:
    case Limiter::taking_turns:
    case Limiter::one_copy_engine:
    case Limiter::link:
    case Limiter::overlap:
    case Limiter::memory_management:
    case Limiter::waiting:
    case Limiter::launch_and_wait:
    case Limiter::own_kernels: break;
  }
  return false;
}

std::optional<Limitation> at_its_bound(const Comparison& comparison, const Measurement& m) {
  const std::optional<Bound> bound = bound_of(comparison, m);
  const double wall = m.wall->median;
  if (!bound || bound->us < as_good_as * wall || bound->us * as_good_as > wall) return std::nullopt;
  if (!is_a_sequence(bound->by)) return std::nullopt;
  return limited_by(bound->by, bound->us / wall,
                    fmt::format("one after the other they take {} of its {} us",
                                format_us(bound->us), format_us(wall)),
                    comparison, m);
}

/// The host waits for the device within a pass.
std::optional<Limitation> blocked(const Comparison& comparison, const Measurement& m) {
  const Workload& workload = comparison.workload;
  switch (m.plan.model.scratch) {
    case ScratchSource::cuda_malloc:
      return limited_by(Limiter::memory_management, std::nullopt,
                        fmt::format("it allocates {} times a pass and waits for the device before "
                                    "each release",
                                    workload.chunks()),
                        comparison, m);
    case ScratchSource::lane:
    case ScratchSource::pass:
    case ScratchSource::pool:
    case ScratchSource::trimmed_pool:
    case ScratchSource::graph_nodes:
    case ScratchSource::none: break;
  }
  if (!waits_each_time(m.plan.model)) return std::nullopt;
  return limited_by(Limiter::waiting, std::nullopt,
                    fmt::format("the host waits for the device {} times a pass",
                                operations_of(m.plan.model, workload).total()),
                    comparison, m);
}

}  // namespace

Limitation limitation_of(const Comparison& comparison, const Measurement& m) {
  if (!comparison.limit || m.status != Status::ok || !m.wall || !m.submit) return {};
  if (const auto limitation = blocked(comparison, m)) return *limitation;
  const std::vector<Load> loads = loads_of(comparison, m);
  const Load& longest = *std::ranges::max_element(loads, {}, &Load::us);
  const double share = longest.us / m.wall->median;
  if (!(share > most_of_it)) {
    return at_its_bound(comparison, m).value_or(idle(comparison, loads, m));
  }
  return {longest.by, share, longest.figures, next_step(longest, comparison, m)};
}

}  // namespace trilane
