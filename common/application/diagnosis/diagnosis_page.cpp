#include "common/application/diagnosis/diagnosis_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <utility>
#include <vector>

#include "common/base/text/layout.hpp"
#include "common/base/text/quoting.hpp"
#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"

namespace trilane {

namespace {

constexpr std::size_t most_rows = 10, most_races = 12, most_causes = 3;
constexpr std::size_t cell_width = 44, call_width = 34, name_width = 60;
constexpr double least_share = 0.01;

/// Returns what the host or the device does meanwhile: "the host issues calls one at a time".
std::string meaning_of(TimeUse use) {
  switch (use) {
    case TimeUse::own_code: return "the application's own code runs";
    case TimeUse::launching: return "the host issues calls one at a time";
    case TimeUse::waiting: return "the host waits";
    case TimeUse::allocating: return "the host allocates or frees";
    case TimeUse::blocking_copy: return "the host is blocked in a copy";
    case TimeUse::other_calls: return "the host is in other calls";
    case TimeUse::launch_latency: return "a launch is on its way to the GPU";
    case TimeUse::stream_order: return "a stream starts its next operation";
    case TimeUse::event_order: return "a stream reacts to another one's event";
    case TimeUse::legacy_order: return "another stream waits for the legacy stream";
    case TimeUse::graph_order: return "a graph waits for its previous launch";
    case TimeUse::host_function: return "a stream waits for a host function";
  }
  return "";
}

/// Says how the steps differ, and which one the times are of.
std::string steps_of(const Diagnosis& diagnosis) {
  if (!diagnosis.steps) return "";
  const StepSizes& steps = *diagnosis.steps;
  const std::string others =
      steps.others > 0 ? fmt::format("; {} had other calls", counted(steps.others, "step")) : "";
  return fmt::format(
      " Steps repeat in kind, not in size: half of them take {} to {}, and {} of {} differ in size "
      "or kernel{}. Times are of the median step.",
      time_in_words(steps.low_us), time_in_words(steps.high_us), steps.unequal,
      counted(diagnosis.calls, "call"), others);
}

std::string subject(const Diagnosis& diagnosis) {
  const std::string size =
      fmt::format("{}, {}", counted(diagnosis.calls, "call"), time_in_words(diagnosis.period_us));
  switch (diagnosis.found) {
    case Found::repeats: return fmt::format("Iteration: {} ({} seen).", size, diagnosis.iterations);
    case Found::range:
      return fmt::format("Iteration, the range {}: {} ({} seen).", in_quotes(diagnosis.range), size,
                         diagnosis.iterations);
    case Found::in_kind:
      return fmt::format("Step: {} ({} seen).{}", size, diagnosis.iterations, steps_of(diagnosis));
    case Found::none: break;
  }
  const std::string why = diagnosis.why_none.empty() ? "" : ": " + printable(diagnosis.why_none);
  return fmt::format("No iteration found{}. The following describes the last {}.", why, size);
}

std::string causes(const std::vector<TimeShare>& shares, const char* link) {
  std::vector<std::string> parts;
  for (const TimeShare& share : shares) {
    if (parts.size() == most_causes || share.share < least_share) break;
    parts.push_back(fmt::format("{} {} {} ({})", percent(share.share, 0), link,
                                meaning_of(share.use), time_in_words(share.us)));
  }
  return listed(parts);
}

/// Returns, for example, "It launches 1 graph of 3 kernels and 2 copies."
std::string in_words(const GraphsLaunched& launched) {
  std::vector<std::string> parts;
  const auto add = [&](std::uint64_t count, const char* one, const char* many) {
    if (count > 0) parts.push_back(fmt::format("{} {}", count, count == 1 ? one : many));
  };
  add(launched.kernels, "kernel", "kernels");
  add(launched.copies, "copy", "copies");
  add(launched.memsets, "memset", "memsets");
  add(launched.others, "other node", "other nodes");
  return fmt::format("It launches {} of {}.", counted(launched.graphs, "graph"),
                     parts.empty() ? "no operations" : listed(parts));
}

/// Says whether the times are those of traced iterations, and how much longer these take.
std::string origin_of_times(const Diagnosis& diagnosis, const Reconstruction& reconstruction) {
  const std::string traced = time_in_words(reconstruction.traced_us);
  const std::string watched = time_in_words(reconstruction.watched_us);
  if (reconstruction.used) {
    return fmt::format(
        "Times are of the application without tracing, reconstructed from its untraced calls and "
        "the traced lengths of its operations: {} an iteration, measured {}{}. With tracing, an "
        "iteration took {}.",
        time_in_words(diagnosis.period_us), watched,
        reconstruction.fitted ? ", to which the gaps between copies and other operations are fitted"
                              : "",
        traced);
  }
  std::string text = fmt::format(
      "Times are of traced iterations, in which calls and the gaps between operations are longer: "
      "an iteration took {} with tracing and {} without.",
      traced, watched);
  if (reconstruction.period_us) {
    text += fmt::format(
        " Reconstructed from untraced calls it would take {}, which is too far off to be used.",
        time_in_words(*reconstruction.period_us));
  }
  return text;
}

/// Returns what to do about the obstacle, and how the program stays correct.
std::string remedy(Obstacle obstacle) {
  switch (obstacle) {
    case Obstacle::none: break;
    case Obstacle::pageable:
      return "pin its host memory, and wait for the copy before the host uses that memory again";
    case Obstacle::synchronous:
      return "use the Async form, and wait for it before the host uses that memory again";
    case Obstacle::legacy:
      return "use non-blocking streams, and events where one needs the other's data";
    case Obstacle::same_stream:
      return "use a second stream, and events where one needs the other's data";
    case Obstacle::order: return "remove events and waits that the data does not need";
  }
  return "";
}

std::string pinned(const CallFinding& finding) {
  if (!finding.pinned_us) return "";
  return fmt::format("; at the rate of the pinned copies here: about {}",
                     time_in_words(*finding.pinned_us));
}

std::string meaning(const CallFinding& finding) {
  switch (finding.kind) {
    case FindingKind::copy_could_overlap:
      return "no kernel overlaps the copy, although one uses other data. To overlap them, " +
             remedy(finding.obstacle);
    case FindingKind::copy_needs_buffer:
      return "no kernel overlaps the copy. It could overlap the next iteration's kernels with a "
             "second buffer, if the host may run ahead: " +
             remedy(finding.obstacle);
    case FindingKind::pageable_copy:
      return fmt::format(
          "copies {} of pageable memory, and the host stays in the call{}. Instead, {}",
          format_bytes(finding.bytes), pinned(finding), remedy(Obstacle::pageable));
    case FindingKind::synchronization: return "the host waits or polls for completion";
    case FindingKind::small_result:
      return fmt::format(
          "the host waits for a few bytes. Look at them an iteration later, or decide on the "
          "device "
          "(IF and WHILE nodes of a graph): an iteration then takes at least {}",
          time_in_words(finding.least_us.value_or(0)));
    case FindingKind::allocation: return "allocates or frees in the loop";
    case FindingKind::implicit_wait:
      return finding.obstacle == Obstacle::synchronous
                 ? "the host waits, because the call is synchronous. Instead, " +
                       remedy(finding.obstacle)
                 : "waits for all work on the GPU before it frees";
    case FindingKind::legacy_wait:
      return fmt::format("in the legacy stream, so {} starts late, which no data requires: {}",
                         finding.delayed, remedy(Obstacle::legacy));
    case FindingKind::useless_stream_wait:
      return "waits for an event that is known to be done, or that the stream has just waited for: "
             "does nothing";
    case FindingKind::useless_synchronize:
      return "waits for what the host has waited for earlier in the iteration: does nothing";
    case FindingKind::host_function:
      return "the stream stands still until the function has run on a thread of the driver. "
             "Instead, record an event there and let the host wait for it, so that the stream "
             "goes on meanwhile";
    case FindingKind::nothing_copied: return "copies or sets no bytes";
    case FindingKind::memset_overwritten:
      return "sets bytes that a copy overwrites before anything can read them";
    case FindingKind::other_threads:
      return "an iteration is this much shorter while they stand still. Threads wait for each "
             "other in the driver and on the GPU: make fewer calls in each, as a graph for each "
             "loop";
  }
  return "";
}

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
  if (diagnosis.findings.empty()) return {};
  Page page{Heading{"Findings", ""}};
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
  Page page{Heading{"Races", ""}};
  const auto& all = diagnosis.races;
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

std::string title(const Diagnosis& diagnosis) {
  const std::string on = diagnosis.simulated ? "the simulated device" : diagnosis.machine.gpu;
  return printable(diagnosis.application) + (on.empty() ? "" : ", on " + on);
}

}  // namespace

std::string answer(const Diagnosis& diagnosis) {
  std::string text = subject(diagnosis);
  if (!diagnosis.device) {
    const std::string host = causes(diagnosis.host, "while");
    return host.empty() ? text : fmt::format("{} The host's time: {}.", text, host);
  }
  const double idle = diagnosis.period_us > 0 ? diagnosis.device->idle_us / diagnosis.period_us : 0;
  text += fmt::format(" The GPU is idle {} of it", percent(idle, 0));
  const std::string why = causes(diagnosis.device->causes, "while");
  return text + (why.empty() ? "." : ": " + why + ".");
}

std::string graph_answer(const Diagnosis& diagnosis) {
  const GraphBound& graph = diagnosis.graph;
  if (graph.calls == 0) return "A graph would replace none of the calls.";
  std::string text = fmt::format(
      "A graph could replace {} ({} of host time) and cannot gain more than that: a bound from the "
      "recording alone.",
      counted(graph.calls, "call"), time_in_words(graph.host_us));
  if (graph.idle_us) {
    text += fmt::format(" The GPU is idle for {} while it waits for such calls.",
                        time_in_words(*graph.idle_us));
  }
  return text;
}

std::string sentence_on(const CallFinding& finding) {
  if (finding.kind == FindingKind::other_threads) {
    return fmt::format("{}, {}: {}. Possible gain: at most {}.", finding.name,
                       time_in_words(finding.us), meaning(finding), time_in_words(finding.gain_us));
  }
  const bool all = finding.calls.size() == finding.count;
  return fmt::format("{}, {}, {}: {} (#{}{}). Possible gain: at most {}.", finding.name,
                     counted(finding.count, "time"), time_in_words(finding.us), meaning(finding),
                     fmt::join(finding.calls, ", #"), all ? "" : ", ...",
                     time_in_words(finding.gain_us));
}

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
