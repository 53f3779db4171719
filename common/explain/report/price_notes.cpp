#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "common/base/text/size.hpp"
#include "common/explain/analysis/verdict/verdict.hpp"
#include "common/explain/report/report_price.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {
namespace {

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

/// Returns the reference and the fastest variants, in the order of `all`.
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
  std::erase_if(chosen, [&](const Measurement* m) {
    return !is_reference(m) && std::ranges::find(others, m) == others.end();
  });
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

}  // namespace

Page price_notes(const Comparison& comparison, const Priced& all) {
  Page page;
  add_phases(page, comparison, all);
  add_pools(page, all);
  add_crossings(page, comparison);
  return page;
}

}  // namespace trilane
