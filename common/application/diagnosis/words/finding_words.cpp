#include "common/application/diagnosis/words/finding_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text/size.hpp"
#include "common/text/words.hpp"

namespace trilane {
namespace {

std::string reason(Obstacle obstacle) {
  switch (obstacle) {
    case Obstacle::none: break;
    case Obstacle::pageable: return "its host memory is pageable: pin it";
    case Obstacle::synchronous: return "the call is a synchronous one: use its Async form";
    case Obstacle::legacy: return "the legacy stream orders it: use non-blocking streams";
    case Obstacle::same_stream:
      return "it is in the same stream as the kernels: use another stream";
    case Obstacle::order: return "events or waits keep it from that";
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
      return "no kernel runs beside the copy, though one uses other memory; " +
             reason(finding.obstacle);
    case FindingKind::copy_needs_buffer:
      return "no kernel runs beside the copy; that would take a second buffer, and " +
             reason(finding.obstacle);
    case FindingKind::pageable_copy:
      return fmt::format("copies {} of pageable memory, and the host is in the call meanwhile{}",
                         format_bytes(finding.bytes), pinned(finding));
    case FindingKind::synchronization: return "the host waits, or asks whether it has to";
    case FindingKind::allocation: return "allocates or frees in the loop";
    case FindingKind::implicit_wait:
      return finding.obstacle == Obstacle::synchronous
                 ? "waits, because the call is a synchronous one"
                 : "waits for all work on the GPU before it frees";
    case FindingKind::legacy_wait:
      return "ordered behind work in another stream only by the legacy stream's rule";
    case FindingKind::useless_stream_wait:
      return "waits for an event that is done already: does nothing";
    case FindingKind::useless_synchronize:
      return "waits for what the host has waited for already: does nothing";
    case FindingKind::unused_event:
      return "records an event that nothing here waits for; it may be for timing";
    case FindingKind::nothing_copied: return "copies or sets no bytes";
    case FindingKind::memset_overwritten:
      return "possibly useless: a copy overwrites all of it before anything known reads it";
  }
  return "";
}

}  // namespace

std::string sentence_on(const CallFinding& finding) {
  const bool all = finding.calls.size() == finding.count;
  const std::string time = finding.us > 0 ? ", " + time_in_words(finding.us) : "";
  return fmt::format("{}, {}{}: {} (#{}{}).", finding.name, counted(finding.count, "time"), time,
                     meaning(finding), fmt::join(finding.calls, ", #"), all ? "" : ", ...");
}

}  // namespace trilane
