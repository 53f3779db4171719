#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/analysis/verdict/derive.hpp"
#include "common/explain/analysis/verdict/loads.hpp"
#include "common/explain/analysis/verdict/pipelined.hpp"
#include "common/explain/report/report.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {
namespace {

Table table_of(const Comparison& comparison) {
  Table table{{"variant", ">wall, us", ">bound, us", ">efficiency", "bound by", "limited by"},
              {},
              {"limited by", "bound by"}};
  for (const Measurement& m : comparison.measurements) {
    if (!m.bound_us || !m.wall) continue;
    const std::optional<Limiter> limit = limitation_of(comparison, m).by;
    table.rows.push_back({m.variant, format_us(m.wall->mean), format_us(*m.bound_us),
                          fmt::format("{:.1f}%", 100 * *m.efficiency), name_of(*m.bound_by),
                          limit ? name_of(*limit) : ""});
  }
  return table;
}

std::string explanation(const Comparison& comparison) {
  const Limit& limit = *comparison.limit;
  std::string text = fmt::format(
      "A pass chunk by chunk takes at least {} us if everything overlaps, and {} us if nothing "
      "does",
      format_us(limit.bound_us), format_us(limit.serial_us));
  if (limit.one_engine_us) {
    text +=
        fmt::format("; {} us with one copy engine for both ways", format_us(*limit.one_engine_us));
  }
  return text +
         ". Efficiency: a variant's own bound, host submission included, over its wall time. "
         "Limited by: what takes most of the wall time.";
}

/// Returns "host submission 1370 us, copy in 450 us": what is busy during a pass, longest first.
std::string loads(const Comparison& comparison, const Measurement& m) {
  std::vector<Load> all = loads_of(comparison, m);
  std::ranges::stable_sort(all, std::greater(), &Load::us);
  std::vector<std::string> parts;
  for (const Load& load : all) {
    if (load.us > 0) parts.push_back(fmt::format("{} {} us", name_of(load.by), format_us(load.us)));
  }
  return listed(parts);
}

void add_outlooks(Page& page, const Comparison& comparison) {
  for (const Measurement& m : comparison.measurements) {
    const bool wins = includes(comparison.winners, m.variant, &Winner::variant);
    const Limitation limitation = limitation_of(comparison, m);
    if (!limitation.by || !(wins || m.variant == comparison.reference)) continue;
    std::string text = fmt::format(
        "{}, {} us a pass: {}. Limited by {}: {}.", m.variant, format_us(m.wall->mean),
        loads(comparison, m), *limitation.by == Limiter::sms ? "the SMs" : name_of(*limitation.by),
        limitation.figures);
    if (const std::optional<NextStep> step = next_step(comparison, m)) {
      text += fmt::format(" To try next: {}.", words_of(*step, comparison, m));
    }
    page.push_back(Bullet{text});
  }
}

void add_faster_passes(Page& page, const Comparison& comparison) {
  for (const Measurement& m : comparison.measurements) {
    if (!m.bound_by_rates_us) continue;
    page.push_back(
        Bullet{fmt::format("{}: a pass took {} us, less than the bound of {} us from measured "
                           "rates, so that pass is its bound.",
                           m.variant, format_us(*m.bound_us), format_us(*m.bound_by_rates_us))});
  }
}

/// Says what several GPUs gain, and how much they copy at once.
void add_split(Page& page, const Comparison& comparison) {
  if (!comparison.workload.gpus) return;
  const std::uint32_t gpus = comparison.workload.gpu_count();
  for (const Measurement& m : comparison.measurements) {
    if (!m.over_one_gpu) continue;
    page.push_back(Bullet{fmt::format("{}: {} times as fast as one GPU, scaling efficiency {}.",
                                      m.variant, speed_of_split(m), efficiency_of_split(m, gpus))});
  }
  if (exact_chunks(comparison.workload) < gpus) return;  // some copy no full chunk
  page.push_back(
      Bullet{fmt::format("{} GPUs copy {:.1f} GB/s in and {:.1f} out at once.", gpus,
                         comparison.limit->duplex_in_gbps, comparison.limit->duplex_out_gbps)});
}

void add_copies(Page& page, const Limit& limit) {
  if (!limit.copies_in || !limit.copies_out) return;
  page.push_back(Bullet{
      fmt::format("A copy in takes {} us and {} us per MiB, a copy out {} and {}.",
                  format_us(limit.copies_in->start_us), format_us(limit.copies_in->us_per_mib),
                  format_us(limit.copies_out->start_us), format_us(limit.copies_out->us_per_mib))});
}

void add_calls(Page& page, const Limit& limit) {
  if (!limit.calls_us) return;
  std::string text;
  for (const CallCost& call : *limit.calls_us) {
    text += fmt::format("{} {} {}", text.empty() ? "" : ",", call.name, format_us(call.us));
  }
  page.push_back(Bullet{"Host time of a call in us:" + text + "."});
}

void add_best_cut(Page& page, const Workload& workload, const Limit& limit) {
  if (!limit.best) return;
  constexpr double notable = 0.99;
  const std::uint32_t chunks = limit.best->chunks;
  if (limit.best->bound_us > notable * limit.bound_us) {
    page.push_back(Bullet{"No number of chunks would lower the overlapping bound by 1%."});
    return;
  }
  page.push_back(Bullet{
      fmt::format("{} of {} would lower the overlapping bound from {} to {} us, by the formula.",
                  counted(chunks, "chunk"), format_bytes(workload.bytes / chunks),
                  format_us(limit.bound_us), format_us(limit.best->bound_us))});
}

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

Page bounds_page(const Comparison& comparison) {
  Page page{Heading{comparison.workload.label() + ", limits", comparison.workload.shape()}};
  Table table = table_of(comparison);
  if (!comparison.limit || table.rows.empty()) {
    page.push_back(Paragraph{"No limit was measured."});
    return page;
  }
  page.push_back(Paragraph{explanation(comparison)});
  page.push_back(std::move(table));
  add_outlooks(page, comparison);
  add_faster_passes(page, comparison);
  add_split(page, comparison);
  if (!comparison.regime.empty()) page.push_back(Bullet{"Regime: " + comparison.regime + "."});
  add_best_cut(page, comparison.workload, *comparison.limit);
  add_copies(page, *comparison.limit);
  add_calls(page, *comparison.limit);
  return page;
}

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
