#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/options/size.hpp"
#include "common/results/markdown.hpp"
#include "common/results/report_parts.hpp"
#include "common/results/statistics.hpp"

namespace trilane {
namespace {

using Rows = std::vector<std::vector<std::string>>;
using Priced = std::vector<const Measurement*>;

constexpr double worth_a_word = 0.1;  // of the set-up

Priced priced(const Comparison& comparison) {
  Priced found;
  for (const Measurement& m : comparison.measurements) {
    if (m.status == Status::ok && m.price && !m.price->setup_us.empty()) found.push_back(&m);
  }
  return found;
}

double median(const std::vector<double>& values) { return quantile(values, 0.5); }

Unit unit_for(const Priced& all) {
  double longest = 0;
  for (const Measurement* m : all) {
    longest = std::max({longest, summary_of(m->price->setup_us).q3, median(m->price->teardown_us),
                        median(m->price->passes_us.front())});
  }
  return unit_up_to(longest);
}

std::string with_quartiles(const std::vector<double>& us, Unit unit) {
  const Summary summary = summary_of(us);
  return fmt::format("{} [{}, {}]", short_time(summary.median / unit.us),
                     short_time(summary.q1 / unit.us), short_time(summary.q3 / unit.us));
}

/// By set-up, what the first pass took more than the last of the first ones usually does.
std::vector<double> first_extra(const Price& price) {
  const double steady = median(price.passes_us.back());
  std::vector<double> extra = price.passes_us.front();
  for (double& us : extra) us -= steady;
  return extra;
}

/// Differences that no clock can tell from none have no sign.
std::string with_sign(double us, Unit unit) {
  if (std::abs(us) < 0.05) return "0";
  return (us < 0 ? "-" : "+") + short_time(std::abs(us) / unit.us);
}

std::string pays_cell(const Comparison& comparison, const Measurement& m) {
  if (m.variant == comparison.reference) return "reference";
  return m.break_even ? pays_text(*m.break_even) : "-";
}

std::string table_of(const Comparison& comparison, const Priced& all) {
  const Unit unit = unit_for(all);
  Rows rows;
  for (const Measurement* m : all) {
    const Price& price = *m->price;
    rows.push_back({m->variant, with_quartiles(price.setup_us, unit),
                    with_sign(median(first_extra(price)), unit),
                    short_time(median(price.teardown_us) / unit.us), pays_cell(comparison, *m)});
  }
  const Table all_columns{{{"variant", Align::left},
                           {"set-up", Align::right},
                           {"first", Align::right},
                           {"tear-down", Align::right},
                           {"pays after", Align::left}},
                          std::move(rows)};
  return markdown_table(fitted(all_columns, {"tear-down", "first"}));
}

std::string how_it_was_priced(const Priced& all) {
  std::size_t most = 0, fewest = SIZE_MAX;
  for (const Measurement* m : all) {
    most = std::max(most, m->price->setup_us.size());
    fewest = std::min(fewest, m->price->setup_us.size());
  }
  const std::string count =
      fewest == most ? fmt::to_string(most) : fmt::format("{} to {}", fewest, most);
  return fmt::format(
      "Set-up in {}, median [quartiles] of {}. First: what the first pass takes more than a later "
      "one. Pays after: passes until set-up and passes together take no longer than the "
      "reference's, with 95% interval; tear-down is not counted.",
      unit_for(all).name, count);
}

/// "capture 301, instantiate 1500": the phases that take a good part of the set-up.
std::string phases_of(const Price& price, Unit unit) {
  std::string text;
  const auto say = [&](const std::string& name, const std::vector<double>& us) {
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : ", ", name, short_time(median(us) / unit.us));
  };
  for (const Series& phase : price.phases) {
    if (median(phase.values) > worth_a_word * median(price.setup_us)) {
      say(phase.name, phase.values);
    }
  }
  if (!price.priming_us.empty() && with_sign(median(price.priming_us), unit) != "0") {
    say("first pass: pool priming", price.priming_us);
  }
  return text;
}

std::string phases(const Priced& all) {
  std::string text;
  for (const Measurement* m : all) {
    const std::string parts = phases_of(*m->price, unit_for(all));
    if (!parts.empty())
      text += fmt::format("{} {}: {}", text.empty() ? "" : ";", m->variant, parts);
  }
  return text.empty() ? "" : bullet("Most of it:" + text + ".");
}

std::string pool_memory(const Price& price) {
  std::vector<std::string> parts;
  if (price.pool_used_high_bytes.value_or(0) > 0) {
    parts.push_back("pool used " + format_bytes(*price.pool_used_high_bytes));
  }
  if (price.pool_reserved_high_bytes.value_or(0) > 0) {
    parts.push_back("reserved " + format_bytes(*price.pool_reserved_high_bytes));
  }
  if (price.graph_reserved_bytes.value_or(0) > 0) {
    parts.push_back("graph memory " + format_bytes(*price.graph_reserved_bytes));
  }
  return parts.empty() ? "" : fmt::format(" ({})", fmt::join(parts, ", "));
}

std::string memory(const Comparison& comparison, const Priced& all) {
  std::string text;
  for (const Measurement* m : all) {
    text += fmt::format("{} {} {}{}", text.empty() ? "" : ",", m->variant,
                        format_bytes(median_bytes(m->price->device_bytes)), pool_memory(*m->price));
  }
  const Workload& workload = comparison.workload;
  return bullet(
      fmt::format("Device memory taken in all:{}. Host buffers, {}, are the same for all.", text,
                  format_bytes(workload.bytes + workload.result_total())));
}

std::string crossings(const Comparison& comparison) {
  std::string text;
  for (const Measurement& m : comparison.measurements) {
    if (!m.break_even || !m.break_even->crossing || !m.break_even->passes) continue;
    const Crossing& real = *m.break_even->crossing;
    text += fmt::format("{} {} foretold {}, ", text.empty() ? "" : ";", m.variant,
                        passes_text(*m.break_even->passes));
    if (!real.passes) {
      text += fmt::format("not crossed in {}", real.run);
      continue;
    }
    text += fmt::format("really {} [{}, {}] ({:+.0f}%)", passes_text(*real.passes),
                        passes_text(real.low.value_or(0)),
                        real.high ? passes_text(*real.high) : fmt::format(">{}", real.run),
                        100 * (*m.break_even->passes / *real.passes - 1));
  }
  return text.empty() ? "" : bullet("Break-even, by real sequences of passes:" + text + ".");
}

}  // namespace

