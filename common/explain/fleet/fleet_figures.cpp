#include "common/explain/fleet/fleet_parts.hpp"

#include "common/explain/statistics/statistics.hpp"

namespace trilane {
namespace {

/// Returns the median over machines of each work's time.
std::map<std::string, double> centres_of(const FleetTimes& figure) {
  std::map<std::string, std::vector<double>> by_work;
  for (const auto& [place, times] : figure.places) {
    for (const auto& [work, of] : times) by_work[work].push_back(averaged(of).mean);
  }
  std::map<std::string, double> centres;
  for (const auto& [work, values] : by_work) centres[work] = median(values);
  return centres;
}

using Indices = std::vector<std::size_t>;

struct Rest {
  double mean = 0, variance = 0;
};

Rest rest_of(std::span<const LogMean> values, const Indices& indices) {
  const auto n = static_cast<double>(indices.size());
  Rest rest;
  for (const std::size_t i : indices) rest.mean += values[i].mean / n;
  for (const std::size_t i : indices) {
    rest.variance += (values[i].mean - rest.mean) * (values[i].mean - rest.mean) / (n - 1);
  }
  return rest;
}

/// Returns by how much each value's variance exceeds what is typical and therefore part of the
/// spread of all.
std::vector<double> excess_variances(std::span<const LogMean> values) {
  std::vector<double> excess = transformed(values, &LogMean::variance);
  const double typical = median(excess);
  for (double& variance : excess) variance = std::max(0.0, variance - typical);
  return excess;
}

/// Returns the distance in Student's t at which one of `count` values with the last of `removed`
/// differs: that of Rosner or, below 25 values, for which his is too small, one that holds for each
/// choice of the removed (Bonferroni).
double critical(std::size_t count, std::size_t removed, std::size_t most, double alarms) {
  const auto n = static_cast<double>(count), r = static_cast<double>(removed);
  double choices = n - r + 1;
  if (count < 25) {
    choices = r * static_cast<double>(most);
    for (double i = 0; i < r; ++i) choices *= (n - i) / (i + 1);
  }
  return -quantile_of({0, 1, n - r - 1}, alarms / (2 * choices));
}

}  // namespace

LogMean averaged(const std::vector<LogMean>& values) {
  LogMean all{0, 0, std::numeric_limits<double>::max()};
  const auto n = static_cast<double>(values.size());
  for (const LogMean& value : values) {
    all.mean += value.mean / n;
    all.variance += value.variance / n / n;
    all.freedom = std::min(all.freedom, value.freedom);
  }
  return all;
}

Labels shared_works(const std::vector<FleetRun>& runs) {
  std::map<std::string, std::pair<const FleetWork*, std::size_t>> counts;
  for (const FleetRun& run : runs) {
    for (const FleetWork& work : run.works) {
      auto& [first, count] = counts.try_emplace(work.key, &work, 0).first->second;
      ++count;
    }
  }
  Labels labels;
  std::map<std::string, int> uses;
  std::erase_if(counts, [&](const auto& of) { return 2 * of.second.second < runs.size(); });
  for (const auto& [key, of] : counts) ++uses[of.first->label];
  for (const auto& [key, of] : counts) {
    const FleetWork& work = *of.first;
    labels[key] = uses[work.label] > 1 ? work.label + ", " + work.shape : work.label;
  }
  return labels;
}

void note_left_out(const FleetRun& run, const Labels& labels, std::vector<LeftOut>& left_out) {
  for (const FleetWork& work : run.works) {
    if (labels.contains(work.key)) continue;
    left_out.push_back({run.file, fmt::format("{}: most files do not have this work ({})",
                                              work.label, work.shape)});
  }
  for (const std::string& failure : run.failures) left_out.push_back({run.file, failure});
  if (run.values.empty()) left_out.push_back({run.file, "holds no times"});
}

Figures figures_of(const std::vector<FleetRun>& runs, const Places& places, const Labels& labels) {
  Figures figures;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (const FleetValue& value : runs[i].values) {
      const auto label = labels.find(value.work);
      if (label == labels.end()) continue;
      const bool cost = value.variant.empty();
      FleetTimes& figure = figures[cost ? value.cost : value.variant + " on " + label->second];
      figure.cost = cost;
      figure.places[places[i]][value.work].push_back(value.log);
    }
  }
  return figures;
}

std::vector<LogMean> relative_times(const FleetTimes& figure) {
  const auto centres = centres_of(figure);
  std::vector<LogMean> values;
  for (const auto& [place, times] : figure.places) {
    std::vector<LogMean> works;
    for (const auto& [work, of] : times) {
      works.push_back(averaged(of));
      works.back().mean -= centres.at(work);
    }
    values.push_back(averaged(works));
  }
  return values;
}

Indices odd_values(std::span<const LogMean> values, double alarms, double least) {
  if (values.size() < 3) return {};
  const std::vector<double> excess = excess_variances(values);
  const double margin = std::log1p(least);
  Indices kept(values.size()), removed;
  std::iota(kept.begin(), kept.end(), 0);
  Indices rest = kept;
  std::size_t odd = 0;
  const std::size_t most = std::max<std::size_t>(1, values.size() / 4);
  while (removed.size() < most) {
    const Rest all = rest_of(values, rest);
    const auto distance = [&](std::size_t i) {
      const double spread = std::sqrt(all.variance + excess[i]);
      return spread > 0 ? std::abs(values[i].mean - all.mean) / spread : 0;
    };
    const auto furthest = std::ranges::max_element(rest, {}, distance);
    removed.push_back(*furthest);
    rest.erase(furthest);
    const auto [mean, variance] = rest_of(values, rest);
    const double away = std::abs(values[removed.back()].mean - mean);
    const auto n = static_cast<double>(rest.size());
    const double error = std::sqrt(variance * (1 + 1 / n) + excess[removed.back()]);
    if (away > margin && away > error * critical(values.size(), removed.size(), most, alarms)) {
      odd = removed.size();
    }
  }
  removed.resize(odd);
  std::erase_if(kept, [&](std::size_t i) { return includes(removed, i); });
  const double others = rest_of(values, kept).mean;
  std::erase_if(removed,
                [&](std::size_t i) { return !(std::abs(values[i].mean - others) > margin); });
  return removed;
}

}  // namespace trilane
