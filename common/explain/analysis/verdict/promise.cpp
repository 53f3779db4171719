#include "common/explain/analysis/verdict/promise.hpp"

#include "common/explain/statistics/interval.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

constexpr double least_gain = 0.01;
constexpr std::size_t fewest_times = 3;  // for mean_of_series()

struct Side {
  LogMean mean;  ///< of the logarithm of the mean time
  std::vector<TimeMode> modes;
};
using Sides = std::map<std::uint32_t, Side>;  // by process

std::vector<double> all_of(const ByProcess& processes) {
  std::vector<double> all;
  for (const auto& [process, times] : processes) all.insert(all.end(), times.begin(), times.end());
  return all;
}

ByProcess iterations_of(const Comparison& comparison) {
  ByProcess times;
  if (!comparison.watched) return times;
  for (const WatchedTime& time : comparison.watched->times) {
    const double us = time.us - comparison.watched->cupti_us;
    if (us > 0) times[time.process].push_back(us);
  }
  for (auto& [process, of_process] : times) drop_interrupted(of_process);
  return times;
}

Sides sides_of(const ByProcess& times, const ByProcess& single) {
  Sides sides;
  for (const auto& [process, of_process] : times) {
    if (of_process.size() < fewest_times) continue;
    sides[process] = {log_of_mean(of_process), modes_of(single.at(process))};
  }
  return sides;
}

Sides sides_of(const Measurement& m) {
  return sides_of(by_process(turn_means(m.samples)), uninterrupted_us(m.samples));
}

/// Errors of the logarithm of a ratio, one each way.
struct Reach {
  double down = 0, up = 0;
};

Reach reach_of(const Side& side) {
  return {side.mean.mean - std::log(side.modes.front().mean),
          std::log(side.modes.back().mean) - side.mean.mean};
}

/// Combines the errors that one process shows with the known differences between processes.
Reach one_process(const Side& candidate, const Side& application) {
  const double logs = candidate.mean.mean - application.mean.mean;
  const Ratio own = interval_of(difference(candidate.mean, application.mean));
  const double known = std::log(own.high) - logs;
  const double all = std::hypot(known, 1.96 * between_processes);
  const bool modes = candidate.modes.size() > 1 || application.modes.size() > 1;
  if (!modes) return {all, all};
  const Reach of = reach_of(candidate), over = reach_of(application);
  return {std::hypot(all, of.down, over.up), std::hypot(all, of.up, over.down)};
}

struct Trio {
  double application = 0, calls = 0, candidate = 0;  ///< in microseconds
  /// Returns the candidate's time plus what the application takes beyond its replay.
  double with_the_rest() const { return candidate + std::max(0.0, application - calls); }
};

double geometric(const std::vector<Trio>& trios, auto time) {
  return std::exp(mean(transformed(trios, [&](const Trio& trio) { return std::log(time(trio)); })));
}

}  // namespace

std::optional<ApplicationGain> gain_of(const Comparison& comparison, const Measurement& candidate) {
  const Measurement* const calls = find_reference(comparison);
  if (calls == nullptr || calls->samples.empty()) return std::nullopt;
  const ByProcess iterations = iterations_of(comparison);
  const Sides application = sides_of(iterations, iterations), same = sides_of(*calls),
              change = sides_of(candidate);
  std::vector<Trio> trios;
  std::vector<double> logs;
  Reach reach;
  for (const auto& [process, side] : application) {
    if (!same.contains(process) || !change.contains(process)) continue;
    trios.push_back({std::exp(side.mean.mean), std::exp(same.at(process).mean.mean),
                     std::exp(change.at(process).mean.mean)});
    logs.push_back(std::log(trios.back().with_the_rest() / trios.back().application));
    reach = one_process(change.at(process), side);
  }
  if (trios.empty()) return std::nullopt;
  if (logs.size() > 1) {
    const LogMean all = as_of_another_run(mean_of_draws(logs));
    const double half = std::log(interval_of(all).high) - all.mean;
    reach = {half, half};
  }
  ApplicationGain gain;
  gain.application_us = geometric(trios, [](const Trio& t) { return t.application; });
  gain.calls_us = geometric(trios, [](const Trio& t) { return t.calls; });
  gain.candidate_us = geometric(trios, [](const Trio& t) { return t.with_the_rest(); });
  const double in_replay = geometric(trios, [](const Trio& t) { return t.candidate / t.calls; });
  const double estimate = gain.candidate_us / gain.application_us;
  gain.ratio = {estimate, std::min(estimate, in_replay) * std::exp(-reach.down),
                estimate * std::exp(reach.up),
                logs.size() > 1 ? Covers::processes : Covers::rounds};
  gain.kept = gain.ratio.high < 1 && gain.ratio.estimate <= 1 - least_gain;
  return gain;
}

std::vector<double> application_times(const Comparison& comparison) {
  return all_of(iterations_of(comparison));
}

std::optional<Drift> application_drift(const Comparison& comparison) {
  for (const auto& [process, times] : iterations_of(comparison)) {
    if (const auto drift = drift_of(times)) return drift;
  }
  return std::nullopt;
}

std::vector<TimeMode> modes_of(const Measurement& m) {
  const std::vector<double> passes = all_of(uninterrupted_us(m.samples));
  return passes.empty() ? std::vector<TimeMode>() : modes_of(passes);
}

}  // namespace trilane
