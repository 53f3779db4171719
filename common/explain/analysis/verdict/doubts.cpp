#include "common/explain/analysis/verdict/doubts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>

#include "common/base/text/words.hpp"
#include "common/explain/analysis/verdict/answers.hpp"
#include "common/explain/analysis/verdict/winners.hpp"
#include "common/explain/statistics/ratio.hpp"
#include "common/explain/statistics/series.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/model/results/clock_limiter.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

constexpr double flicker = 0.02;  // clocks differ by less between readings
constexpr double wide = 0.03;     // of an interval, each way

std::vector<ClockLimiter> limiters_in(const std::vector<Property>& state) {
  return clock_limiters(value_of(state, "clocks_limited_by"));
}

std::optional<Doubt> throttled(const Context& context) {
  Doubt doubt{DoubtKind::throttled};
  for (const auto* state : {&context.gpu_before, &context.gpu_after}) {
    for (const ClockLimiter limiter : limiters_in(*state)) {
      const bool known = std::ranges::find(doubt.names, name_of(limiter)) != doubt.names.end();
      if (throttles(limiter) && !known) doubt.names.emplace_back(name_of(limiter));
    }
  }
  return doubt.names.empty() ? std::nullopt : std::optional(doubt);
}

/// Returns the SM clock in MHz; 0 if it is unknown, or low because the GPU was idle.
double sm_clock(const std::vector<Property>& state) {
  const auto limiters = limiters_in(state);
  if (std::ranges::find(limiters, ClockLimiter::idle) != limiters.end()) return 0;
  return std::atof(value_of(state, "sm_clock_mhz").c_str());
}

std::optional<Doubt> clock_moved(const Context& context) {
  const double before = sm_clock(context.gpu_before), after = sm_clock(context.gpu_after);
  if (!(before > 0 && after > 0 && std::abs(after / before - 1) > flicker)) return std::nullopt;
  return Doubt{DoubtKind::clock_moved, {}, before, after};
}

/// Returns the doubt about all comparisons for which it holds.
template <typename Holds>
std::optional<Doubt> about(const Results& results, DoubtKind kind, Holds holds) {
  Doubt doubt{kind};
  for (const Comparison& comparison : results.comparisons) {
    if (holds(comparison)) doubt.names.push_back(label_among(comparison, results.comparisons));
  }
  return doubt.names.empty() ? std::nullopt : std::optional(doubt);
}

bool few_rounds(const Comparison& comparison) {
  return std::ranges::any_of(comparison.measurements,
                             [](const Measurement& m) { return m.ratio && !decides(*m.ratio); });
}

/// Returns the main comparisons, each once: graph, pool, and the best that keeps the stages.
std::vector<const Measurement*> compared_first(const Comparison& comparison) {
  const Winner* best = best_kept(comparison);
  std::vector<const Measurement*> all;
  for (const Measurement* m :
       {find_change(comparison, Change::graph), find_change(comparison, Change::pool),
        best ? find_variant(comparison, best->variant) : nullptr}) {
    if (m && std::ranges::find(all, m) == all.end()) all.push_back(m);
  }
  return all;
}

/// Returns the widest of their intervals.
double widest(const Comparison& comparison) {
  double widest = 0;
  for (const Measurement* m : compared_first(comparison)) {
    if (m->ratio && decides(*m->ratio)) widest = std::max(widest, half_width(*m->ratio));
  }
  return widest;
}

bool has_wide_intervals(const Comparison& comparison) {
  return comparison.stopped != "precision" && widest(comparison) > wide;
}

