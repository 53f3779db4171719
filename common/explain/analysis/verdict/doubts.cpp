#include "common/explain/analysis/verdict/derive.hpp"

#include "common/base/text/words.hpp"
#include "common/explain/analysis/verdict/promise.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/model/results/clock_limiter.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

constexpr double flicker = 0.02;  // clocks differ by less between readings
constexpr double wide = 0.03;     // of an interval, each way

using Names = std::vector<std::string>;

const char* it_or_them(const Names& names) { return names.size() == 1 ? "it" : "them"; }

std::vector<ClockLimiter> limiters_in(const std::vector<Property>& state) {
  return clock_limiters(value_of(state, "clocks_limited_by"));
}

std::string throttled(const Context& context) {
  Names causes;
  for (const auto* state : {&context.gpu_before, &context.gpu_after}) {
    for (const ClockLimiter limiter : limiters_in(*state)) {
      if (throttles(limiter) && !includes(causes, name_of(limiter))) {
        causes.emplace_back(name_of(limiter));
      }
    }
  }
  if (causes.empty()) return "";
  return fmt::format(
      "The GPU throttled ({}). Lock lower clocks, nvidia-smi -lgc MHZ, and run again.",
      shortened(causes));
}

/// Returns the SM clock in MHz; 0 if it is unknown, or low because the GPU was idle.
double sm_clock(const std::vector<Property>& state) {
  const auto limiters = limiters_in(state);
  if (includes(limiters, ClockLimiter::idle)) return 0;
  return std::atof(value_of(state, "sm_clock_mhz").c_str());
}

std::string clock_moved(const Context& context) {
  const double before = sm_clock(context.gpu_before), after = sm_clock(context.gpu_after);
  if (!(before > 0 && after > 0 && std::abs(after / before - 1) > flicker)) return "";
  return fmt::format(
      "The SM clock went from {:.0f} to {:.0f} MHz. Lock it, nvidia-smi -lgc {:.0f}, and run "
      "again.",
      before, after, std::min(before, after));
}

std::string shared(const Names& other_processes) {
  if (other_processes.empty()) return "";
  return fmt::format("The GPU was shared: {}. End {} and run again.", shortened(other_processes),
                     it_or_them(other_processes));
}

template <typename Holds>
Names labels_if(const Results& results, Holds holds) {
  Names names;
  for (const Comparison& comparison : results.comparisons) {
    if (!holds(comparison)) continue;
    std::string name = comparison.placement ? in_list(comparison.workload.label())
                                            : label_among(comparison, results.comparisons);
    if (!includes(names, name)) names.push_back(std::move(name));
  }
  return names;
}

