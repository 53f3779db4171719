#include "common/application/diagnosis/diagnosis_page.hpp"

#include "common/application/iteration/call_traits.hpp"
#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"

namespace trilane {

namespace {

constexpr std::size_t most_rows = 10, most_races = 12;
constexpr std::size_t cell_width = 44, call_width = 34, part_width = 26, place_width = 20;
constexpr double least_share = 0.01;

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

std::string calls_of(const TimeShare& share) {
  return clipped(share.calls.front().name, call_width) + (share.calls.size() > 1 ? ", ..." : "");
}

Table table_of(const char* head, const std::vector<TimeShare>& shares) {
  Table table{{head, ">share", ">us", ">times", "most of it"}, {}};
  for (const TimeShare& share : shares) {
    table.rows.push_back({name_of(share.use), percent(share.share, 1), format_us(share.us),
                          fmt::to_string(share.count), calls_of(share)});
  }
  return table;
}

Table table_of(const std::vector<PathPart>& path) {
  Table table{{"part of the critical path", "of", ">share", ">us", ">times", "longest"}, {}};
  for (const PathPart& part : path) {
    if (table.rows.size() == most_rows) break;
    const std::string place = part.kind == PathKind::own_code ? "before " + part.place : part.place;
    table.rows.push_back({name_of(part.kind), clipped(part.name, part_width),
                          percent(part.share, 1), format_us(part.us), fmt::to_string(part.count),
                          clipped(place, place_width)});
  }
  return table;
}

Page times(const Diagnosis& diagnosis) {
  Page page;
  if (diagnosis.device && !diagnosis.device->causes.empty()) {
    page.push_back(table_of("why the GPU is idle", diagnosis.device->causes));
  }
  if (!diagnosis.host.empty()) page.push_back(table_of("the host's time", diagnosis.host));
  if (!diagnosis.path.empty()) page.push_back(table_of(diagnosis.path));
  return page;
}

Page findings(const Diagnosis& diagnosis) {
  if (diagnosis.findings.empty() && diagnosis.early.empty()) return {};
  Page page{Heading{"Findings", ""}};
  for (const EarlyLaunches& one : diagnosis.early) page.push_back(Bullet{sentence_on(one)});
  for (const CallFinding& finding : diagnosis.findings)
    page.push_back(Bullet{sentence_on(finding)});
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

/// Says what is known of a loop without a wait, and of the wait behind it.
std::string loop_words(const Diagnosis& diagnosis) {
  const bool waits = std::ranges::count(diagnosis.host, TimeUse::waiting, &TimeShare::use) > 0;
  return fmt::format(
      "No iteration was measured: {}. Each takes {}{}; the rest describes all of them, {}.",
      printable(diagnosis.why_none),
      time_in_words(diagnosis.period_us / static_cast<double>(diagnosis.iterations)),
      waits ? ", with the wait behind them" : "", time_in_words(diagnosis.period_us));
}

}  // namespace

std::vector<std::string> times_of(const std::vector<TimeShare>& shares) {
  std::vector<std::string> parts;
  for (const TimeShare& one : shares) {
    if (one.share < least_share) break;
    parts.push_back(fmt::format("{} {}", name_of(one.use), time_in_words(one.us)));
  }
  return parts;
}

std::string idle_share(const Diagnosis& diagnosis) {
  const double us = diagnosis.period_us;
  return fmt::format("idle {} of {}{}", percent(us > 0 ? diagnosis.device->idle_us / us : 0, 0),
                     time_in_words(us), times_of(diagnosis.device->causes).empty() ? "" : ": ");
}

std::string iteration_words(const Diagnosis& diagnosis) {
  const std::string calls = counted(diagnosis.calls, "call");
  if (diagnosis.found == Found::none && diagnosis.range.empty() && diagnosis.iterations > 0) {
    return loop_words(diagnosis);
  }
  if (diagnosis.found == Found::none) {
    const std::string why = diagnosis.why_none.empty() ? "" : ": " + printable(diagnosis.why_none);
    return fmt::format(
        "No iteration was found{}. Let the loop repeat more often, or name an NVTX range around "
        "one iteration: --iteration NAME. The rest describes the last {} that were kept, {}.",
        why, calls, time_in_words(diagnosis.period_us));
  }
  const std::string turns =
      diagnosis.turns > 1 ? fmt::format(", {} turns of a ring", diagnosis.turns) : "";
  return fmt::format(
      "An iteration{} takes {} ({}{}, {} iterations seen).{}",
      diagnosis.range.empty() ? "" : ", the range " + in_quotes(diagnosis.range) + ",",
      time_in_words(diagnosis.watched_us.value_or(diagnosis.period_us)), calls, turns,
      diagnosis.iterations, steps_of(diagnosis));
}

std::string calls_of(const GraphBound& graph, std::size_t place_width) {
  const std::string calls = counted(graph.calls, "call") +
                            (graph.thread > 0 ? fmt::format(" of thread {}", graph.thread) : "");
  return graph.first == graph.last
             ? fmt::format("{} at {}", calls, clipped(graph.first, place_width))
             : fmt::format("{}, from {} to {}", calls, clipped(graph.first, place_width),
                           clipped(graph.last, place_width));
}

std::string graph_words(const Diagnosis& diagnosis, std::size_t place_width) {
  const GraphBound& graph = diagnosis.graph;
  if (graph.calls == 0) return "A graph would replace none of the calls.";
  const std::string between = graph.calls > 1 ? " and the host code between them" : "";
  const auto own = std::ranges::find(diagnosis.host, TimeUse::own_code, &TimeShare::use);
  const double own_us = own == diagnosis.host.end() ? 0 : own->us;
  const double period_us = diagnosis.period_us, whole_us = diagnosis.watched_us.value_or(period_us);
  // Calls take longer while they are recorded; what is said is a part of the iteration above.
  const double share = period_us > whole_us ? whole_us / period_us : 1;
  const double most_us = std::min(whole_us, share * (graph.host_us + own_us));
  const std::string left =
      graph.least_us ? fmt::format("; the GPU needs at least {}", time_in_words(*graph.least_us))
                     : fmt::format("; that is at most {} of the host's {}", time_in_words(most_us),
                                   time_in_words(whole_us));
  return fmt::format("A graph could replace {} ({} of host time){}{}.",
                     calls_of(graph, place_width), time_in_words(share * graph.host_us), between,
                     left);
}

std::string title_of(const Diagnosis& diagnosis) {
  const std::string on = diagnosis.simulated ? "the simulated device" : diagnosis.machine.gpu;
  return printable(diagnosis.application) + (on.empty() ? "" : ", on " + on);
}

Page races_page(const Diagnosis& diagnosis, std::size_t most) {
  Page page{Heading{"Races", ""}};
  const auto& all = diagnosis.races;
  if (all.empty() && !diagnosis.races_cut) page.push_back(Paragraph{"No races found."});
  for (const RecordedRace& race : all) {
    if (page.size() > most) break;
    page.push_back(Bullet{sentence_on(race)});
  }
  if (all.size() > most) {
    page.push_back(Bullet{fmt::format("{} more kinds of pairs: see --races.", all.size() - most)});
  }
  if (diagnosis.races_cut) {
    page.push_back(Bullet{"There are too many unordered pairs to check them all."});
  }
  return page;
}

Page calls_page(const ApplicationRecording& recording) {
  Table table{
      {"call", "where", "what", ">stream", ">at, us", ">us", ">GPU at", ">us"}, {}, {"stream"}};
  const auto us = [](std::optional<double> time) { return time ? format_us(*time) : ""; };
  bool any_known = false;
  for (std::size_t i = 0; i < recording.calls.size(); ++i) {
    const RecordedCall& call = recording.calls[i];
    const std::string number = fmt::format("call {}", i), place = place_of(recording, i);
    any_known = any_known || place != number;
    table.rows.push_back(
        {number, clipped(place, place_width),
         fmt::format("{:.22}",
                     is_operation(call.kind) ? operation_name(call, recording) : function_of(call)),
         names_stream(call.kind) ? fmt::to_string(call.stream) : "", format_us(call.start_us),
         format_us(call.host_us), us(call.device_start_us), us(call.device_us)});
  }
  return {Heading{"Calls", ""}, any_known ? table : without_column(table, "where")};
}

Page diagnosis_page(const Diagnosis& diagnosis) {
  Page page{Heading{"Diagnosis", title_of(diagnosis)}};
  if (diagnosis.calls == 0) {
    page.push_back(Paragraph{
        "The recording has no calls: the application did not use CUDA while it was recorded."});
    append(page, refusals(diagnosis));
    return page;
  }
  std::string idle;
  if (diagnosis.device) {
    idle = fmt::format(" The GPU is {}{}.", idle_share(diagnosis),
                       fmt::join(times_of(diagnosis.device->causes), ", "));
  }
  page.push_back(Paragraph{iteration_words(diagnosis) + idle});
  if (diagnosis.graphs) page.push_back(Paragraph{in_words(*diagnosis.graphs)});
  page.push_back(Paragraph{graph_words(diagnosis)});
  for (const auto part : {times, findings, captures_page, graph_costs_page, pools_page}) {
    append(page, part(diagnosis));
  }
  append(page, races_page(diagnosis, most_races));
  for (const auto part : {varying, refusals}) append(page, part(diagnosis));
  if (diagnosis.reconstruction && !diagnosis.simulated) {
    page.push_back(Paragraph{origin_of_times(diagnosis, *diagnosis.reconstruction)});
  }
  if (diagnosis.simulated_times) append(page, simulated_page(*diagnosis.simulated_times));
  return page;
}

}  // namespace trilane
