// The predicted times of an iteration on the page of a diagnosis.
#include "common/application/diagnosis/diagnosis_page.hpp"
#include "common/base/text/quoting.hpp"
#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"

namespace trilane {

namespace {

std::string meaning_of(SimulatedWay way) {
  switch (way) {
    case SimulatedWay::same_calls: return "nothing: the same calls";
    case SimulatedWay::graph: return "a graph for each segment between waits";
    case SimulatedWay::graph_set: return "such graphs, set before each launch";
    case SimulatedWay::engines: return "one stream for each engine";
    case SimulatedWay::pinned: return "pinned host memory";
    case SimulatedWay::pool: return "a memory pool that keeps its memory";
  }
  return "";
}

/// Says how far the prediction for the recorded calls is from the measured time.
std::string agreement(const SimulatedTimes& times) {
  const double us = *times.times.front().us;
  std::string text = fmt::format("The same calls: simulated {}", time_in_words(us));
  if (!times.measured_us || *times.measured_us <= 0) return text + ", never measured.";
  text += fmt::format(", measured {}", time_in_words(*times.measured_us));
  if (!times.same_gpu && times.measured_on.empty()) {
    return text + " on a GPU that the recording does not name.";
  }
  if (!times.same_gpu) return fmt::format("{} on {}.", text, printable(times.measured_on));
  const double off = us / *times.measured_us - 1;
  return fmt::format("{}: the model is off by {}.", text, percent(std::abs(off), 0));
}

std::string error_in_words(const SimulatedTimes& times) {
  if (!times.error_factor) {
    return "?: inconclusive, because the profile does not give the model's error.";
  }
  return fmt::format("?: inconclusive; a ratio may be off by a factor of {:.2f}.",
                     *times.error_factor);
}

Page rows(const SimulatedTimes& times) {
  Table table{{"what is changed", ">simulated us", ">times as long", ""}, {}};
  bool any_unclear = false;
  for (const SimulatedTime& time : times.times) {
    if (!time.us) continue;
    const bool itself = time.way == SimulatedWay::same_calls;
    const bool unclear = !itself && !time.told_apart;
    any_unclear = any_unclear || unclear;
    table.rows.push_back({meaning_of(time.way), format_us(*time.us),
                          time.ratio ? fmt::format("{:.2f}", *time.ratio) : "",
                          unclear ? "?" : ""});
  }
  Page page{std::move(table)};
  if (any_unclear) page.push_back(Paragraph{error_in_words(times)});
  return page;
}

/// Returns true if a reader learns from the reason: not if the other graph has a time, or the same.
bool is_told(const SimulatedTime& time, const SimulatedTimes& times) {
  if (time.way != SimulatedWay::graph && time.way != SimulatedWay::graph_set) return true;
  return std::ranges::none_of(times.times, [&](const SimulatedTime& other) {
    const bool twin = other.way != time.way &&
                      (other.way == SimulatedWay::graph || other.way == SimulatedWay::graph_set);
    return twin &&
           (other.us || (other.way == SimulatedWay::graph && other.why_not == time.why_not));
  });
}

std::string without_times(const SimulatedTimes& times) {
  std::vector<std::string> parts;
  for (const SimulatedTime& time : times.times) {
    if (time.why_not.empty() || !is_told(time, times)) continue;
    parts.push_back(fmt::format("{} ({})", meaning_of(time.way), printable(time.why_not)));
  }
  return parts.empty() ? "" : fmt::format("Not predicted: {}.", listed(parts));
}

}  // namespace

Page simulated_page(const SimulatedTimes& times) {
  Page page{Heading{"Simulated times", times.profile}};
  if (!times.refusal.empty()) {
    page.push_back(Paragraph{fmt::format("Nothing is predicted: {}.", printable(times.refusal))});
    return page;
  }
  page.push_back(Paragraph{agreement(times)});
  append(page, rows(times));
  const std::string without = without_times(times);
  if (!without.empty()) page.push_back(Bullet{without});
  for (const std::string& note : times.notes) page.push_back(Bullet{note});
  return page;
}

}  // namespace trilane
