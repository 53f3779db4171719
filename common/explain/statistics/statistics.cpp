#include "common/explain/statistics/statistics.hpp"

#include "common/explain/statistics/interval.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

double valid(double us, double Sample::*clock) {
  const bool wall = clock == &Sample::wall_us;
  if (std::isfinite(us) && us >= 0 && (us > 0 || !wall)) return us;
  throw std::invalid_argument(fmt::format("a mean from a {}time of {}", wall ? "wall " : "", us));
}

ByProcess valid_times(std::span<const Sample> samples, double Sample::*clock) {
  ByProcess times;
  for (const Sample& sample : samples) {
    times[sample.process].push_back(valid(sample.*clock, clock));
  }
  return times;
}

std::vector<double> sorted(std::span<const double> values) {
  if (values.empty()) throw std::invalid_argument("there are no values to summarise");
  for (const double value : values) {
    if (!std::isfinite(value)) {
      throw std::invalid_argument(fmt::format("a value to summarise is {}", value));
    }
  }
  std::vector<double> result(values.begin(), values.end());
  std::ranges::sort(result);
  return result;
}

double sorted_quantile(std::span<const double> values, double q) {
  if (!(q >= 0 && q <= 1)) throw std::invalid_argument(fmt::format("quantile {}", q));
  const double position = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const auto above = std::min(below + 1, values.size() - 1);
  const double part = position - static_cast<double>(below);
  return values[below] + part * (values[above] - values[below]);
}

std::string flaw(std::span<const Sample> samples) {
  for (std::size_t i = 0; i < samples.size(); ++i) {
    for (const auto& [name, us] : {std::pair{"submit_us", samples[i].submit_us},
                                   {"device_us", samples[i].device_us},
                                   {"wall_us", samples[i].wall_us}}) {
      if (!(std::isfinite(us) && us >= 0)) {
        return fmt::format("not a valid time: {} of sample {} is {}", name, i, us);
      }
    }
    if (!(samples[i].wall_us > 0)) return fmt::format("the wall time of sample {} is 0", i);
  }
  return {};
}

void summarise(Measurement& m) {
  m.submit = m.device = m.wall = std::nullopt;
  m.ratio = std::nullopt;
  if (m.status != Status::ok || m.samples.empty()) return;
  m.message = flaw(m.samples);
  if (!m.message.empty()) {
    m.status = Status::failed;
    return;
  }
  const auto summary = [&](double Sample::*clock) {
    Summary found = summary_of(transformed(m.samples, clock));
    found.mean = pass_us(m.samples, clock);
    return found;
  };
  m.submit = summary(&Sample::submit_us);
  m.device = summary(&Sample::device_us);
  m.wall = summary(&Sample::wall_us);
}

/// Returns the distance of each pair from the ratio of the means, relative to it. Their mean is 0,
/// and its variance is that of the ratio's logarithm (Cochran, Sampling Techniques, 1977).
std::vector<double> residuals(std::span<const double> over, std::span<const double> under) {
  const double above = mean(over), below = mean(under);
  std::vector<double> found;
  for (std::size_t i = 0; i < over.size(); ++i) {
    found.push_back(over[i] / above - under[i] / below);
  }
  return found;
}

/// In one process, common influences on both variants cancel in a round.
LogMean paired(std::span<const double> over, std::span<const double> under) {
  LogMean found = plain_mean_of_series(residuals(over, under));
  found.mean = std::log(mean(over) / mean(under));
  return found;
}

std::vector<double> logarithms(std::span<const double> ratios) {
  return transformed(ratios, [](double ratio) { return std::log(ratio); });
}

std::optional<double> larger_error(const Prediction& one, const Prediction& other) {
  if (!one.ratio_error || !other.ratio_error) return std::nullopt;
  return std::max(*one.ratio_error, *other.ratio_error);
}

/// The logarithm of a pass's time; its variance is unknown with too few rounds of one process.
struct RunSide {
  double log;
  std::optional<LogMean> known{};
  Covers covers = Covers::rounds;
};

RunSide side_of(std::span<const Sample> samples) {
  if (samples.empty()) throw std::invalid_argument("a ratio from no samples");
  const auto times = by_process(turn_means(samples));
  const double log = std::log(pass_us(samples));
  if (times.size() > 1) return {log, mean_over_processes(times), Covers::processes};
  const std::vector<double>& turns = times.begin()->second;
  if (turns.size() < fewest_rounds) return {log};
  return {log, log_of_mean(turns)};
}

