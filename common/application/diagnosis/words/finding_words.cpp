#include "common/application/diagnosis/words/finding_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"

namespace trilane {
namespace {

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
    case Obstacle::order: return "remove the events or waits that no data need";
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
      return "no kernel runs beside the copy, although one uses other data. To overlap them, " +
             remedy(finding.obstacle);
    case FindingKind::copy_needs_buffer:
      return "no kernel runs beside the copy. It could overlap the next iteration's kernels with a "
             "second buffer, if the host may run ahead: " +
             remedy(finding.obstacle);
    case FindingKind::pageable_copy:
      return fmt::format(
          "copies {} of pageable memory, and the host stays in the call{}. Instead, {}",
          format_bytes(finding.bytes), pinned(finding), remedy(Obstacle::pageable));
    case FindingKind::synchronization: return "the host waits, or asks whether work is done";
    case FindingKind::allocation: return "allocates or frees in the loop";
    case FindingKind::implicit_wait:
      return finding.obstacle == Obstacle::synchronous
                 ? "the host waits, because the call is synchronous. Instead, " +
                       remedy(finding.obstacle)
                 : "waits for all work on the GPU before it frees";
    case FindingKind::legacy_wait:
      return "starts late by the legacy stream's rule alone, and not for data: " +
             remedy(Obstacle::legacy);
    case FindingKind::useless_stream_wait:
      return "waits for an event that is known to be done, or that the stream has just waited for: "
             "does nothing";
    case FindingKind::useless_synchronize:
      return "waits for what the host has waited for earlier in the iteration: does nothing";
    case FindingKind::nothing_copied: return "copies or sets no bytes";
    case FindingKind::memset_overwritten:
      return "sets bytes that a copy overwrites before anything can read them";
  }
  return "";
}

}  // namespace

std::string sentence_on(const CallFinding& finding) {
  const bool all = finding.calls.size() == finding.count;
  return fmt::format("{}, {}, {}: {} (#{}{}). Possible gain: at most {}.", finding.name,
                     counted(finding.count, "time"), time_in_words(finding.us), meaning(finding),
                     fmt::join(finding.calls, ", #"), all ? "" : ", ...",
                     time_in_words(finding.gain_us));
}

}  // namespace trilane