/// Returns the main comparisons, each once: graph, pool, and the best that keeps the stages.
std::vector<const Measurement*> compared_first(const Comparison& comparison) {
  const Winner* best = best_kept(comparison);
  std::vector<const Measurement*> all;
  for (const Measurement* m :
       {find_change(comparison, Change::graph), find_change(comparison, Change::pool),
        best ? find_variant(comparison, best->variant) : nullptr}) {
    if (m && !includes(all, m)) all.push_back(m);
  }
  return all;
}

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
bool has_slow_host(const Comparison& comparison) {
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

std::string slow_host(const Results& results) {
  const Names names = labels_if(results, has_slow_host);
  if (names.empty()) return "";
  return fmt::format("Other work slowed the host's core down on {}. End it and run again.",
                     shortened(names));
}

std::uint32_t processes_of(const Results& results) {
  return std::ranges::max(results.comparisons | std::views::transform(&Comparison::processes));
}

std::string narrower(std::uint32_t processes) {
  return processes > 1 ? fmt::format("--processes {}", 2 * processes) : "--time 20s";
}

bool any_ratio(const Comparison& comparison, auto holds) {
  return std::ranges::any_of(comparison.measurements,
                             [&](const Measurement& m) { return m.ratio && holds(*m.ratio); });
}

std::string few_rounds(const Results& results) {
  const Names names =
      labels_if(results, [](const Comparison& c) { return any_ratio(c, std::not_fn(decides)); });
  if (names.empty()) return "";
  const std::uint32_t processes = processes_of(results);
  return fmt::format("Too few {} for all intervals on {}. Add {}.",
                     processes > 1 ? "processes" : "rounds", shortened(names), narrower(processes));
}

std::string wide_intervals(const Results& results) {
  const Names names = labels_if(results, has_wide_intervals);
  if (names.empty()) return "";
  const double most = std::ranges::max(results.comparisons | std::views::transform(widest));
  return fmt::format("Intervals are up to {:.0f}% wide each way on {}. Add {}.", 100 * most,
                     shortened(names), narrower(processes_of(results)));
}

std::string wrong_regime(const Results& results) {
  const Names names =
      labels_if(results, [](const Comparison& c) { return c.regime_held == false; });
  if (names.empty()) return "";
  return fmt::format("{} {}. See trilane show --bounds.", shortened(names),
                     names.size() == 1 ? "does not have its expected bottleneck"
                                       : "do not have their expected bottlenecks");
}

std::string one_process(const Results& results) {
  const bool any = std::ranges::any_of(results.comparisons, [](const Comparison& c) {
    return c.processes == 1 && any_ratio(c, decides);
  });
  if (!any) return "";
  return "Intervals cover this process; others may differ by more. Add --processes 5.";
}

std::optional<Drift> first_drift(const Measurement& m) {
  for (const auto& [process, turns_us] : by_process(turn_means(m.samples))) {
    if (const auto drift = drift_of(turns_us)) return drift;
  }
  return std::nullopt;
}

/// Returns what `say` says of the times of the reference and of the main variants: "graph on
/// launch, 382 us or 442 us, in 60% and 40% of the passes"; `head` comes before that.
template <typename Say>
std::string about_times(const Results& results, const char* head, Say say) {
  Names parts;
  for (const Comparison& comparison : results.comparisons) {
    std::vector<const Measurement*> shown = compared_first(comparison);
    const Measurement* const reference = find_reference(comparison);
    if (reference && !includes(shown, reference)) shown.push_back(reference);
    for (const Measurement* m : shown) {
      const std::string said = was_timed(*m) ? say(*m) : "";
      if (said.empty()) continue;
      parts.push_back(fmt::format("{} on {}, {}", m->variant,
                                  label_among(comparison, results.comparisons), said));
    }
  }
  if (parts.empty()) return "";
  constexpr std::size_t most = 2;  // more are cut on a screen
  if (parts.size() > most) {
    parts[most] = fmt::format("and {} more", parts.size() - most);
    parts.resize(most + 1);
  }
  return fmt::format("{}: {}. Figures are means.", head, fmt::join(parts, "; "));
}

std::string drift_words(const Measurement& m) {
  const std::optional<Drift> drift = first_drift(m);
  return drift ? in_words(*drift) : "";
}

/// For times that drift, the values passed through are not modes.
std::string mode_words(const Measurement& m) {
  if (first_drift(m)) return "";
  const std::vector<TimeMode> modes = modes_of(m);
  return modes.size() > 1 ? in_words(modes, "passes") : "";
}

/// Names the outputs of pipelines whose file says that they are not checked, as "blur's noise".
std::string unchecked(const Results& results) {
  Names names;
  for (const Comparison& comparison : results.comparisons) {
    if (!comparison.workload.pipeline) continue;
    for (const BufferSpec& buffer : comparison.workload.pipeline->buffers) {
      if (buffer.check != Check::none) continue;
      names.push_back(fmt::format("{}'s {}", comparison.workload.name, buffer.name));
    }
  }
  if (names.empty()) return "";
  return fmt::format("Not checked, as the file says: {}. Give {} a tolerance or a reference.",
                     shortened(names), it_or_them(names));
}

std::string error_unknown(const Results& results) {
  for (const Comparison& comparison : results.comparisons) {
    for (const Measurement& m : comparison.measurements) {
      if (m.prediction && m.prediction->ratio_error) return "";
    }
  }
  return "The profile does not give the model's error, so no gain can be claimed.";
}

std::string not_modelled(const Results& results) {
  Names missing;
  for (const Comparison& comparison : results.comparisons) {
    for (const std::string& what : comparison.not_modelled) {
      if (!includes(missing, what)) missing.push_back(what);
    }
  }
  return missing.empty() ? "" : fmt::format("Not modelled: {}", fmt::join(missing, " "));
}

std::string not_computed(const Results& results) {
  const Names names = labels_if(results, [](const Comparison& comparison) {
    return comparison.workload.pipeline.has_value();
  });
  if (names.empty()) return "";
  return fmt::format(
      "Results of {} are not computed: only the order of declared accesses is checked.",
      shortened(names));
}

}  // namespace

std::vector<std::string> doubts_about_gpu(const Context& context) {
  Names doubts{shared(context.other_processes), throttled(context), clock_moved(context)};
  std::erase(doubts, "");
  return doubts;
}

std::vector<std::string> doubts_about(const Results& results) {
  const Context& context = results.context;
  Names doubts;
  if (!context.simulated.empty()) {
    doubts = {error_unknown(results), not_modelled(results), not_computed(results)};
  } else {
    doubts = doubts_about_gpu(context);
    doubts.insert(doubts.begin(), unchecked(results));
    const Names lighter{slow_host(results),
                        few_rounds(results),
                        wide_intervals(results),
                        wrong_regime(results),
                        about_times(results, "Times drift within a process", drift_words),
                        about_times(results, "Times jump", mode_words),
                        one_process(results)};
    doubts.insert(doubts.end(), lighter.begin(), lighter.end());
  }
  std::erase(doubts, "");
  return doubts;
}

}  // namespace trilane