/// The mean logarithm of runs' times, and the sum of their squared distances from it.
struct RunTimes {
  double mean = 0, squares = 0, count = 0;
};

RunTimes run_times(std::span<const Sample> samples) {
  const auto logs = logarithms(means_of(by_process(turn_means(samples))));
  RunTimes times{mean(logs), 0, static_cast<double>(logs.size())};
  for (const double log : logs) times.squares += (log - times.mean) * (log - times.mean);
  return times;
}

}  // namespace

std::vector<TurnValue> turn_means(std::span<const Sample> samples, double Sample::*clock) {
  std::map<std::uint32_t, double> longest;  // of the uninterrupted passes of a process
  for (const auto& [process, us] : valid_times(samples, clock)) {
    longest[process] = interrupted_from * median(us);
  }
  std::map<Turn, std::pair<double, double>> sums;  // of times, and their number
  for (const Sample& sample : samples) {
    if (sample.*clock > longest.at(sample.process)) continue;
    auto& [sum, count] = sums[{sample.process, sample.round}];
    sum += sample.*clock;
    count += 1;
  }
  std::vector<TurnValue> means;
  for (const auto& [turn, of] : sums) means.push_back({turn, of.first / of.second});
  return means;
}

SharedTurns shared_turns(std::span<const Sample> variant, std::span<const Sample> reference) {
  const auto ours = turn_means(variant), theirs = turn_means(reference);
  const auto in_both = [](const auto& turns, const auto& others, std::vector<TurnValue>& found) {
    std::ranges::set_intersection(turns, others, std::back_inserter(found), {}, &TurnValue::turn,
                                  &TurnValue::turn);
  };
  SharedTurns shared;
  in_both(ours, theirs, shared.variant);
  in_both(theirs, ours, shared.reference);
  return shared;
}

void drop_interrupted(std::vector<double>& times) {
  if (times.empty()) return;
  std::erase_if(times,
                [longest = interrupted_from * median(times)](double us) { return us > longest; });
}

ByProcess uninterrupted_us(std::span<const Sample> samples) {
  ByProcess times = valid_times(samples, &Sample::wall_us);
  for (auto& [process, us] : times) drop_interrupted(us);
  return times;
}

ByProcess by_process(std::span<const TurnValue> turns) {
  ByProcess values;
  for (const auto& [turn, value] : turns) values[turn.first].push_back(value);
  return values;
}

std::vector<double> means_of(const ByProcess& processes) {
  return transformed(processes, [](const auto& process) { return mean(process.second); });
}

double pass_us(std::span<const Sample> samples, double Sample::*clock) {
  if (samples.empty()) throw std::invalid_argument("a mean of no samples");
  return middle_mean(means_of(by_process(turn_means(samples, clock))));
}

double quantile(std::span<const double> values, double q) {
  return sorted_quantile(sorted(values), q);
}

double median(std::span<const double> values) { return quantile(values, 0.5); }

double mean(std::span<const double> values) {
  return std::reduce(values.begin(), values.end()) / static_cast<double>(values.size());
}

std::size_t left_out_at_each_end(std::size_t n) {
  constexpr std::size_t fewest = 6;  // 5 would leave three, whose spread says little
  return n < fewest ? 0 : n / 4;
}

double middle_mean(std::span<const double> values) {
  const std::vector<double> all = sorted(values);
  const std::size_t out = left_out_at_each_end(all.size());
  return mean(std::span(all).subspan(out, all.size() - 2 * out));
}

std::uint64_t median_bytes(std::vector<std::uint64_t> sizes) {
  if (sizes.empty()) throw std::invalid_argument("a median of no sizes");
  std::ranges::sort(sizes);
  return sizes[(sizes.size() - 1) / 2];
}

std::map<std::uint32_t, double> process_times(std::span<const Sample> samples) {
  std::map<std::uint32_t, double> times;
  for (const auto& [process, us] : by_process(turn_means(samples))) times[process] = mean(us);
  return times;
}

Summary summary_of(std::span<const double> values) {
  const auto v = sorted(values);
  return {.mean = mean(v),
          .median = sorted_quantile(v, 0.5),
          .q1 = sorted_quantile(v, 0.25),
          .q3 = sorted_quantile(v, 0.75),
          .p99 = sorted_quantile(v, 0.99),
          .min = v.front()};
}

