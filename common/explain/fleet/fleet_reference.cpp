#include "common/explain/fleet/fleet_reference.hpp"

#include "common/base/json/json_values.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/fleet/fleet_parts.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

/// Returns a number with five digits, which are enough for a distribution.
double rounded(double value) { return std::stod(fmt::format("{:.5g}", value)); }

/// Returns the distribution of values of at least two machines, see odd_values().
ReferenceFigure distribution_of(const std::string& name, const std::vector<LogMean>& values,
                                double alarms) {
  const auto odd = odd_values(values, alarms, FleetRequest{}.differs_from);
  std::vector<double> logs, variances;
  for (std::size_t i = 0; i < values.size(); ++i) {
    variances.push_back(values[i].variance);
    if (!includes(odd, i)) logs.push_back(values[i].mean);
  }
  const LogMean all = mean_of_draws(logs);
  return {name, static_cast<std::uint32_t>(logs.size()), rounded(std::exp(all.mean)),
          rounded(std::sqrt(all.variance * static_cast<double>(logs.size()))),
          rounded(std::sqrt(median(variances)))};
}

const std::string& name_of(const FleetValue& value) {
  return value.variant.empty() ? value.cost : value.variant;
}

/// A figure that a run shares with a reference.
struct Shared {
  const ReferenceWork* work;
  const ReferenceFigure* figure;
  LogMean own;
};

std::vector<Shared> shared_by(const FleetReference& reference, const FleetRun& run) {
  std::vector<Shared> shared;
  for (const FleetValue& value : run.values) {
    const auto own = std::ranges::find(run.works, value.work, &FleetWork::key);
    const auto work = std::ranges::find(reference.works, own->work, &ReferenceWork::work);
    if (work == reference.works.end()) continue;
    const auto figure = std::ranges::find(work->figures, name_of(value), &ReferenceFigure::name);
    if (figure != work->figures.end()) shared.push_back({&*work, &*figure, value.log});
  }
  return shared;
}

std::string more(double ratio) { return fmt::format("{:+.1f}%", 100 * (ratio - 1)); }

/// Judges a figure and adds its row; in a share of `alarms` of normal machines it is odd.
void judge(const Shared& shared, double alarms, Judged& judged) {
  const auto& [name, machines, mean_us, spread, error] = *shared.figure;
  const double n = machines, noisier = std::max(0.0, shared.own.variance - error * error);
  const LogMean next{0, spread * spread * (1 + 1 / n) + noisier, n - 1};  // one more machine
  const Ratio range = interval_of(next), wide = interval_of(next, 1 - alarms);
  const double us = std::exp(shared.own.mean), ratio = us / mean_us;
  const double beyond = std::max(ratio / range.high, range.low / ratio);
  const bool differs = std::abs(std::log(ratio)) > std::log1p(FleetRequest{}.differs_from);
  const bool is_odd = differs && (ratio < wide.low || ratio > wide.high);
  std::string said = "normal";
  if (differs && beyond > 1) {
    said = fmt::format("{}: {:.1f}% {} than 95%", is_odd ? "odd" : "outside", 100 * (beyond - 1),
                       ratio > 1 ? "slower" : "faster");
    ++judged.outside;
  }
  std::get<Table>(judged.page.back())
      .rows.push_back({name, short_time(us), short_time(mean_us), more(ratio),
                       more(range.low) + " to " + more(range.high), fmt::to_string(machines),
                       said});
  if (!is_odd) return;
  judged.odd.push_back(fmt::format("{} on {} {}", name, shared.work->workload, more(ratio)));
  judged.slower_by = std::max(judged.slower_by, ratio / range.high - 1);
}

}  // namespace

FleetReference reference_of(const std::vector<FleetRun>& runs) {
  FleetReference reference{value_of(runs.at(0).context.gpu, "name"), 0, {}};
  std::vector<FleetMachine> machines;
  const Places places = machines_of(runs, machines);
  const auto is_other = [&](const FleetMachine& machine) { return machine.gpu != reference.gpu; };
  if (machines.size() < 2 || std::ranges::any_of(machines, is_other)) {
    throw UsageError("--as-reference: give files of several machines with one kind of GPU");
  }
  reference.machines = static_cast<std::uint32_t>(machines.size());
  std::map<std::string, std::map<std::string, Times>> works;  // by figure and machine
  std::map<std::string, std::string> words;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (const FleetWork& work : runs[i].works) words[work.key] = work.work;
    for (const FleetValue& value : runs[i].values) {
      works[value.work][name_of(value)][std::to_string(places[i])].push_back(value.log);
    }
  }
  double figures = 0;
  for (const auto& [key, of] : works) figures += static_cast<double>(of.size());
  const double alarms = FleetRequest{}.false_alarms / figures;
  for (const auto& [key, label] : shared_works(runs)) {
    ReferenceWork& known = reference.works.emplace_back(ReferenceWork{label, words[key], {}});
    for (const auto& [name, by_machine] : works[key]) {
      std::vector<LogMean> values;
      for (const auto& [machine, times] : by_machine) values.push_back(averaged(times));
      if (values.size() > 1) known.figures.push_back(distribution_of(name, values, alarms));
    }
  }
  return reference;
}

Judged judged_by(const FleetReference& reference, const FleetRun& run) {
  Judged judged;
  const std::vector<Shared> shared = shared_by(reference, run);
  judged.figures = shared.size();
  const auto n = static_cast<double>(shared.size());
  const ReferenceWork* work = nullptr;
  for (const Shared& one : shared) {
    if (std::exchange(work, one.work) != one.work) {
      judged.page.push_back(Heading{work->workload, "beside the mean of other machines"});
      Table table{{"figure", ">us", ">mean us", ">to mean", "range of 95%", ">GPUs", "judged"}, {}};
      judged.page.push_back(std::move(table));
    }
    judge(one, FleetRequest{}.false_alarms / n, judged);
  }
  const std::string gpu = value_of(run.context.gpu, "name");
  if (gpu != reference.gpu) judged.page.push_back(Bullet{"Another kind of GPU: " + gpu + "."});
  judged.page.push_back(Paragraph{fmt::format(
      "{}; in at most 1% of normal machines one would be. {} beside {} {}: {} of {} figures are "
      "outside the range of 95% of machines, and more than 1% from the mean; at most {:.0f} of a "
      "normal machine would be, on average. Ranges are as wide as so few machines make them "
      "(Student's t).",
      judged.odd.empty() ? "None is odd" : "Odd: " + shortened(judged.odd, 10), run.file,
      reference.machines, reference.gpu, judged.outside, judged.figures, 0.05 * n)});
  return judged;
}

std::string to_json(const FleetReference& reference) {
  return pretty(document_of(reference_schema, reference), OneLine::texts);
}

}  // namespace trilane
