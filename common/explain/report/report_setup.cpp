#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/analysis/verdict/verdict.hpp"
#include "common/explain/report/report.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {
namespace {

using Priced = std::vector<const Measurement*>;

Unit unit_for(const Priced& all) {
  double longest = 0;
  for (const Measurement* m : all) {
    longest = std::max({longest, summary_of(m->price->setup_us).q3, median(m->price->teardown_us),
                        median(m->price->passes_us.front())});
  }
  return unit_up_to(longest);
}

/// Returns the median difference in `unit`: "+12.3", "-4.56". "0" means within noise: the middle
/// half includes zero, or the median is below the clock's resolution.
std::string difference(const std::vector<double>& us, Unit unit) {
  constexpr double clock_us = 0.1;
  const Summary summary = summary_of(us);
  const bool around_zero = summary.q1 <= 0 && summary.q3 >= 0;
  if (around_zero || std::abs(summary.median) < clock_us) return "0";
  return (summary.median < 0 ? "-" : "+") + short_time(std::abs(summary.median) / unit.us);
}

std::string with_quartiles(const std::vector<double>& us, Unit unit) {
  const Summary summary = summary_of(us);
  return fmt::format("{} [{}, {}]", short_time(summary.median / unit.us),
                     short_time(summary.q1 / unit.us), short_time(summary.q3 / unit.us));
}

/// Returns the extra time of the first pass after a set-up; "-" if there was only one.
std::string first_cell(const Price& price, Unit unit) {
  if (price.passes_us.size() < 2) return "-";
  std::vector<double> extra = price.passes_us.front();
  std::ranges::transform(extra, price.passes_us.back(), extra.begin(), std::minus<>());
  return difference(extra, unit);
}

std::string pays_cell(const Comparison& comparison, const Measurement& m) {
  if (m.variant == comparison.reference) return "reference";
  return m.break_even ? pays_text(*m.break_even) : "-";
}

std::string explanation(const Comparison& comparison, const Priced& all) {
  const auto setups = [](const Measurement* m) { return m->price->setup_us.size(); };
  const auto [fewest, most] = std::ranges::minmax(all, {}, setups);
  const std::string count = setups(fewest) == setups(most)
                                ? fmt::to_string(setups(most))
                                : fmt::format("{} to {}", setups(fewest), setups(most));
  const Workload& workload = comparison.workload;
  return fmt::format(
      "Set-up in {}, median [quartiles] of {}. Memory: device memory between passes; host buffers "
      "({}) are the same for all. First: extra time of the first pass; 0 means within noise. "
      "Break-even: passes until the extra set-up time is recovered, with {}; tear-down is not "
      "counted.",
      unit_for(all).name, count, format_bytes(workload.bytes + workload.result_total()),
      range_words(covers_of(comparison)).range);
}

Page price_table(const Comparison& comparison, const Priced& all) {
  const Unit unit = unit_for(all);
  Table table{{"variant", ">set-up", ">memory", ">first", ">tear-down", "break-even"},
              {},
              {">tear-down", ">first", ">memory"}};
  for (const Measurement* m : all) {
    const Price& price = *m->price;
    table.rows.push_back({m->variant, with_quartiles(price.setup_us, unit),
                          format_bytes(median_bytes(price.device_bytes)), first_cell(price, unit),
                          short_time(median(price.teardown_us) / unit.us),
                          pays_cell(comparison, *m)});
  }
  return {Paragraph{explanation(comparison, all)}, std::move(table)};
}

constexpr double notable_share = 0.1;       // share of the set-up
constexpr std::ptrdiff_t fastest_told = 3;  // all of them would fill a page

/// Returns "capture 301, instantiate 1500": the phases that take a notable share of the set-up.
std::string phases_of(const Price& price, Unit unit) {
  std::vector<std::string> parts;
  const auto say = [&](const std::string& name, const std::vector<double>& us) {
    parts.push_back(fmt::format("{} {}", name, short_time(median(us) / unit.us)));
  };
  for (const Series& phase : price.phases) {
    if (median(phase.values) > notable_share * median(price.setup_us)) {
      say(phase.name, phase.values);
    }
  }
  if (!price.priming_us.empty() && difference(price.priming_us, unit) != "0") {
    say("first pass: pool priming", price.priming_us);
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

Priced reference_and_fastest(const Comparison& comparison, const Priced& all) {
  Priced others = all;
  const auto is_reference = [&](const Measurement* m) {
    return m->variant == comparison.reference;
  };
  std::erase_if(others, is_reference);
  std::ranges::stable_sort(others, {}, [](const Measurement* m) {
    return m->wall ? m->wall->mean : std::numeric_limits<double>::infinity();
  });
  if (std::ssize(others) > fastest_told) others.resize(fastest_told);
  Priced chosen = all;
  std::erase_if(chosen,
                [&](const Measurement* m) { return !is_reference(m) && !includes(others, m); });
  return chosen;
}

void add_phases(Page& page, const Comparison& comparison, const Priced& all) {
  const Priced told = reference_and_fastest(comparison, all);
  std::vector<std::string> parts;
  for (const Measurement* m : told) {
    const std::string of_one = phases_of(*m->price, unit_for(all));
    if (!of_one.empty()) parts.push_back(fmt::format("{}: {}", m->variant, of_one));
  }
  if (parts.empty()) return;
  const bool some = told.size() < all.size();
  page.emplace_back(Bullet{fmt::format(
      "Most of the set-up{}{}: {}.", some ? ", of the fastest" : "",
      some && !comparison.reference.empty() ? " and the reference" : "", fmt::join(parts, "; "))});
}

/// Returns "pool used 8 KiB of 32 MiB reserved"; empty if that is the memory in the table.
std::string pool_memory(const Measurement& m) {
  const std::uint64_t held = median_bytes(m.price->device_bytes);
  const std::uint64_t reserved = m.price->pool_reserved_high_bytes.value_or(0);
  const std::uint64_t used = m.price->pool_used_high_bytes.value_or(0);
  const std::uint64_t graph = m.price->graph_reserved_bytes.value_or(0);
  if (graph > 0 && graph != held) {
    return fmt::format("{} has {} of graph memory", m.variant, format_bytes(graph));
  }
  if (reserved == 0 || (used == reserved && reserved == held)) return "";
  std::string text = fmt::format("{} used {} of {} reserved", m.variant, format_bytes(used),
                                 format_bytes(reserved));
  if (held == 0) text += " and released all of it";
  if (held > 0 && held < reserved) text += " and released " + format_bytes(reserved - held);
  return text;
}

void add_pools(Page& page, const Priced& all) {
  std::vector<std::string> parts;
  for (const Measurement* m : all) {
    if (std::string memory = pool_memory(*m); !memory.empty()) parts.push_back(std::move(memory));
  }
  if (parts.empty()) return;
  page.push_back(Bullet{fmt::format("Pools: {}.", fmt::join(parts, "; "))});
}

void add_crossings(Page& page, const Comparison& comparison) {
  std::vector<std::string> parts;
  for (const Measurement& m : comparison.measurements) {
    if (!m.break_even || !m.break_even->crossing || !m.break_even->passes) continue;
    const Crossing& real = *m.break_even->crossing;
    const std::string result =
        !real.passes
            ? fmt::format("not reached in {}", real.run)
            : fmt::format("measured {} [{}, {}] ({:+.0f}%)", passes_text(*real.passes),
                          passes_text(real.low.value_or(0)),
                          real.high ? passes_text(*real.high) : fmt::format(">{}", real.run),
                          100 * (*m.break_even->passes / *real.passes - 1));
    parts.push_back(
        fmt::format("{} predicted {}, {}", m.variant, passes_text(*m.break_even->passes), result));
  }
  if (parts.empty()) return;
  page.push_back(
      Bullet{fmt::format("Break-even by real sequences of passes: {}.", fmt::join(parts, "; "))});
}

Page unpriced(const Comparison& comparison) {
  std::vector<std::string> parts;
  for (const Measurement& m : comparison.measurements) {
    if (m.status != Status::ok) continue;
    parts.push_back(
        fmt::format("{} {} ({})", m.variant, format_us(m.setup_us), format_us(m.first_pass_us)));
  }
  if (parts.empty()) return {Paragraph{"No variant was set up."}};
  return {Paragraph{
      fmt::format("Set-up in us, once each (and the first pass): {}.", fmt::join(parts, ", "))}};
}

}  // namespace

std::string pays_text(const BreakEven& break_even) {
  const auto text = [&](const auto& passes) { return passes_text(passes, break_even.pays); };
  std::string pays = (break_even.pays == Pays::at_first ? "first " : "") + text(break_even.passes);
  if (break_even.pays == Pays::at_once) pays = "at once";
  const bool sure = break_even.low == break_even.high && break_even.low == break_even.passes;
  const bool in_words = break_even.pays == Pays::at_once || break_even.pays == Pays::never;
  if (in_words && sure) return pays;
  return fmt::format("{} [{}, {}]", pays, text(break_even.low), text(break_even.high));
}

Page setup_page(const Comparison& comparison) {
  Page page{Heading{comparison.workload.label() + ", set-up", comparison.workload.shape()}};
  Priced all;
  for (const Measurement& m : comparison.measurements) {
    if (m.status == Status::ok && m.price && !m.price->setup_us.empty()) all.push_back(&m);
  }
  if (all.empty()) {
    append(page, unpriced(comparison));
    return page;
  }
  append(page, price_table(comparison, all));
  add_phases(page, comparison, all);
  add_pools(page, all);
  add_crossings(page, comparison);
  return page;
}

}  // namespace trilane
