#include "common/application/diagnosis/words/capture_words.hpp"

#include <fmt/format.h>

#include "common/application/iteration/records/call_kinds.hpp"
#include "common/base/text/words.hpp"

namespace trilane {

namespace {

/// Says how to issue work of that kind into a capturing stream.
std::string into_captured_stream(CallKind kind) {
  if (const auto operation = traits_of(kind).operation) {
    switch (*operation) {
      case StreamOperation::copy: return "Write cudaMemcpyAsync on the captured stream.";
      case StreamOperation::memset: return "Write cudaMemsetAsync on the captured stream.";
      case StreamOperation::kernel: return "Launch the kernel into the captured stream.";
      case StreamOperation::graph: break;
    }
  }
  return "Give it the captured stream, or move it out of the capture.";
}

constexpr char move_it[] = "Move it in front of the capture or behind it.";

/// Says why a capture failed, and names the remedy. The codes are those of CUresult, fixed by
/// cuda.h.
std::string of_code(const CaptureObstacle& failed) {
  switch (failed.code) {
    case 900:
      return fmt::format(
          "it is not allowed on the legacy stream, or while a stream is captured. {}", move_it);
    case 902: return "it joins two captures. Capture both streams as one, from one stream.";
    case 903: return "the capture did not begin in that stream. End it where it began.";
    case 904:
      return "a stream that was forked is not joined. Let the first stream wait for an event "
             "behind the work of the other.";
    case 905:
      return "it waits for an event from outside of the capture. Record the event within it.";
    case 906:
      return "it uses the legacy stream while another is captured. " +
             into_captured_stream(failed.kind);
    case 907:
      return fmt::format("it asks about an event that was recorded in the capture. {}", move_it);
    case 908: return "another thread had begun the capture. End it in the same thread.";
    default: return "the call before it that failed is not known. Check what each call returns.";
  }
}

/// Returns "call 7, cudaMemset" or "13 calls of cudaMemset, the first of them call 7".
std::string calls_of(const CaptureObstacle& obstacle) {
  const std::uint32_t first = obstacle.call.value_or(0) + 1;
  if (obstacle.count == 1) return fmt::format("call {}, {}", first, obstacle.name);
  return fmt::format("{} calls of {}, the first of them call {}", obstacle.count, obstacle.name,
                     first);
}

/// Returns, for example, "cudaMemset (call 7, error 906)".
std::string broke(const CaptureObstacle& failed) {
  const std::string call = failed.call ? fmt::format("call {}, ", *failed.call + 1) : "";
  return fmt::format("{} ({}error {})", failed.name, call, failed.code);
}

std::string changed(const CaptureObstacle& obstacle, const std::string& why) {
  return fmt::format("To capture this, change {}: {}", calls_of(obstacle), why);
}

std::string in_words(const CaptureObstacle& obstacle) {
  switch (obstacle.reason) {
    case CaptureReason::failed:
      return fmt::format("{} of {} that the application tried failed at {}: {}", obstacle.count,
                         counted(obstacle.of, "capture"), broke(obstacle), of_code(obstacle));
    case CaptureReason::legacy_stream:
      return changed(
          obstacle, "the legacy stream cannot be captured. " + into_captured_stream(obstacle.kind));
    case CaptureReason::synchronous:
      return changed(obstacle, "the host waits in it, which a capture does not allow. " +
                                   into_captured_stream(obstacle.kind));
    case CaptureReason::batch:
      return changed(obstacle,
                     "a capture fails at a batch of copies, or leaves its copies out. Write one "
                     "cudaMemcpyAsync for each copy.");
    case CaptureReason::pageable:
      return changed(obstacle,
                     "it copies pageable memory, which a capture need not accept. Use "
                     "cudaMallocHost, or pin the memory with cudaHostRegister.");
    case CaptureReason::allocates:
      return changed(obstacle,
                     "a capture does not allow it. Allocate once, before the capture, "
                     "and free behind the last launch.");
    case CaptureReason::outlives:
      return changed(obstacle,
                     "its memory lives longer than one launch of the graph. Allocate once, before "
                     "the capture, or allocate and free within it.");
    case CaptureReason::priorities:
      return "Kernels keep their different priorities only in a graph that is instantiated with "
             "cudaGraphInstantiateFlagUseNodePriority.";
  }
  return "";
}

}  // namespace

std::vector<std::string> capture_words(const std::vector<CaptureObstacle>& obstacles) {
  std::vector<std::string> sentences;
  for (const CaptureObstacle& obstacle : obstacles) sentences.push_back(in_words(obstacle));
  return sentences;
}

}  // namespace trilane