/// Returns true if intervals are wide, and the host was slow in more than a quarter of the rounds,
/// or of the turns if processes have one round. Every process of the run is judged by itself.
bool slow_host(const Comparison& comparison) {
  if (!has_wide_intervals(comparison)) return false;
  const bool one_round = comparison.rounds == comparison.processes;
  std::map<std::uint32_t, std::map<std::uint32_t, std::vector<double>>> turns_us;
  std::uint32_t variant = 0;
  for (const Measurement& m : comparison.measurements) {
    for (const auto* part : {&m.samples, &m.set_aside}) {
      for (const Sample& s : *part) {
        turns_us[s.process][one_round ? variant : s.round].push_back(s.host_us);
      }
    }
    ++variant;
  }
  std::ptrdiff_t rounds = 0, slow = 0;
  for (const auto& [process, of_rounds] : turns_us) {
    std::vector<double> rounds_us;
    for (const auto& [round, us] : of_rounds) rounds_us.push_back(mean(us));
    rounds += std::ssize(rounds_us);
    slow += std::ranges::count(slow_rounds(rounds_us), true);
  }
  return 4 * slow > rounds;
}

bool one_process(const Comparison& comparison) {
  return comparison.processes == 1 &&
         std::ranges::any_of(comparison.measurements,
                             [](const Measurement& m) { return m.ratio && decides(*m.ratio); });
}

/// Returns a doubt about intervals with the widest of them and the most processes.
template <typename Holds>
std::optional<Doubt> about_intervals(const Results& results, DoubtKind kind, Holds holds) {
  auto doubt = about(results, kind, holds);
  if (!doubt) return doubt;
  for (const Comparison& c : results.comparisons) {
    doubt->from = std::max(doubt->from, widest(c));
    doubt->to = std::max(doubt->to, 1.0 * c.processes);
  }
  return doubt;
}

/// Returns the drift of the first process that has one.
std::optional<Drift> first_drift(const Measurement& m) {
  for (const auto& turns_us : by_process(turn_means(m.samples))) {
    if (const auto drift = drift_of(turns_us)) return drift;
  }
  return std::nullopt;
}

/// Returns what `say` says of the times of the reference and of the main variants: "graph on
/// launch, 382 us or 442 us, in 60% and 40% of the passes".
template <typename Say>
std::optional<Doubt> about_times(const Results& results, DoubtKind kind, Say say) {
  Doubt doubt{kind};
  for (const Comparison& comparison : results.comparisons) {
    std::vector<const Measurement*> shown = compared_first(comparison);
    const Measurement* const reference = find_reference(comparison);
    if (reference && std::ranges::find(shown, reference) == shown.end()) shown.push_back(reference);
    for (const Measurement* m : shown) {
      const std::string said = was_timed(*m) ? say(*m) : "";
      if (said.empty()) continue;
      doubt.names.push_back(fmt::format("{} on {}, {}", m->variant,
                                        label_among(comparison, results.comparisons), said));
    }
  }
  return doubt.names.empty() ? std::nullopt : std::optional(doubt);
}

std::string drift_words(const Measurement& m) {
  const std::optional<Drift> drift = first_drift(m);
  return drift ? in_words(*drift) : "";
}

/// For times that drift, the values passed through are not modes.
std::string mode_words(const Measurement& m) {
  if (first_drift(m)) return "";
  const std::vector<TimeMode> modes = modes_of(uninterrupted_us(m.samples));
  return modes.size() > 1 ? in_words(modes, "passes") : "";
}

/// Returns "blur's noise": outputs of pipelines whose file says that they are not checked.
std::optional<Doubt> unchecked(const Results& results) {
  Doubt doubt{DoubtKind::unchecked};
  for (const Comparison& comparison : results.comparisons) {
    if (!comparison.workload.pipeline) continue;
    for (const BufferSpec& buffer : comparison.workload.pipeline->buffers) {
      if (buffer.check != Check::none) continue;
      doubt.names.push_back(fmt::format("{}'s {}", comparison.workload.name, buffer.name));
    }
  }
  return doubt.names.empty() ? std::nullopt : std::optional(doubt);
}

std::vector<Doubt> doubts_about_predictions(const Results& results) {
  std::vector<Doubt> all;
  std::vector<std::string> missing;
  bool any_error = false;
  for (const Comparison& comparison : results.comparisons) {
    for (const std::string& what : comparison.not_modelled) {
      if (std::ranges::find(missing, what) == missing.end()) missing.push_back(what);
    }
    any_error |= std::ranges::any_of(comparison.measurements, [](const Measurement& m) {
      return m.prediction && m.prediction->ratio_error;
    });
  }
  if (!any_error) all.push_back({DoubtKind::error_unknown});
  if (!missing.empty()) all.push_back({DoubtKind::not_modelled, missing});
  const auto not_computed =
      about(results, DoubtKind::not_computed,
            [](const Comparison& comparison) { return comparison.workload.pipeline.has_value(); });
  if (not_computed) all.push_back(*not_computed);
  return all;
}

}  // namespace

