#include "common/application/diagnosis/words/diagnosis_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/application/diagnosis/words/answer_words.hpp"
#include "common/application/diagnosis/words/finding_words.hpp"
#include "common/application/diagnosis/words/race_words.hpp"
#include "common/application/diagnosis/words/simulated_words.hpp"
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
    page.push_back(Bullet{"There are too many pairs without an order to look at all of them."});
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