Ratio undecided(double estimate) { return {estimate, 0, 2 * std::max(1.0, estimate)}; }

std::vector<double> round_ratios(std::span<const Sample> variant,
                                 std::span<const Sample> reference) {
  const SharedTurns shared = shared_turns(variant, reference);
  std::vector<double> ratios;
  std::ranges::transform(shared.variant, shared.reference, std::back_inserter(ratios),
                         std::divides(), &TurnValue::value, &TurnValue::value);
  return ratios;
}

Ratio ratio_of(std::span<const double> round_ratios) {
  if (round_ratios.empty()) throw std::invalid_argument("a ratio of variants that share no round");
  const auto logs = logarithms(round_ratios);
  return logs.size() >= fewest_rounds ? interval_of(mean_of_series(logs))
                                      : undecided(std::exp(mean(logs)));
}

double expected_half_width(std::span<const double> round_ratios) {
  if (round_ratios.size() < fewest_rounds) return std::numeric_limits<double>::infinity();
  return expected_half_width_of_series(logarithms(round_ratios));
}

std::optional<Ratio> variant_ratio(std::span<const Sample> variant,
                                   std::span<const Sample> reference) {
  const SharedTurns shared = shared_turns(variant, reference);
  if (shared.variant.empty()) return std::nullopt;
  const auto over = by_process(shared.variant), under = by_process(shared.reference);
  const bool several = over.size() > 1;
  const std::vector<double>&above = over.begin()->second, &below = under.begin()->second;
  if (!several && above.size() < fewest_rounds) return undecided(mean(above) / mean(below));
  Ratio ratio = interval_of(
      several ? as_of_another_run(difference(mean_over_processes(over), mean_over_processes(under)))
              : paired(above, below));
  ratio.covers = several ? Covers::processes : Covers::rounds;
  return ratio;
}

double half_width(const Ratio& ratio) {
  const double width = std::max(ratio.high / ratio.estimate - 1, 1 - ratio.low / ratio.estimate);
  const bool usable = ratio.estimate > 0 && std::isfinite(ratio.high) && std::isfinite(ratio.low);
  return usable && width >= 0 ? width : std::numeric_limits<double>::infinity();
}

std::optional<Ratio> wall_ratio(const Measurement& m, const Measurement& base) {
  if (!m.prediction || !base.prediction) return variant_ratio(m.samples, base.samples);
  if (m.samples.empty() || base.samples.empty()) return std::nullopt;
  const double estimate = pass_us(m.samples) / pass_us(base.samples);
  if (const auto factor = larger_error(*m.prediction, *base.prediction)) {
    return Ratio{estimate, estimate / *factor, estimate * *factor, Covers::model_error};
  }
  Ratio ratio = undecided(estimate);
  ratio.covers = Covers::model_error;
  return ratio;
}

Ratio unpaired_ratio(std::span<const Sample> now, std::span<const Sample> before,
                     double confidence) {
  const RunSide above = side_of(now), below = side_of(before);
  if (!above.known || !below.known) return undecided(std::exp(above.log - below.log));
  Ratio ratio = interval_of(difference(*above.known, *below.known), confidence);
  if (above.covers == below.covers) ratio.covers = above.covers;
  return ratio;
}

Ratio ratio_over_runs(std::span<const Sample> now, std::span<const Sample> before,
                      double confidence) {
  const RunTimes is = run_times(now), was = run_times(before);
  const double freedom = is.count + was.count - 2, log = is.mean - was.mean;
  if (freedom < 1) return undecided(std::exp(log));
  const double variance = (is.squares + was.squares) / freedom;
  Ratio ratio = interval_of({log, variance * (1 / is.count + 1 / was.count), freedom}, confidence);
  ratio.covers = Covers::processes;
  return ratio;
}

void summarise(Comparison& comparison) {
  for (Measurement& m : comparison.measurements) summarise(m);
  const Measurement* reference = find_reference(comparison);
  if (!reference || !reference->wall) return;
  for (Measurement& m : comparison.measurements) {
    if (&m == reference || !m.wall) continue;
    m.ratio = wall_ratio(m, *reference);
  }
}

}  // namespace trilane
