#include "common/application/diagnosis/diagnosis_page.hpp"

#include "common/base/text/page.hpp"
#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"

namespace trilane {

namespace {

constexpr std::size_t what_width = 60, place_room = 60;

/// Returns what to do about the obstacle. `by`: the wait behind which the copy is issued, if known.
std::string remedy(Obstacle obstacle, const std::string& by = "") {
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
    case Obstacle::order:
      return "remove waits for events that the data does not need" +
             (by.empty() ? "" : ", as " + by);
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

}  // namespace

std::string advice_on(const CallFinding& finding) {
  switch (finding.kind) {
    case FindingKind::copy_could_overlap:
      return "overlap the copy with kernels that use other data: " +
             remedy(finding.obstacle, finding.delayed);
    case FindingKind::copy_needs_buffer:
      return "with a second buffer, overlap the copy with the next iteration's kernels, if the "
             "host may run ahead: " +
             remedy(finding.obstacle, finding.delayed);
    case FindingKind::pageable_copy:
      return fmt::format("{}; it copies {} of pageable memory, and the host stays in the call{}",
                         remedy(Obstacle::pageable), format_bytes(finding.bytes), pinned(finding));
    case FindingKind::synchronization:
      return "wait or poll later or less often, if the host can do without the results until then";
    case FindingKind::allocation: return "allocate once, before the loop, and free after it";
    case FindingKind::implicit_wait:
      return remedy(finding.obstacle) + "; the host waits, because the call is synchronous";
    case FindingKind::small_result:
      return "look at the few bytes of the result an iteration later, or decide on the device (IF "
             "and WHILE nodes of a graph)";
    case FindingKind::legacy_wait: return remedy(Obstacle::legacy) + by_legacy_rule(finding);
    case FindingKind::legacy_event:
      return "record the event on the stream that it times" + by_legacy_rule(finding);
    case FindingKind::host_function:
      return "record an event there and let the host wait for it: the stream stands still until "
             "the function has run on a thread of the driver";
    case FindingKind::other_threads:
      return "make fewer calls in each thread, as a graph for each loop: an iteration is this much "
             "shorter while the others stand still, as threads wait for each other in the driver "
             "and on the GPU";
    case FindingKind::useless_stream_wait:
      return "remove the wait: its event is known to be done, or the stream has just waited for it";
    case FindingKind::useless_synchronize:
      return "remove the wait: the host has waited for the same earlier in the iteration";
    case FindingKind::nothing_copied: return "remove the call: it copies or sets no bytes";
    case FindingKind::memset_overwritten:
      return "remove the memset: a copy overwrites its bytes before anything can read them";
    case FindingKind::unjudged_wait:
      return "not judged, because times of events may be read behind it";
  }
  return "";
}

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

}  // namespace trilane
