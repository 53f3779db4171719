#include "common/application/outcome/replay_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "common/text/layout.hpp"
#include "common/text/size.hpp"
#include "common/text/words.hpp"

namespace trilane {

namespace {

/// A ratio of times as a speed, "3.1x [3.0, 3.2]", or "tie".
std::string speed_of(const Ratio& ratio) {
  if (ratio.low <= 1 && ratio.high >= 1) return "tie";
  return fmt::format("{:.3g}x [{:.3g}, {:.3g}]", 1 / ratio.estimate, 1 / ratio.high, 1 / ratio.low);
}

bool is_certain_gain(const Measurement& m) {
  return m.status == Status::ok && m.ratio && m.ratio->high < 1;
}

const Measurement* reference_of(const Comparison& comparison) {
  const auto found =
      std::ranges::find(comparison.measurements, comparison.reference, &Measurement::variant);
  return found == comparison.measurements.end() ? nullptr : &*found;
}

/// The fastest that is a change which a program can make, and not only a bound.
const Measurement* best_of(const Comparison& comparison) {
  const Measurement* best = nullptr;
  for (const Measurement& m : comparison.measurements) {
    if (!is_certain_gain(m) || is_bound(m.plan.model)) continue;
    if (best == nullptr || m.ratio->estimate < best->ratio->estimate) best = &m;
  }
  return best;
}

std::string answer_of(const ReplayRecord& record, const Comparison& comparison) {
  const Measurement* const calls = reference_of(comparison);
  if (calls == nullptr || calls->status != Status::ok) {
    return "The same calls could not be replayed: " +
           (calls == nullptr ? "they were not measured" : calls->message) + ".";
  }
  const Measurement* const best = best_of(comparison);
  if (best == nullptr) {
    return fmt::format(
        "No change that was tried makes an iteration faster than the calls as they "
        "are, {} us.",
        format_us(calls->wall->median));
  }
  return fmt::format(
      "{}: {} times as fast as the calls as they are, {} instead of {} us, with your host code "
      "unchanged, which takes {:.0f}% of that.",
      best->variant, speed_of(*best->ratio), format_us(best->wall->median),
      format_us(calls->wall->median), 100 * std::min(1.0, record.host_us / best->wall->median));
}

std::string note_on(const Measurement& m) {
  switch (m.status) {
    case Status::ok:
      return is_bound(m.plan.model) ? "a bound: the host may need what it waits for" : "";
    case Status::not_supported: return m.message;
    default: return fmt::format("{}: {}", name_of(m.status), m.message);
  }
}

Table table_of(const Comparison& comparison) {
  Table table{{"candidate", ">wall, us", ">submit, us", ">speed", "note"}, {}};
  for (const Measurement& m : comparison.measurements) {
    const bool timed = m.status == Status::ok && m.wall && m.submit;
    table.rows.push_back({m.variant, timed ? format_us(m.wall->median) : "",
                          timed ? format_us(m.submit->median) : "",
                          timed && m.ratio ? speed_of(*m.ratio) : "", note_on(m)});
  }
  return table;
}

/// How near the replay comes to the application.
void add_fidelity(const ReplayRecord& record, Page& page) {
  const Measurement* const calls = reference_of(*record.comparison);
  if (record.application_us && calls != nullptr && calls->wall) {
    page.push_back(Bullet{
        fmt::format("In the application an iteration takes {} us; the same calls, replayed, {} us.",
                    format_us(*record.application_us), format_us(calls->wall->median))});
  }
  if (record.overlaps) {
    page.push_back(
        Bullet{"An iteration leaves work behind, and in the application the next one overlaps with "
               "it. Here each iteration is waited for."});
  }
}

}  // namespace

Page replay_page(const ReplayRecord& record) {
  Page page{Heading{"Replay", ""}};
  if (!record.refusal.empty() || !record.comparison) {
    page.push_back(Paragraph{"Nothing is claimed: " + record.refusal + "."});
  } else {
    page.push_back(LabelledText{"Answer", answer_of(record, *record.comparison)});
    page.push_back(table_of(*record.comparison));
    add_fidelity(record, page);
  }
  for (const UncertainMemory& memory : record.uncertain) {
    page.push_back(Bullet{fmt::format(
        "Not deterministic: {} of {} in {} differ from run to run of the same calls, and are not "
        "compared.",
        format_bytes(memory.bytes), format_bytes(memory.of_bytes), memory.memory)});
  }
  return page;
}

}  // namespace trilane
