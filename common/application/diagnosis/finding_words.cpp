#include "common/application/diagnosis/call_findings.hpp"
#include "common/application/diagnosis/diagnosis_page.hpp"
#include "common/base/text/page.hpp"
#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"

namespace trilane {
namespace {

constexpr std::size_t what_width = 60, beside_width = 90, place_room = 60;

/// Returns what to do about the obstacle. `by`: the wait behind which the copy is issued, if known.
std::string remedy(Obstacle obstacle, const std::string& by = "") {
  static const std::string no_room = ", as they leave no room for another kernel's";
  switch (obstacle) {
    case Obstacle::none: break;
    case Obstacle::pageable:
      return "pin its host memory, and wait for the copy before the host or another stream uses or "
             "changes its data";
    case Obstacle::synchronous:
      return "use the Async form, and wait for it before the host or another stream uses or "
             "changes its data";
    case Obstacle::legacy:
      return "use non-blocking streams, and events where one needs the other's data";
    case Obstacle::same_stream:
      return "use a second stream, and events where one needs the other's data";
    case Obstacle::order:
      return "remove waits for events that the data does not need" +
             (by.empty() ? "" : ", as " + by);
    case Obstacle::queue:
      return "launch the streams' kernels in turn, or set CUDA_DEVICE_MAX_CONNECTIONS to the "
             "number of streams before the first call, as nothing orders them and there is room";
    case Obstacle::threads: return "launch fewer or smaller blocks" + no_room;
    case Obstacle::registers:
      return "limit its registers (__launch_bounds__, --maxrregcount)" + no_room;
    case Obstacle::shared_memory: return "let its blocks take less shared memory" + no_room;
    case Obstacle::blocks: return "launch fewer blocks" + no_room;
  }
  return "";
}

std::string pinned(const CallFinding& finding) {
  if (!finding.pinned_us) return "";
  return fmt::format("; at the rate of the pinned copies here: about {}",
                     time_in_words(*finding.pinned_us));
}

std::string by_legacy_rule(const CallFinding& finding) {
  return "; only the legacy stream's rule delays " + clipped(finding.delayed, what_width);
}

std::string side_in_words(const RaceSide& side) {
  return fmt::format("{} at {} on stream {} {}", clipped(side.what, what_width), side.place,
                     side.stream, name_of(side.use));
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

std::string advice_on(const CallFinding& finding) {
  switch (finding.kind) {
    case FindingKind::copy_could_overlap:
      return "overlap the copy with kernels that use other data: " +
             remedy(finding.obstacle, finding.delayed);
    case FindingKind::copy_needs_buffer:
      return "with a second buffer, overlap the copy with the next iteration's kernels, if the "
             "host may run ahead and no data stay in the buffer for that iteration: " +
             remedy(finding.obstacle, finding.delayed);
    case FindingKind::pageable_copy:
      return fmt::format("{}; it copies {} of pageable memory, and the host stays in the call{}",
                         remedy(Obstacle::pageable), format_bytes(finding.bytes), pinned(finding));
    case FindingKind::synchronization:
      return "wait or poll later or less often, if until then neither the host nor another stream "
             "needs that work done";
    case FindingKind::allocation:
      return "allocate once, before the loop, all that is in use at a time, and wait where only a "
             "free did";
    case FindingKind::implicit_wait:
      return remedy(finding.obstacle) + "; the host waits, because the call is synchronous";
    case FindingKind::small_result:
      return "look at the few bytes of the result an iteration later, in a buffer of their own, if "
             "the host may act so late, or decide on the device (IF and WHILE nodes of a graph)";
    case FindingKind::legacy_wait: return remedy(Obstacle::legacy) + by_legacy_rule(finding);
    case FindingKind::legacy_event:
      return "record an event on each stream whose work it marks, and use events where one needs "
             "the other's data" +
             by_legacy_rule(finding);
    case FindingKind::host_function:
      return "record an event there, let the host wait for it and run the function, and only then "
             "issue what uses the same memory: the stream stands still until the function has run "
             "on a thread of the driver";
    case FindingKind::other_threads:
      return "make fewer calls in each thread, as a graph for each loop, so far as they wait for "
             "each "
             "other in the driver and not for the GPU: an iteration is this much shorter while the "
             "others stand still";
    case FindingKind::useless_stream_wait:
      return "remove the wait: its event is known to be done, or the stream has just waited for it";
    case FindingKind::useless_synchronize:
      return "remove the wait: the host has waited for the same earlier in the iteration";
    case FindingKind::nothing_copied: return "remove the call: it copies or sets no bytes";
    case FindingKind::memset_overwritten:
      return "remove the memset: a copy overwrites its bytes before anything can read them";
    case FindingKind::copies_in_pieces:
      return "make one copy of these: each begins where the one before ends, in both memories";
    case FindingKind::kernels_apart:
      return fmt::format("let the kernel run beside {}{}: {}",
                         clipped(finding.beside, beside_width),
                         is_order(finding.obstacle) ? ", which uses other data" : "",
                         remedy(finding.obstacle, finding.delayed));
    case FindingKind::unjudged_wait:
      return "not judged, because times of events may be read behind it";
  }
  return "";
}

}  // namespace

std::string sentence_on(const CallFinding& finding) {
  const std::string place =
      finding.place.empty() ? "" : fmt::format(" ({})", clipped(finding.place, place_room));
  if (finding.kind == FindingKind::unjudged_wait) {
    return fmt::format("{}: {}{}, {} in the calls.", capitalised(advice_on(finding)), finding.name,
                       place, time_in_words(finding.us));
  }
  const std::string gain = finding.gain_us ? "At most " + time_in_words(*finding.gain_us)
                                           : "Gain not known (times of the GPU are missing), " +
                                                 time_in_words(finding.us) + " in the calls";
  return fmt::format("{}: {}: {}{}.", gain, advice_on(finding), finding.name, place);
}

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

std::string sentence_on(const EarlyLaunches& launches) {
  std::string which = fmt::format("{} at {}", clipped(launches.kernel, what_width),
                                  clipped(launches.place, place_room));
  if (launches.count > 1) which = fmt::format("{} launches, first {},", launches.count, which);
  if (launches.waits) {
    return fmt::format(
        "Programmatic stream serialization gains little: the code of the kernel before {} never "
        "calls cudaTriggerProgrammaticLaunchCompletion.",
        which);
  }
  return fmt::format(
      "Nothing orders {} behind the kernel before: with programmatic stream serialization a kernel "
      "has to call cudaGridDependencySynchronize, and its code never does. If it reads what the "
      "kernel before writes, this is a race.",
      which);
}

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
