#include "common/application/diagnosis/finding_words.hpp"

#include <fmt/format.h>

#include "common/base/text/layout.hpp"
#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"

namespace trilane {

namespace {

constexpr std::size_t what_width = 60;

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

std::string side_in_words(const RaceSide& side) {
  return fmt::format("{} at {} on stream {} {}", clipped(side.what, what_width), side.place,
                     side.stream, name_of(side.use));
}

}  // namespace

std::string advice_on(const CallFinding& finding) {
  switch (finding.kind) {
    case FindingKind::copy_could_overlap:
      return "overlap the copy with kernels that use other data: " + remedy(finding.obstacle);
    case FindingKind::copy_needs_buffer:
      return "with a second buffer, overlap the copy with the next iteration's kernels, if the "
             "host may run ahead: " +
             remedy(finding.obstacle);
    case FindingKind::pageable_copy:
      return fmt::format("{}; it copies {} of pageable memory, and the host stays in the call{}",
                         remedy(Obstacle::pageable), format_bytes(finding.bytes), pinned(finding));
    case FindingKind::synchronization:
      return "wait or poll later or less often, if the host can do without the results until then";
    case FindingKind::allocation: return "allocate once, before the loop, and free after it";
    case FindingKind::implicit_wait:
      return finding.obstacle == Obstacle::synchronous
                 ? remedy(finding.obstacle) + "; the host waits, because the call is synchronous"
                 : "free after the loop: the call waits for all work on the GPU";
    case FindingKind::small_result:
      return "look at the few bytes of the result an iteration later, or decide on the device (IF "
             "and WHILE nodes of a graph)" +
             (finding.least_us
                  ? ", where an iteration takes at least " + time_in_words(*finding.least_us)
                  : "");
    case FindingKind::legacy_wait:
      return fmt::format("{}; by the legacy stream's rule {} starts late, which no data requires",
                         remedy(Obstacle::legacy), clipped(finding.delayed, what_width));
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
  }
  return "";
}

std::string sentence_on(const CallFinding& finding) {
  if (finding.calls.empty()) {
    return fmt::format("{}, {}: {}. Possible gain: at most {}.", finding.name,
                       time_in_words(finding.us), advice_on(finding),
                       time_in_words(finding.gain_us));
  }
  return fmt::format("{}, {}, {}: {} ({}). Possible gain: at most {}.", finding.name,
                     counted(finding.count, "time"), time_in_words(finding.us), advice_on(finding),
                     finding.place, time_in_words(finding.gain_us));
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

std::string sentence_on(const CurableRefusal& refusal) {
  switch (refusal.reason) {
    case CurableReason::loop_changed:
      return "To have it replayed, let the loop repeat unchanged for longer, or name an NVTX range "
             "around one iteration: --iteration NAME.";
    case CurableReason::several_threads:
      return fmt::format(
          "To have it replayed, make the calls of an iteration from one thread: now {} make them.",
          refusal.count);
    case CurableReason::host_function:
      return fmt::format(
          "To have it replayed, call the function on the host after a wait, not from a stream "
          "({}).",
          refusal.place);
    case CurableReason::allocation:
      return fmt::format(
          "To have it replayed, allocate once, before the loop, or allocate and free in the same "
          "iteration ({}).",
          refusal.place);
    case CurableReason::managed_memory:
      return fmt::format(
          "To have it replayed, use cudaMalloc and copies instead of managed memory ({}).",
          refusal.place);
  }
  return "";
}

}  // namespace trilane
