#include "common/explain/analysis/limits/limitation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "common/base/text/size.hpp"
#include "common/explain/analysis/limits/load_words.hpp"
#include "common/explain/analysis/limits/loads.hpp"

namespace trilane {
namespace {

constexpr double most_of_it = 0.5;  // of the wall time

/// A launch and a wait take 10 us and more, which is a large part of a pass shorter than this.
constexpr double short_pass_us = 5 * short_us;

/// Lists all loads for the reader to judge, because none takes most of the time.
Limitation idle(const Comparison& comparison, const std::vector<Load>& loads,
                const Measurement& m) {
  std::vector<std::string> each;
  for (const Load& load : loads) {
    if (!(load.us > 0)) continue;
    each.push_back(
        fmt::format("{}{} {}", name_of(load.by), each.empty() ? " takes" : "", format_us(load.us)));
  }
  const std::string all =
      fmt::format("of its {} us {}", format_us(m.wall->mean), fmt::join(each, ", "));
  const Model& model = m.plan.model;
  if (uses_copy_engines(model)) return {Limiter::waiting, std::nullopt, all};
  if (operations_of(model, comparison.workload).total() == 1 && m.wall->mean < short_pass_us) {
    return {Limiter::launch_and_wait, std::nullopt,
            all + ", and the rest is launch and synchronisation latency"};
  }
  // The stages' kernel times do not apply, because these kernels also move the bytes.
  return {Limiter::own_kernels, std::nullopt, all + ", and its kernels move the bytes, too"};
}

/// Returns the limitation if the host waits for the device within a pass.
std::optional<Limitation> blocked(const Comparison& comparison, const Measurement& m) {
  const Workload& workload = comparison.workload;
  switch (m.plan.model.scratch) {
    case ScratchSource::cuda_malloc:
      return Limitation{Limiter::memory_management, std::nullopt,
                        fmt::format("it allocates {} times a pass and waits for the device before "
                                    "each release",
                                    workload.chunks())};
    case ScratchSource::lane:
    case ScratchSource::pass:
    case ScratchSource::pool:
    case ScratchSource::trimmed_pool:
    case ScratchSource::graph_nodes:
    case ScratchSource::recorded:
    case ScratchSource::none: break;
  }
  if (!waits_each_time(m.plan.model)) return std::nullopt;
  return Limitation{Limiter::waiting, std::nullopt,
                    fmt::format("the host waits for the device {} times a pass",
                                operations_of(m.plan.model, workload).total())};
}

}  // namespace

Limitation limitation_of(const Comparison& comparison, const Measurement& m) {
  if (!comparison.limit || m.status != Status::ok || !m.wall || !m.submit) return {};
  if (const auto limitation = blocked(comparison, m)) return *limitation;
  const std::vector<Load> loads = loads_of(comparison, m);
  const Load& longest = *std::ranges::max_element(loads, {}, &Load::us);
  const double share = longest.us / m.wall->mean;
  if (!(share > most_of_it)) return idle(comparison, loads, m);
  return {longest.by, share, words_of(longest, comparison, m)};
}

}  // namespace trilane
