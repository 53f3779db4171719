
#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/report/report.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {
namespace {

using Traced = std::vector<const Measurement*>;

Traced traced(const Comparison& comparison) {
  Traced found;
  for (const Measurement& m : comparison.measurements) {
    if (m.timeline && !m.timeline->event_us.empty()) found.push_back(&m);
  }
  return found;
}

std::string added(const Measurement& m) {
  const auto& untraced = m.timeline->untraced_us;
  if (!untraced || untraced->empty()) return "-";
  const double share = median(m.timeline->event_us) / median(*untraced) - 1;
  return fmt::format("{:+.0f}%", std::round(100 * share) + 0.0);  // no -0
}

Table times_of(const Traced& all) {
  double longest = 0;
  for (const Measurement* m : all) longest = std::max(longest, median(m->timeline->event_us));
  const Unit unit = unit_up_to(longest);
  Table table{{"variant", ">event time", ">before", ">operations", ">after", ">tracing adds"}, {}};
  for (const Measurement* m : all) {
    std::vector<std::string> row{m->variant};
    for (const auto* times : {&m->timeline->event_us, &m->timeline->before_us,
                              &m->timeline->span_us, &m->timeline->after_us}) {
      // The tracer's clock counts nanoseconds; smaller parts are rounding errors.
      row.push_back(short_time((std::round(median(*times) * 1e3) + 0.0) / 1e3 / unit.us));
    }
    row.push_back(added(*m));
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// Returns the share of the time of `of` during which `with` ran on another lane.
std::string overlap(const Timeline& timeline, std::string_view of, std::string_view with) {
  for (const TimelineOverlap& o : timeline.overlap) {
    if (o.of == of && o.with == with) return percent(o.share, 0);
  }
  return "-";
}

std::string busy(const Timeline& timeline, std::string_view engine) {
  const auto found = std::ranges::find(timeline.busy, engine, &TimelineBusy::engine);
  return found == timeline.busy.end() ? "-" : percent(found->share, 0);
}

std::string most_waited_for(const Timeline& timeline) {
  std::array<std::pair<double, const char*>, 4> causes{
      {{0, "the host"}, {0, "engines"}, {0, "stream order"}, {0, "-"}}};
  for (const TimelineWaits& waits : timeline.waits) {
    causes[0].first += waits.host_us;
    causes[1].first += waits.engine_us;
    causes[2].first += waits.dependency_us.value_or(0);
    causes[3].first += waits.latency_us;
  }
  return std::ranges::max(causes).second;
}

Table use_of(const Traced& all) {
  Table table{
      {"variant", ">in&out", ">in&kernel", ">set&kernel", ">in", ">compute", ">out", "waits for"},
      {},
      {">in&kernel"}};
  for (const Measurement* m : all) {
    const Timeline& t = *m->timeline;
    table.rows.push_back({m->variant, overlap(t, "copy in", "copy out"),
                          overlap(t, "copy in", "kernel"), overlap(t, "memset", "kernel"),
                          busy(t, "copy in"), busy(t, "compute"), busy(t, "copy out"),
                          most_waited_for(t)});
  }
  return table;
}

/// Returns how far event times differ from the parts in the trace, to check clocks and trace.
double disagreement_us(const Timeline& t) {
  std::vector<double> left;
  for (std::size_t i = 0; i < t.event_us.size(); ++i) {
    left.push_back(std::abs(t.event_us[i] - t.before_us[i] - t.span_us[i] - t.after_us[i]));
  }
  return median(left);
}

std::string agreement(const Traced& all) {
  std::vector<std::string> others;
  for (const Measurement* m : all) {
    const double us = disagreement_us(*m->timeline);
    const double allowed = std::max(1.0, 0.01 * median(m->timeline->event_us));
    if (!(us <= allowed)) others.push_back(fmt::format("{} by {}", m->variant, format_us(us)));
  }
  const std::string whole =
      fmt::format("Event times equal the sum of the parts, within 1 us or 1%, for {} of {}",
                  all.size() - others.size(), counted(all.size(), "variant"));
  return others.empty() ? whole + "."
                        : fmt::format("{}; not for {}.", whole, fmt::join(others, ", "));
}

}  // namespace

Page timeline_page(const Comparison& comparison, const std::string& simulated) {
  const Heading heading{comparison.workload.label() + ", traced", comparison.workload.shape()};
  const Traced all = traced(comparison);
  if (all.empty()) {
    return {heading, Paragraph{comparison.workload.origin() == Origin::recording
                                   ? "A replay is not traced: trilane report RECORDING and trilane "
                                     "diagnose RECORDING --trace FILE show the recorded iteration."
                                   : "Nothing was traced: run with --trace FILE."}};
  }
  const std::string what = simulated.empty() ? "Traced" : "Simulated " + simulated + ". Traced";
  return {
      heading,
      Paragraph{fmt::format(
          "{} passes in us, medians of {}: the time between two events around a pass, its parts "
          "before, during and after the operations on the device, and what tracing adds, compared "
          "with as many untraced passes before. These passes are used for no other figure.",
          what, all.front()->timeline->event_us.size())},
      times_of(all),
      Paragraph{agreement(all)},
      Paragraph{
          "Overlap: the share of the time of copies in (in) and memsets (set) during which copies "
          "out and kernels ran on other lanes. Then how busy the copy engines (in, out) and "
          "compute were; compute runs kernels, memsets, and copies too small for a copy engine. "
          "Waits for: what operations waited for most after the one before them on their lane had "
          "ended (-: small latencies, for which a trace shows no cause)."},
      use_of(all)};
}

}  // namespace trilane