std::string passes_text(double passes) {
  if (passes < 0.05) return passes > 0 ? "<0.1" : "0";
  if (passes < 9.95) return fmt::format("{:.1f}", passes);
  return passes < 99999.5 ? fmt::format("{:.0f}", passes) : fmt::format("{:.0e}", passes);
}

std::string pays_text(const BreakEven& break_even) {
  const bool at_first = break_even.pays == Pays::at_first;
  const auto text = [&](const std::optional<double>& passes) {
    return passes ? passes_text(*passes) : at_first ? "always" : "never";
  };
  std::string pays = (at_first ? "first " : "") + text(break_even.passes);
  if (break_even.pays == Pays::at_once) pays = "at once";
  const bool sure = break_even.low == break_even.high && break_even.low == break_even.passes;
  const bool in_words = break_even.pays == Pays::at_once || break_even.pays == Pays::never;
  if (in_words && sure) return pays;
  return fmt::format("{} [{}, {}]", pays, text(break_even.low), text(break_even.high));
}

std::string price_section(const Comparison& comparison) {
  const Priced all = priced(comparison);
  if (all.empty()) return "";
  return fmt::format("{}\n{}\n{}{}{}\n", paragraph(how_it_was_priced(all)),
                     table_of(comparison, all), phases(all), memory(comparison, all),
                     crossings(comparison));
}

}  // namespace trilane
