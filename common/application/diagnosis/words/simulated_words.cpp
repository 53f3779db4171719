#include "common/application/diagnosis/words/simulated_words.hpp"

#include <fmt/format.h>

#include <cmath>

#include "common/text/quoting.hpp"
#include "common/text/size.hpp"
#include "common/text/words.hpp"

namespace trilane {
namespace {

std::string meaning_of(SimulatedWay way) {
  switch (way) {
    case SimulatedWay::same_calls: return "nothing: the same calls";
    case SimulatedWay::graph: return "a graph between each two waits of the host";
    case SimulatedWay::graph_set: return "the same, setting what varies in it";
    case SimulatedWay::engines: return "one stream for each engine";
    case SimulatedWay::pinned: return "pinned host memory";
    case SimulatedWay::pool: return "a memory pool";
  }
  return "";
}

/// How far the prediction for the recorded calls is from what was measured.
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
    return "?: not told apart, because the profile does not know the model's error.";
  }
  return fmt::format("?: not told apart; a ratio may be off by a factor of {:.2f}.",
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

}  // namespace

Page simulated_page(const SimulatedTimes& times) {
  Page page{Heading{"Simulated times", times.profile}};
  if (!times.refusal.empty()) {
    page.push_back(Paragraph{fmt::format("Nothing is predicted: {}.", printable(times.refusal))});
    return page;
  }
  page.push_back(Paragraph{agreement(times)});
  append(page, rows(times));
  for (const SimulatedTime& time : times.times) {
    if (time.why_not.empty()) continue;
    page.push_back(Bullet{
        fmt::format("Not predicted, {}: {}.", meaning_of(time.way), printable(time.why_not))});
  }
  for (const std::string& note : times.notes) page.push_back(Bullet{note});
  return page;
}

}  // namespace trilane
