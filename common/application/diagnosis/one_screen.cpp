#include "common/application/diagnosis/diagnosis_page.hpp"

#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/analysis/verdict/verdict.hpp"

namespace trilane {

namespace {

constexpr std::size_t most_findings = 5, most_refused = 2;
constexpr std::size_t kernel_width = 60, refusal_width = 180, bound_place = 60, short_width = 34;
constexpr std::size_t text_width = 88;  // of the lines with a label
constexpr std::size_t answer_width = 6 * text_width;

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
  return one_line(idle_share(diagnosis), times_of(diagnosis.device->causes));
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

bool advises_graph(const ReplayRecord& replay) {
  const Choice choice = choose_candidate(*replay.comparison);
  return choice.over && choice.use && launches_graph(choice.use->plan.model);
}

bool tried_pool(const ReplayRecord& replay) {
  return std::ranges::any_of(replay.comparison->measurements, [](const Measurement& one) {
    return one.plan.model.scratch == ScratchSource::pool && one.status == Status::ok;
  });
}

/// Returns what a change that no candidate makes could gain, as a sentence after a space.
std::string not_tried(const Diagnosis& diagnosis, const ReplayRecord& replay) {
  for (const CallFinding& one : diagnosis.findings) {
    const bool tried = one.kind == FindingKind::pageable_copy ||
                       one.kind == FindingKind::copies_in_pieces ||
                       (one.kind == FindingKind::allocation && tried_pool(replay));
    if (tried || one.kind == FindingKind::unjudged_wait || !one.gain_us) continue;
    return fmt::format(" A finding below, which was not tried, could gain up to {}.",
                       time_in_words(*one.gain_us));
  }
  return "";
}

bool is_compared(const ReplayRecord* replay) {
  return replay && replay->refusal.empty() && replay->comparison;
}

/// Returns why nothing is claimed and the iteration, cut to fit, then what a graph could gain.
std::string bound_on(const Diagnosis& diagnosis, const ReplayRecord* replay) {
  const std::string bound = graph_words(diagnosis, bound_place);
  std::string before = iteration_words(diagnosis);
  if (replay && diagnosis.found != Found::none) {
    const std::string why = refusal_words(*replay, kernel_width) + ".";
    before = fmt::format("Nothing is claimed: {} {}", clipped(why, refusal_width), before);
  }
  return fmt::format("{} {}", clipped(before, answer_width - 1 - width_of(bound)), bound);
}

std::string answer_on(const Diagnosis& diagnosis, const ReplayRecord* replay) {
  if (diagnosis.found == Found::none || !is_compared(replay)) return bound_on(diagnosis, replay);
  std::string said = answer_words(*replay, diagnosis.graph.least_us);
  if (diagnosis.turns > 1) {
    said += fmt::format(" An iteration is {} turns of a ring.", diagnosis.turns);
  }
  if (!choose_candidate(*replay->comparison).over) return said + not_tried(diagnosis, *replay);
  if (!advises_graph(*replay)) return said;
  return fmt::format("{} Graphs replace {}.", said, calls_of(diagnosis.graph, bound_place));
}

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

std::vector<std::string> findings_on(const Diagnosis& diagnosis, const ReplayRecord* replay) {
  std::vector<std::string> all;
  for (const RecordedRace& race : diagnosis.races) {
    if (!race.certain) continue;
    all.push_back(sentence_on(race) + " Order them by an event, or in a graph by an edge.");
  }
  for (const EarlyLaunches& one : diagnosis.early) {
    if (!one.waits) all.push_back(sentence_on(one));
  }
  std::vector<std::string> capture, notes;
  for (const CaptureObstacle& one : diagnosis.capture) {
    const bool right = one.where && (one.where->effect == CaptureEffect::left_out ||
                                     one.where->effect == CaptureEffect::allocates);
    auto& to = right ? notes : is_tried(one.reason) ? all : capture;
    to.push_back(capture_words({one}).front());
  }
  std::ranges::copy(graph_cost_words(diagnosis), std::back_inserter(all));
  std::ranges::copy(pool_words(diagnosis), std::back_inserter(all));
  const bool graph = is_compared(replay) && advises_graph(*replay);
  if (graph) std::ranges::copy(capture, std::back_inserter(all));
  const bool together = is_compared(replay) && replay->threads > 0;
  for (const CallFinding& one : diagnosis.findings) {
    const bool answered = together && one.kind == FindingKind::other_threads;
    if (!answered) all.push_back(sentence_on(one));
  }
  if (!is_compared(replay)) std::ranges::copy(capture, std::back_inserter(all));
  std::ranges::copy(notes, std::back_inserter(all));
  return all;
}

/// Returns what was not looked at or weakens the answer, a sentence each.
std::vector<std::string> limits_on(const Diagnosis& diagnosis, const ReplayRecord* replay) {
  std::vector<std::string> all;
  std::map<std::string, std::vector<std::string>> calls;  // by reason
  // A replay that refused has said so, one that ran did without these calls.
  for (const Refusal& one : diagnosis.refusals) {
    if (!replay) calls[one.reason].push_back(one.call);
  }
  for (const auto& [reason, names] : calls) {
    all.push_back(fmt::format("Cannot be replayed: {} ({}).", shortened(names, most_refused),
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
  if (diagnosis.reconstruction && !diagnosis.reconstruction->used) {
    all.emplace_back(
        "GPU, Host and Path are of traced iterations: calls take longer, and own code holds the "
        "recorder's.");
  } else if (diagnosis.reconstruction && diagnosis.reconstruction->fitted) {
    all.emplace_back("Gaps between copies and kernels are fitted to the measured time.");
  }
  std::ranges::copy(diagnosis.notes, std::back_inserter(all));
  return all;
}

/// Returns the limits that fit in two lines, none of them cut, and the number of the others.
std::string two_lines(const std::vector<std::string>& limits) {
  constexpr std::size_t room = 2 * text_width - 30;  // for broken lines and the number
  std::string text;
  std::size_t left = 0;
  for (const std::string& limit : limits) {
    const std::string longer = text.empty() ? limit : text + " " + limit;
    if (width_of(longer) > room) {
      ++left;
    } else {
      text = longer;
    }
  }
  if (left == 0) return text;
  return text.empty() ? counted(left, "limit") + ": see --all."
                      : fmt::format("{} {} more.", text, left);
}

}  // namespace

Page one_screen(const Diagnosis& diagnosis, const ReplayRecord* replay, const std::string& more) {
  Page foot, head{Heading{"Diagnosis", clipped(title_of(diagnosis), text_width)}};
  if (diagnosis.calls == 0) {
    head.push_back(Paragraph{
        "The recording has no calls: the application did not use CUDA while it was recorded."});
    return head;
  }
  const auto say = [](Page& page, const char* label, const std::string& text) {
    if (!text.empty()) page.push_back(LabelledText{label, text});
  };
  say(head, "Answer", clipped(answer_on(diagnosis, replay), answer_width));
  say(head, "Simulated", predicted(diagnosis));
  say(head, "GPU", gpu_line(diagnosis));
  say(head, "Host", one_line("", times_of(diagnosis.host)));
  say(head, "Path", path_line(diagnosis));
  say(head, "Pool", pools_line(diagnosis));
  say(foot, "Limits", two_lines(limits_on(diagnosis, replay)));
  say(foot, "More", more);
  const std::vector<std::string> findings = findings_on(diagnosis, replay);
  for (std::size_t told = std::min(findings.size(), most_findings);; --told) {
    Page page = head;
    for (std::size_t i = 0; i < told; ++i) page.push_back(Bullet{findings[i]});
    if (findings.empty()) {
      page.push_back(Bullet{diagnosis.device ? "No finding could gain 1% of that time."
                                             : "Nothing was found."});
    }
    if (told < findings.size()) {
      page.push_back(Bullet{fmt::format("{} more: see below.", findings.size() - told)});
    }
    append(page, foot);
    const auto lines = std::ranges::count(as_text(page), '\n');
    if (told == 0 || static_cast<std::size_t>(lines) <= most_screen_lines) return page;
  }
}

}  // namespace trilane
