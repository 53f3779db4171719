#include "common/explain/fleet/history.hpp"

#include "common/base/json/document.hpp"
#include "common/base/json/json_values.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/fleet/fleet_parts.hpp"

namespace trilane {
namespace {

/// Returns "runs/a.json" for "runs/a.json GPU 1".
std::string without_gpu(const std::string& file) {
  const std::size_t end = file.find_last_not_of("0123456789");
  constexpr std::string_view mark = " GPU ";
  const bool numbered = end != std::string::npos && end + 1 < file.size() &&
                        std::string_view(file).substr(0, end + 1).ends_with(mark);
  return numbered ? file.substr(0, end + 1 - mark.size()) : file;
}

/// Returns the commit of each run, and adds their names.
Places commits_of(const std::vector<FleetRun>& runs, std::vector<std::string>& names) {
  const std::string& first = runs.front().context.git_revision;
  const bool one = std::ranges::all_of(
      runs, [&](const FleetRun& run) { return run.context.git_revision == first; });
  Places places;
  std::string latest;  // what tells it from the next one: a path, without the GPU's number
  for (const FleetRun& run : runs) {
    const std::string name = one || run.context.git_revision.empty()
                                 ? std::string(std::filesystem::path(run.file).filename())
                                 : run.context.git_revision;
    const std::string id = one || run.context.git_revision.empty() ? without_gpu(run.file) : name;
    const bool is_new = std::exchange(latest, id) != id || names.empty();
    if (is_new) names.push_back(name);
    places.push_back(names.size() - 1);
  }
  return places;
}

/// A step of one figure.
struct FigureStep {
  std::string figure;
  LevelStep step;  ///< in commits
};

/// Adds the figure's curve, and returns its steps.
std::vector<FigureStep> judged(const std::string& name, const FleetTimes& figure, double alarms,
                               History& history) {
  std::vector<double> values;
  std::vector<std::size_t> commits;
  HistoryCurve curve{name, std::vector<double>(history.commits.size())};
  const std::vector<LogMean> times = relative_times(figure);
  for (const auto& [commit, of] : figure.places) {
    values.push_back(times[values.size()].mean);
    commits.push_back(commit);
    curve.relative[commit] = std::exp(values.back());
  }
  history.curves.push_back(std::move(curve));
  std::vector<FigureStep> found;
  for (LevelStep step : steps_of(values, alarms, history.differs_from)) {
    for (std::size_t* place : {&step.since, &step.earliest, &step.latest}) *place = commits[*place];
    found.push_back({name, step});
  }
  return found;
}

/// Joins steps of several figures that can be one change; the clearest one says where it is.
std::vector<HistoryChange> joined(std::vector<FigureStep> steps, const History& history) {
  std::ranges::stable_sort(steps, std::greater(),
                           [](const FigureStep& of) { return of.step.strength; });
  std::vector<std::pair<LevelStep, HistoryChange>> changes;
  for (const auto& [figure, step] : steps) {
    const auto known = std::ranges::find_if(changes, [&](const auto& change) {
      return step.earliest <= change.first.latest && change.first.earliest <= step.latest;
    });
    if (known == changes.end()) {
      const auto& commits = history.commits;
      changes.push_back({step,
                         {.before = commits[step.since - 1],
                          .since = commits[step.since],
                          .earliest = commits[step.earliest],
                          .latest = commits[step.latest],
                          .figures = {{figure, std::exp(step.by)}}}});
    } else {
      known->second.figures.push_back({figure, std::exp(step.by)});
    }
  }
  std::ranges::sort(changes, {}, [](const auto& change) { return change.first.since; });
  std::vector<HistoryChange> found;
  for (auto& [step, change] : changes) {
    std::ranges::stable_sort(change.figures, std::greater(), [](const OddFigure& figure) {
      return std::abs(std::log(figure.ratio));
    });
    found.push_back(std::move(change));
  }
  return found;
}

std::string verdict_of(const History& history) {
  return fmt::format(
      "{}: {}. In at most {} of such histories without a change one would be named: {} are judged "
      "together. A change is named if it is at least {} and lasts for three commits.",
      counted(history.commits.size(), "commit"), counted(history.changes.size(), "change"),
      percent(history.false_alarms), counted(history.curves.size(), "figure"),
      percent(history.differs_from));
}

std::string in_words(const HistoryChange& change) {
  const std::vector<std::string> parts = transformed(change.figures, difference_in_words);
  std::string text =
      fmt::format("Between {} and {}: {}.", change.before, change.since, shortened(parts, 8));
  if (change.earliest != change.latest) {
    text += fmt::format(" The first commit with the new times may be any from {} to {}.",
                        change.earliest, change.latest);
  }
  return text;
}

}  // namespace

History history_of(const std::vector<FleetRun>& runs, std::vector<LeftOut> left_out,
                   const FleetRequest& request) {
  History history{.false_alarms = request.false_alarms,
                  .differs_from = request.differs_from,
                  .left_out = std::move(left_out)};
  const Places places = commits_of(runs, history.commits);
  const Labels labels = shared_works(runs);
  for (const FleetRun& run : runs) note_left_out(run, labels, history.left_out);
  const Figures figures = figures_of(runs, places, labels);
  const double alarms = request.false_alarms / static_cast<double>(figures.size());
  std::vector<FigureStep> steps;
  for (const auto& [name, figure] : figures) {
    std::ranges::move(judged(name, figure, alarms, history), std::back_inserter(steps));
  }
  history.changes = joined(std::move(steps), history);
  history.verdict = verdict_of(history);
  return history;
}

Page history_page(const History& history) {
  Page page{Heading{"History", "times, new over old"}};
  for (const HistoryChange& change : history.changes) page.push_back(Bullet{in_words(change)});
  append(page, left_out_page(history.left_out));
  page.push_back(Paragraph{history.verdict});
  return page;
}

std::string to_json(const History& history) { return pretty(document_of(history_schema, history)); }

}  // namespace trilane
