#include "common/application/diagnosis/one_screen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "common/application/diagnosis/diagnosis_page.hpp"
#include "common/application/diagnosis/finding_words.hpp"
#include "common/application/diagnosis/replay_page.hpp"
#include "common/base/text/layout.hpp"
#include "common/base/text/quoting.hpp"
#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/analysis/verdict/verdict.hpp"

namespace trilane {

namespace {

constexpr std::size_t most_findings = 5, most_functions = 2, place_room = 60;
constexpr std::size_t refusal_width = 180, short_width = 34,
                      text_width = 88;  // of the lines with a label

std::string short_name(const PathPart& part) {
  const std::string name = clipped(part.name, short_width);
  switch (part.kind) {
    case PathKind::own_code: return "own code";
    case PathKind::wait_return: return "return from " + name;
    case PathKind::launch_latency: return "launch latency of " + name;
    case PathKind::order: return "gap before " + name;
    case PathKind::engine: return "busy engine before " + name;
    case PathKind::host_call:
    case PathKind::kernel:
    case PathKind::copy:
    case PathKind::memset:
    case PathKind::other_operation:
    case PathKind::host_function: break;
  }
  return name;
}

/// Returns "call 5", "longest at call 5", or for own code "before call 5".
std::string where(const PathPart& part) {
  const bool several = part.count > 1;
  const char* const relation = part.kind == PathKind::own_code ? "before " : several ? "at " : "";
  return fmt::format("{}{}{}", several ? "longest " : "", relation, part.place);
}

/// Adds the parts that fit in a line after `text`, and returns it.
std::string one_line(std::string text, const std::vector<std::string>& parts) {
  const char* separator = "";
  for (const std::string& part : parts) {
    const std::string longer = fmt::format("{}{}{}", text, separator, part);
    if (width_of(longer) > text_width) break;
    text = longer;
    separator = ", ";
  }
  return text;
}

std::string gpu_line(const Diagnosis& diagnosis) {
  if (!diagnosis.device) return "no times were taken on the GPU: it is not known when it is idle";
  return one_line(idle_share(diagnosis) + ": ", times_of(diagnosis.device->causes));
}

/// Says where the longest part is, and where the others are if there is room.
std::string path_line(const Diagnosis& diagnosis) {
  std::string text;
  for (const PathPart& part : diagnosis.path) {
    const std::string time =
        fmt::format("{}{} {}", text.empty() ? "" : ", ", short_name(part), time_in_words(part.us));
    const std::string place = fmt::format(" ({})", where(part));
    if (width_of(text + time) > text_width) break;
    text += width_of(text + time + place) > text_width ? time : time + place;
  }
  return text;
}

bool is_graph(Issuer issuer) {
  switch (issuer) {
    case Issuer::graph:
    case Issuer::graph_updated:
    case Issuer::graph_set: return true;
    case Issuer::host_waiting:
    case Issuer::host:
    case Issuer::host_threads: break;
  }
  return false;
}

/// Returns true if the best candidate of the replay is a graph.
bool advises_graph(const ReplayRecord& replay) {
  const Choice choice = choose_candidate(*replay.comparison);
  return choice.over && choice.use && is_graph(choice.use->plan.model.issuer);
}

bool is_compared(const ReplayRecord* replay) {
  return replay && replay->refusal.empty() && replay->comparison;
}

std::string answer_on(const Diagnosis& diagnosis, const ReplayRecord* replay) {
  if (diagnosis.found == Found::none) {
    return fmt::format("{} {}", iteration_words(diagnosis), graph_words(diagnosis));
  }
  if (is_compared(replay)) {
    const std::string said = answer_words(*replay);
    if (!advises_graph(*replay)) return said;
    return fmt::format("{} Graphs replace {}.", said, calls_of(diagnosis.graph));
  }
  const std::string bound =
      fmt::format("{} {}", iteration_words(diagnosis), graph_words(diagnosis));
  if (!replay) return bound + (diagnosis.simulated ? "" : " trilane record measures it on a GPU.");
  return fmt::format("Nothing is claimed: {}. {}",
                     clipped(printable(replay->refusal), refusal_width), bound);
}

/// Returns the simulated times in a line; empty if there are none.
std::string predicted(const Diagnosis& diagnosis) {
  if (!diagnosis.simulated_times || !diagnosis.simulated_times->refusal.empty()) return "";
  std::vector<std::string> parts;
  for (const SimulatedTime& time : diagnosis.simulated_times->times) {
    if (!time.us) continue;
    const bool itself = time.way == SimulatedWay::same_calls;
    const char* const unclear = itself || time.told_apart ? "" : " (inconclusive)";
    parts.push_back(fmt::format("{} {}{}", name_of(time.way), time_in_words(*time.us), unclear));
  }
  return one_line("", parts);
}

/// Findings of one kind that the same change removes.
struct Similar {
  double gain_us = 0;
  std::vector<CallFinding> findings;
};

std::vector<Similar> merged(const std::vector<CallFinding>& findings, double period_us) {
  std::map<std::pair<FindingKind, Obstacle>, Similar> groups;
  for (const CallFinding& finding : findings) {
    // A free that waits is also an allocation in the loop, which costs more.
    const bool repeated =
        finding.kind == FindingKind::implicit_wait && finding.obstacle == Obstacle::none;
    if (repeated) continue;
    Similar& group = groups[{finding.kind, finding.obstacle}];
    group.gain_us = std::min(period_us, group.gain_us + finding.gain_us);
    group.findings.push_back(finding);
  }
  std::vector<Similar> all;
  for (auto& [key, group] : groups) all.push_back(std::move(group));
  std::ranges::stable_sort(all, std::greater{}, &Similar::gain_us);
  return all;
}

/// Returns "At most 57.0 us: allocate once, ...: cudaMallocAsync, 12 times (call 0, call 2 and 10
/// more)."
std::string sentence_on(const Similar& similar) {
  CallFinding all = similar.findings.front();
  std::vector<std::string> functions;
  for (const CallFinding& one : similar.findings) {
    const std::string times =
        one.count > 1 && !one.calls.empty() ? fmt::format(" {} times", one.count) : "";
    const std::string place =
        one.place.empty() ? "" : fmt::format(" ({})", clipped(one.place, place_room));
    functions.push_back(one.name + times + place);
    if (&one == &similar.findings.front()) continue;
    all.bytes += one.bytes;
    all.pinned_us = all.pinned_us && one.pinned_us ? std::optional(*all.pinned_us + *one.pinned_us)
                                                   : std::nullopt;
  }
  return fmt::format("At most {}: {}: {}.", time_in_words(similar.gain_us), advice_on(all),
                     shortened(functions, most_functions));
}

std::string order_them(const RecordedRace& race) {
  return sentence_on(race) + " Order them by an event, or in a graph by an edge.";
}

/// Returns the kind of finding whose advice also removes the obstacle.
std::optional<FindingKind> same_advice(CaptureReason reason) {
  switch (reason) {
    case CaptureReason::legacy_stream: return FindingKind::legacy_wait;
    case CaptureReason::synchronous: return FindingKind::implicit_wait;
    case CaptureReason::pageable: return FindingKind::pageable_copy;
    case CaptureReason::allocates:
    case CaptureReason::outlives: return FindingKind::allocation;
    case CaptureReason::failed:
    case CaptureReason::batch:
    case CaptureReason::priorities: break;
  }
  return std::nullopt;
}

/// Returns obstacles with the same reason as one; failed captures stay apart.
std::vector<CaptureObstacle> merged(const std::vector<CaptureObstacle>& obstacles) {
  std::map<CaptureReason, std::vector<CaptureObstacle>> reasons;
  for (const CaptureObstacle& one : obstacles) {
    if (one.reason != CaptureReason::failed) reasons[one.reason].push_back(one);
  }
  std::vector<CaptureObstacle> all;
  for (const auto& [reason, same] : reasons) {
    CaptureObstacle& one = all.emplace_back(same.front());
    std::vector<std::string> names;
    one.count = 0;
    for (const CaptureObstacle& other : same) {
      names.push_back(other.name);
      one.count += other.count;
      if (other.kind != one.kind) one.kind = CallKind::other;
    }
    one.name = shortened(names, most_functions);
  }
  return all;
}

/// Returns the sentences on all findings, the most important first.
std::vector<std::string> findings_on(const Diagnosis& diagnosis, const ReplayRecord* replay) {
  std::vector<std::string> all;
  for (const RecordedRace& race : diagnosis.races) {
    if (race.certain) all.push_back(order_them(race));
  }
  std::vector<CaptureObstacle> failed = diagnosis.capture;
  std::erase_if(failed, [](const auto& one) { return one.reason != CaptureReason::failed; });
  for (const std::string& words : capture_words(failed)) all.push_back(words);
  if (!is_compared(replay)) {
    for (const CurableRefusal& one : diagnosis.curable) all.push_back(sentence_on(one));
  }
  const bool graph = is_compared(replay) && advises_graph(*replay);
  std::vector<CaptureObstacle> capture = merged(diagnosis.capture);
  if (graph) std::ranges::copy(capture_words(capture), std::back_inserter(all));
  for (const Similar& one : merged(diagnosis.findings, diagnosis.period_us)) {
    all.push_back(sentence_on(one));
  }
  if (is_compared(replay)) return all;
  std::erase_if(capture, [&](const CaptureObstacle& obstacle) {
    const auto kind = same_advice(obstacle.reason);
    return kind && std::ranges::count(diagnosis.findings, *kind, &CallFinding::kind) > 0;
  });
  std::ranges::copy(capture_words(capture), std::back_inserter(all));
  return all;
}

/// Returns what was not looked at or weakens the answer, a sentence each.
std::vector<std::string> limits_on(const Diagnosis& diagnosis, const ReplayRecord* replay) {
  std::vector<std::string> all;
  std::map<std::string, std::vector<std::string>> calls;  // by reason
  for (const Refusal& one : diagnosis.refusals) calls[one.reason].push_back(one.call);
  for (const auto& [reason, names] : calls) {
    all.push_back(fmt::format("Cannot be replayed: {} ({}).", shortened(names, most_functions),
                              printable(reason)));
  }
  if (diagnosis.simulated_times && !diagnosis.simulated_times->refusal.empty()) {
    all.push_back(
        fmt::format("Nothing is predicted: {}.", printable(diagnosis.simulated_times->refusal)));
  }
  const auto possible = std::ranges::count(diagnosis.races, false, &RecordedRace::certain);
  if (possible > 0) {
    all.push_back(fmt::format("Races that are only possible: {}.", possible));
  }
  if (diagnosis.races_cut) all.emplace_back("Not all pairs were checked for races.");
  if (replay) {
    for (const std::string& one : reservations_on(*replay)) all.push_back(one);
  }
  all.insert(all.end(), diagnosis.notes.begin(), diagnosis.notes.end());
  if (diagnosis.reconstruction && !diagnosis.reconstruction->used) {
    all.emplace_back("GPU, Host and Path are of traced iterations, whose calls take longer.");
  }
  return all;
}

/// Returns the sentences that fit in two lines, and the number of the others.
std::string two_lines(const std::vector<std::string>& sentences) {
  constexpr std::size_t room = 2 * text_width - 30;  // for broken lines and the number
  std::string text;
  std::size_t told = 0;
  for (const std::string& sentence : sentences) {
    const std::string longer = text.empty() ? clipped(sentence, room) : text + " " + sentence;
    if (width_of(longer) > room) break;
    text = longer;
    ++told;
  }
  const std::size_t left = sentences.size() - told;
  return left > 0 ? fmt::format("{} {} more: --all.", text, left) : text;
}

}  // namespace

Page one_screen(const Diagnosis& diagnosis, const ReplayRecord* replay, const std::string& more) {
  constexpr std::size_t answer_width = 6 * text_width;
  Page head{Heading{"Diagnosis", clipped(title_of(diagnosis), text_width)}};
  if (diagnosis.calls == 0) {
    head.push_back(Paragraph{
        "The recording has no calls: the application did not use CUDA while it was recorded."});
    return head;
  }
  head.push_back(LabelledText{"Answer", clipped(answer_on(diagnosis, replay), answer_width)});
  if (const std::string line = predicted(diagnosis); !line.empty()) {
    head.push_back(LabelledText{"Simulated", line});
  }
  head.push_back(LabelledText{"GPU", gpu_line(diagnosis)});
  head.push_back(LabelledText{"Host", one_line("", times_of(diagnosis.host))});
  head.push_back(LabelledText{"Path", path_line(diagnosis)});
  Page foot;
  if (const std::string text = two_lines(limits_on(diagnosis, replay)); !text.empty()) {
    foot.push_back(LabelledText{"Limits", text});
  }
  foot.push_back(LabelledText{"More", more});
  const std::vector<std::string> findings = findings_on(diagnosis, replay);
  for (std::size_t told = std::min(findings.size(), most_findings);; --told) {
    Page page = head;
    for (std::size_t i = 0; i < told; ++i) page.push_back(Bullet{findings[i]});
    if (findings.empty()) page.push_back(Bullet{"No finding could gain 1% of that time."});
    if (told < findings.size()) {
      page.push_back(Bullet{fmt::format("{} more: --all.", findings.size() - told)});
    }
    append(page, foot);
    const auto lines = std::ranges::count(as_text(page), '\n');
    if (told == 0 || static_cast<std::size_t>(lines) <= most_screen_lines) return page;
  }
}

}  // namespace trilane
