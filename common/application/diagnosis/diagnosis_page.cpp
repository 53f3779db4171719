#include "common/application/diagnosis/diagnosis_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/base/text/layout.hpp"
#include "common/base/text/quoting.hpp"
#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"

namespace trilane {
namespace {

constexpr std::size_t most_rows = 10;
constexpr std::size_t most_races = 12;
constexpr std::size_t cell_width = 44;
constexpr std::size_t call_width = 34;
constexpr std::size_t name_width = 60;

std::string calls_of(const TimeShare& share) {
  return clipped(share.calls.front().name, call_width) + (share.calls.size() > 1 ? ", ..." : "");
}

Table table_of(const char* head, const std::vector<TimeShare>& shares) {
  Table table{{head, ">share", ">us", ">times", "most of it"}, {}};
  for (const TimeShare& share : shares) {
    table.rows.push_back({meaning_of(share.use), percent(share.share, 1), format_us(share.us),
                          fmt::to_string(share.count), calls_of(share)});
  }
  return table;
}

Table table_of(const std::vector<PathPart>& path) {
  Table table{{"part of the critical path", "of", ">share", ">us", ">times"}, {}};
  for (const PathPart& part : path) {
    if (table.rows.size() == most_rows) break;
    table.rows.push_back({name_of(part.kind), clipped(part.name, cell_width),
                          percent(part.share, 1), format_us(part.us), fmt::to_string(part.count)});
  }
  return table;
}

Page times(const Diagnosis& diagnosis) {
  Page page;
  if (diagnosis.device && !diagnosis.device->causes.empty()) {
    page.push_back(table_of("the GPU is idle while", diagnosis.device->causes));
  }
  if (!diagnosis.host.empty()) page.push_back(table_of("the host's time", diagnosis.host));
  if (!diagnosis.path.empty()) page.push_back(table_of(diagnosis.path));
  return page;
}

Page findings(const Diagnosis& diagnosis) {
  Page page;
  if (diagnosis.findings.empty()) return page;
  page.push_back(Heading{"Findings", ""});
  for (const CallFinding& finding : diagnosis.findings)
    page.push_back(Bullet{sentence_on(finding)});
  return page;
}

std::string side_in_words(const RaceSide& side) {
  return fmt::format("{} #{} on stream {} {}", clipped(side.what, name_width), side.call,
                     side.stream, name_of(side.use));
}

/// Returns, for example, "copy #12 on stream 2 writes bytes 0..4095 of memory 3 (device) while ..."
std::string sentence_on(const RecordedRace& race) {
  const std::string pairs = race.count > 1 ? fmt::format(" ({} such pairs)", race.count) : "";
  const std::string simulated = !race.confirmed   ? ""
                                : *race.confirmed ? ", in any legal order of the simulated device"
                                                  : ", but the simulated device finds one";
  return fmt::format(
      "{}: {} bytes {}..{} of memory {} ({}) while {}{} them: no order between them{}{}.",
      race.certain ? "Certain" : "Possible", side_in_words(race.earlier), race.offset,
      race.offset + race.bytes - 1, race.memory, name_of(race.memory_kind),
      race.next_iteration ? "the next iteration's " : "", side_in_words(race.later), simulated,
      pairs);
}

Page races(const Diagnosis& diagnosis) {
  Page page;
  const auto& all = diagnosis.races;
  page.push_back(Heading{"Races", ""});
  if (all.empty() && !diagnosis.races_cut) page.push_back(Paragraph{"No races found."});
  for (const RecordedRace& race : all) {
    if (page.size() > most_races) break;
    page.push_back(Bullet{sentence_on(race)});
  }
  if (all.size() > most_races) {
    page.push_back(Bullet{fmt::format("{} more kinds of pairs.", all.size() - most_races)});
  }
  if (diagnosis.races_cut) {
    page.push_back(Bullet{"There are too many unordered pairs to check them all."});
  }
  return page;
}

Page varying(const Diagnosis& diagnosis) {
  if (diagnosis.found == Found::none) return {};
  Page page{Heading{"What varies", ""}};
  if (diagnosis.varying.empty()) {
    page.push_back(Paragraph{fmt::format(
        "All {} arguments and pointers are the same in every iteration.", diagnosis.constant)});
    return page;
  }
  Table table{{"varies between iterations", ">calls", ">constant", ">alternating", ">changing"},
              {}};
  for (const Varying& one : diagnosis.varying) {
    if (table.rows.size() == most_rows) break;
    table.rows.push_back({clipped(one.name, cell_width), fmt::to_string(one.calls),
                          fmt::to_string(one.constant), fmt::to_string(one.alternating),
                          fmt::to_string(one.changing)});
  }
  page.push_back(std::move(table));
  return page;
}

Page refusals(const Diagnosis& diagnosis) {
  Page page;
  if (!diagnosis.refusals.empty() || !diagnosis.notes.empty()) {
    page.push_back(Heading{"What limits this", ""});
  }
  for (const Refusal& one : diagnosis.refusals) {
    page.push_back(Bullet{fmt::format("Cannot be replayed: {}, {}: {}.", one.call,
                                      counted(one.count, "time"), printable(one.reason))});
  }
  for (const std::string& note : diagnosis.notes) page.push_back(Bullet{note});
  return page;
}

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

/// Returns true if a reader learns from the reason: not for a graph if the other kind of graph has
/// a time, or says the same.
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

/// Returns the model's error for the recorded calls, a row for each way, and what limits it.
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

std::string title(const Diagnosis& diagnosis) {
  const std::string on = diagnosis.simulated ? "the simulated device" : diagnosis.machine.gpu;
  return printable(diagnosis.application) + (on.empty() ? "" : ", on " + on);
}

}  // namespace

Page diagnosis_page(const Diagnosis& diagnosis) {
  Page page{Heading{"Diagnosis", title(diagnosis)}};
  if (diagnosis.calls == 0) {
    page.push_back(Paragraph{
        "The recording has no calls: the application did not use CUDA while it was recorded."});
    append(page, refusals(diagnosis));
    return page;
  }
  page.push_back(Paragraph{answer(diagnosis)});
  if (diagnosis.graphs) page.push_back(Paragraph{in_words(*diagnosis.graphs)});
  page.push_back(Paragraph{graph_answer(diagnosis)});
  for (const auto part : {times, findings, races, varying, refusals}) append(page, part(diagnosis));
  if (diagnosis.reconstruction && !diagnosis.simulated) {
    page.push_back(Paragraph{origin_of_times(diagnosis, *diagnosis.reconstruction)});
  }
  if (diagnosis.simulated_times) append(page, simulated_page(*diagnosis.simulated_times));
  return page;
}

}  // namespace trilane
