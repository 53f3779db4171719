#include <fmt/format.h>

#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/analysis/verdict/limitation.hpp"
#include "common/explain/analysis/verdict/loads.hpp"
#include "common/explain/analysis/verdict/split.hpp"
#include "common/explain/report/report.hpp"

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

/// Returns "host submission 1370 us, copy in 450 us": all that is busy during a pass, the longest
/// first.
std::string loads(const Comparison& comparison, const Measurement& m) {
  std::vector<Load> all = loads_of(comparison, m);
  std::ranges::stable_sort(all, std::greater(), &Load::us);
  std::vector<std::string> parts;
  for (const Load& load : all) {
    if (load.us > 0) parts.push_back(fmt::format("{} {} us", name_of(load.by), format_us(load.us)));
  }
  return listed(parts);
}

/// Adds what is busy with the reference and the winners, what limits them, and what to try.
void add_outlooks(Page& page, const Comparison& comparison) {
  for (const Measurement& m : comparison.measurements) {
    const bool wins = std::ranges::find(comparison.winners, m.variant, &Winner::variant) !=
                      comparison.winners.end();
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

/// Says what the best number of chunks would gain.
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

}  // namespace trilane