std::vector<Doubt> doubts_about(const Results& results) {
  if (!results.context.simulated.empty()) return doubts_about_predictions(results);
  const Context& context = results.context;
  std::vector<Doubt> all;
  const auto add = [&](const std::optional<Doubt>& doubt) {
    if (doubt) all.push_back(*doubt);
  };
  add(unchecked(results));
  if (!context.other_processes.empty()) {
    all.push_back({DoubtKind::other_processes, context.other_processes});
  }
  add(throttled(context));
  add(clock_moved(context));
  add(about(results, DoubtKind::slow_host, slow_host));
  add(about_intervals(results, DoubtKind::few_rounds, few_rounds));
  add(about_intervals(results, DoubtKind::wide_intervals, has_wide_intervals));
  add(about(results, DoubtKind::wrong_regime,
            [](const Comparison& c) { return c.regime_held == false; }));
  add(about_times(results, DoubtKind::drift, drift_words));
  add(about_times(results, DoubtKind::several_modes, mode_words));
  add(about(results, DoubtKind::one_process, one_process));
  return all;
}

std::string in_words(const Doubt& doubt) {
  const std::string names = shortened(doubt.names);
  const bool one = doubt.names.size() == 1;
  const auto more = [&] {
    return doubt.to > 1 ? fmt::format("--processes {:.0f}", 2 * doubt.to) : "--time 20s";
  };
  switch (doubt.kind) {
    case DoubtKind::error_unknown:
      return "The profile does not give the model's error, so no gain can be claimed.";
    case DoubtKind::not_modelled:
      return "Not modelled: " + fmt::format("{}", fmt::join(doubt.names, " "));
    case DoubtKind::not_computed:
      return fmt::format(
          "Results of {} are not computed: only the order of declared accesses is "
          "checked.",
          names);
    case DoubtKind::unchecked:
      return fmt::format("Not checked, as the file says: {}. Give {} a tolerance or a reference.",
                         names, one ? "it" : "them");
    case DoubtKind::other_processes:
      return fmt::format("The GPU was shared: {}. End {} and run again.", names,
                         one ? "it" : "them");
    case DoubtKind::throttled:
      return fmt::format(
          "The GPU throttled ({}). Lock lower clocks, nvidia-smi -lgc MHZ, and run again.", names);
    case DoubtKind::clock_moved:
      return fmt::format(
          "The SM clock went from {:.0f} to {:.0f} MHz. Lock it, nvidia-smi -lgc {:.0f}, and run "
          "again.",
          doubt.from, doubt.to, std::min(doubt.from, doubt.to));
    case DoubtKind::slow_host:
      return fmt::format("Other work slowed the host's core down on {}. End it and run again.",
                         names);
    case DoubtKind::few_rounds:
      return fmt::format("Too few {} for all intervals on {}. Add {}.",
                         doubt.to > 1 ? "processes" : "rounds", names, more());
    case DoubtKind::wide_intervals:
      return fmt::format("Intervals are up to {:.0f}% wide each way on {}. Add {}.",
                         100 * doubt.from, names, more());
    case DoubtKind::wrong_regime:
      return fmt::format(
          "{} {}. See trilane show --bounds.", names,
          one ? "does not have its expected bottleneck" : "do not have their expected bottlenecks");
    case DoubtKind::drift:
      return fmt::format("Times drift within a process: {}. Figures are means.",
                         fmt::join(doubt.names, "; "));
    case DoubtKind::several_modes:
      return fmt::format("Times jump: {}. Figures are means.", fmt::join(doubt.names, "; "));
    case DoubtKind::one_process:
      return "Intervals cover this process; others may differ by more. Add --processes 5.";
  }
  return "";
}

}  // namespace trilane
