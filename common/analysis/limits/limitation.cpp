#include "common/analysis/limits/limitation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "common/analysis/limits/bounds.hpp"
#include "common/analysis/limits/loads.hpp"
#include "common/analysis/limits/next_step.hpp"
#include "common/text/size.hpp"

namespace trilane {
namespace {

constexpr double most_of_it = 0.5;  // of the wall time: less is no limit

/// Of a pass that takes no more a launch and a wait, 10 us and more, are a good part.
constexpr double short_pass_us = 5 * short_us;

/// How many kernels a graph has, where they are short and chunks, too; otherwise 0.
std::uint64_t short_kernels(const Comparison& comparison, const Measurement& m) {
  const Limit& limit = *comparison.limit;
  const double longest_us = std::max({kernel_us(comparison), limit.copy_in_us, limit.copy_out_us});
  return longest_us < short_us ? count_of(m.plan.nodes, "kernel nodes") : 0;
}

/// Where no load is worth the name: all of them, for the reader to judge.
Limitation idle(const Comparison& comparison, const std::vector<Load>& loads,
                const Measurement& m) {
  std::vector<std::string> each;
  for (const Load& load : loads) {
    each.push_back(
        fmt::format("{}{} {}", load.by, each.empty() ? " takes" : "", format_us(load.us)));
  }
  const std::string figures =
      fmt::format("of its {} us {}", format_us(m.wall->median), fmt::join(each, ", "));
  if (copies_each_chunk(m.plan, comparison.workload)) {
    return {"waiting", std::nullopt, figures,
            "more lanes or wider chunks, so that something is always under way"};
  }
  if (count_of(m.plan.nodes, "memcpy nodes") + count_of(m.plan.calls, "cudaMemcpyAsync") > 0) {
    if (const std::uint64_t kernels = short_kernels(comparison, m); kernels > 0) {
      return {"kernel launches", std::nullopt,
              fmt::format("{}, and each of its {} kernels {} by itself", figures, kernels,
                          format_us(kernel_us(comparison))),
              fewer_kernels(comparison)};
    }
    return {"waiting", std::nullopt, figures + ", and its copies overlap with no kernel", in_parts};
  }
  if (total_calls(m.plan) == 1 && total_nodes(m.plan) < 2 && m.wall->median < short_pass_us) {
    return {"launch and wait", std::nullopt,
            figures + ", and the rest goes by from the launch of one kernel to the end of the wait",
            "larger passes, of which a launch and a wait are a smaller part"};
  }
  // What its kernels take is not known: they are not the stages' own.
  return {"its kernels", std::nullopt, figures + ", and its kernels move the bytes, too",
          profile(m)};
}

/// Where no load is worth the name, and yet no time is lost: what it does takes turns.
std::optional<Limitation> at_its_bound(const Comparison& comparison, const Measurement& m) {
  const std::optional<Bound> bound = bound_of(comparison, m);
  const double wall = m.wall->median;
  if (!bound || bound->us < as_good_as * wall || bound->us * as_good_as > wall) return std::nullopt;
  const std::string figures = fmt::format("one after the other they take {} of its {} us",
                                          format_us(bound->us), format_us(wall));
  const double share = bound->us / wall;
  if (bound->by == "copies in turn") return Limitation{bound->by, share, figures, in_parts};
  if (bound->by == "one chunk's stages") {
    return Limitation{bound->by, share, figures, "smaller chunks, so that more of them overlap"};
  }
  return std::nullopt;
}

std::optional<Limitation> blocked(const Measurement& m) {
  if (!m.plan.blocks) return std::nullopt;
  const std::uint64_t waits = count_of(m.plan.calls, "cudaStreamSynchronize");
  if (const std::uint64_t allocations = count_of(m.plan.calls, "cudaMalloc")) {
    return Limitation{"memory management", std::nullopt,
                      fmt::format("it allocates {} times a pass and waits for the device before "
                                  "each release",
                                  allocations),
                      "memory that is allocated once, or from a pool"};
  }
  return Limitation{"waiting", std::nullopt,
                    fmt::format("the host waits for the device {} times a pass", waits),
                    "lanes, and to wait once a pass"};
}

}  // namespace

bool copies_each_chunk(const Plan& plan, const Workload& workload) {
  const std::uint64_t copies =
      std::max(count_of(plan.calls, "cudaMemcpyAsync"), count_of(plan.nodes, "memcpy nodes"));
  return copies >= 2 * std::uint64_t{workload.chunks()};
}

Limitation limitation_of(const Comparison& comparison, const Measurement& m) {
  if (!comparison.limit || m.status != Status::ok || !m.wall || !m.submit) return {};
  if (const auto limitation = blocked(m)) return *limitation;
  const std::vector<Load> loads = loads_of(comparison, m);
  const Load& longest = *std::ranges::max_element(loads, {}, &Load::us);
  const double share = longest.us / m.wall->median;
  if (!(share > most_of_it)) {
    return at_its_bound(comparison, m).value_or(idle(comparison, loads, m));
  }
  return {longest.by, share, longest.figures, next_step(longest, comparison, m)};
}

}  // namespace trilane
