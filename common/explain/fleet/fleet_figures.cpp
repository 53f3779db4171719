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

}  // namespace trilane
