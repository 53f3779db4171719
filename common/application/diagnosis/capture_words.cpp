#include "common/application/diagnosis/diagnosis_page.hpp"
#include "common/application/iteration/call_kinds.hpp"
#include "common/base/text/words.hpp"

namespace trilane {

namespace {

constexpr std::size_t most_place = 70, most_cell = 40;

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

constexpr char wait_after[] = "Wait or ask after the capture, behind a launch.";
constexpr char own_stream[] = "Use a stream of your own there, made with cudaStreamNonBlocking.";

/// Says what to do about a call that is not allowed while a stream is captured.
std::string remedy_for_forbidden(const CaptureObstacle& failed) {
  const CapturePlace place = failed.where.value_or(CapturePlace{});
  if (place.other_thread) {
    return "Begin the capture with cudaStreamCaptureModeThreadLocal, which lets other threads make "
           "such calls.";
  }
  if (place.loads) {
    return "Launch each kernel once before the capture, or set CUDA_MODULE_LOADING=EAGER.";
  }
  if (place.stream == CaptureStream::legacy && failed.kind == CallKind::other) {
    return own_stream;
  }
  switch (role_of(failed.kind)) {
    case CallRole::work:
    case CallRole::graph_launch: return into_captured_stream(failed.kind);
    case CallRole::allocation:
    case CallRole::release:
      return "Allocate once, before the capture, and free after the last launch.";
    case CallRole::synchronize_stream:
    case CallRole::synchronize_event:
    case CallRole::synchronize_context:
    case CallRole::query: return wait_after;
    case CallRole::host_function:
    case CallRole::record_event:
    case CallRole::wait_event:
    case CallRole::graph_change:
    case CallRole::other: break;
  }
  return "Move it before or after the capture.";
}

/// Says why a call failed because of a capture, and what to do. The codes are CUresult's (cuda.h).
std::string reason_and_remedy(const CaptureObstacle& failed) {
  switch (failed.code) {
    case 900: {
      const bool legacy = !failed.where || failed.where->stream == CaptureStream::legacy;
      return fmt::format("it is not allowed {}while a stream is captured. {}",
                         legacy ? "on the legacy stream, or " : "", remedy_for_forbidden(failed));
    }
    case 902: return "it joins two captures. Capture both streams as one, from one stream.";
    case 903: return "the capture did not begin in that stream. End it where it began.";
    case 904:
      return fmt::format(
          "{} is not joined. Let the first stream wait for an event recorded after the work of the "
          "other.",
          failed.fork.empty() ? "a stream that was forked"
                              : fmt::format("the stream that was forked at {}", failed.fork));
    case 905:
      return "it waits for an event recorded outside the capture. Record the event within it.";
    case 906:
      return "it uses the legacy stream while another is captured. " +
             (failed.where && failed.where->other_thread ? own_stream
                                                         : into_captured_stream(failed.kind));
    case 907:
      return fmt::format("it queries an event that was recorded in the capture. {}", wait_after);
    case 908:
      return "another thread began the capture. End it in the same thread, or begin it with "
             "cudaStreamCaptureModeRelaxed.";
    default:
      return "an earlier call failed, and it is not known which. Check the result of each call.";
  }
}

constexpr std::uint64_t handful = 5;

/// Returns "cudaMemset at call 6" or "13 calls of cudaMemset, the first at call 6".
std::string calls_of(const CaptureObstacle& obstacle) {
  if (obstacle.count == 1) return fmt::format("{} at {}", obstacle.name, obstacle.place);
  return fmt::format("{} calls of {}, the first at {}", obstacle.count, obstacle.name,
                     obstacle.place);
}

std::string stream_in_words(CaptureStream stream) {
  switch (stream) {
    case CaptureStream::none: break;
    case CaptureStream::captured: return "on the captured stream";
    case CaptureStream::joined: return "on a stream that joined the capture";
    case CaptureStream::legacy: return "on the legacy stream";
    case CaptureStream::other: return "on a stream that is not captured";
  }
  return "";
}

std::string thread_in_words(std::uint32_t thread) {
  return thread == 0 ? "another thread" : fmt::format("thread {}", thread);
}

const char* name_in_words(CaptureMode mode) {
  return mode == CaptureMode::per_thread ? "thread-local" : name_of(mode);
}

/// Returns, for example, "cudaMemset (call 6, on the legacy stream, error 906)".
std::string failure_in_words(const CaptureObstacle& failed) {
  std::vector<std::string> parts;
  if (!failed.place.empty()) parts.push_back(clipped(failed.place, most_place));
  if (failed.where) {
    if (const auto words = stream_in_words(failed.where->stream); !words.empty()) {
      parts.push_back(words);
    }
    if (failed.where->other_thread) parts.push_back("by " + thread_in_words(failed.where->thread));
  }
  parts.push_back(fmt::format("error {}", failed.code));
  return fmt::format("{} ({})", failed.name, fmt::join(parts, ", "));
}

/// Returns where and how the capture began, as a sentence after a space.
std::string begin_in_words(const CaptureObstacle& failed) {
  if (!failed.where) return "";
  const std::string thread =
      failed.where->other_thread ? ", by " + thread_in_words(failed.where->begun_by) : "";
  const std::string place = failed.begin.empty() ? "" : " at " + clipped(failed.begin, most_place);
  return fmt::format(" Begun{}{}, {} mode.", place, thread, name_in_words(failed.where->mode));
}

/// Returns "cudaMallocAsync at run.cpp:6 step" or "13 calls of ..., the first at ...".
std::string noted_calls(CaptureObstacle noted) {
  noted.place = noted.place.empty() ? "an unknown line" : clipped(noted.place, most_place);
  return calls_of(noted);
}

std::string changed(const CaptureObstacle& obstacle, const std::string& why) {
  return fmt::format("To capture this, change {}: {}", calls_of(obstacle), why);
}

/// Returns the error's reason, its remedy and the capture.
std::string why_in_words(const CaptureObstacle& failed) {
  return reason_and_remedy(failed) + begin_in_words(failed);
}

std::string in_words(CaptureEffect effect, const CaptureObstacle& noted) {
  switch (effect) {
    case CaptureEffect::broke: break;
    case CaptureEffect::refused:
      return fmt::format("{} failed because of a capture, which went on: {}",
                         failure_in_words(noted), why_in_words(noted));
    case CaptureEffect::lost_batch:
      return fmt::format(
          "Not in the captured graph, without an error: {}. Write one cudaMemcpyAsync for each "
          "copy.",
          noted_calls(noted));
    case CaptureEffect::left_out:
      return fmt::format(
          "Not in the captured graph: {}, {}. Such work runs at once. To capture it, let its "
          "stream wait for an event of the captured stream, and join it before the end.{}",
          noted_calls(noted), stream_in_words(noted.where->stream), begin_in_words(noted));
    case CaptureEffect::allocates:
      return fmt::format(
          "A captured graph allocates: {}. Allocate before the capture; a library takes a "
          "workspace, as by cublasSetWorkspace.",
          noted_calls(noted));
  }
  return "";
}

std::string in_words(const CaptureObstacle& obstacle) {
  switch (obstacle.reason) {
    case CaptureReason::failed:
      if (obstacle.name.empty()) {
        return fmt::format("{} failed: {}", counted(obstacle.count, "capture"),
                           why_in_words(obstacle));
      }
      return fmt::format("{} of {} failed at {}: {}", obstacle.count,
                         counted(obstacle.of, "capture"), failure_in_words(obstacle),
                         why_in_words(obstacle));
    case CaptureReason::noted:
      return in_words(obstacle.where.value_or(CapturePlace{}).effect, obstacle);
    case CaptureReason::legacy_stream:
      if (obstacle.count > handful) {
        return fmt::format(
            "To capture this, use a stream of your own: {} are in the legacy stream, which cannot "
            "be captured. A library takes one by its set-stream call.",
            calls_of(obstacle));
      }
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
                     "it copies pageable memory, which a capture may refuse. Use cudaMallocHost, "
                     "or pin the memory with cudaHostRegister.");
    case CaptureReason::allocates:
      return changed(obstacle,
                     "a capture does not allow it. Allocate once, before the capture, and free "
                     "after the last launch.");
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
  return transformed(obstacles, [](const CaptureObstacle& one) { return in_words(one); });
}

Page captures_page(const Diagnosis& diagnosis) {
  if (diagnosis.captures.empty()) return {};
  Table table{{"captures begun at", "mode", ">ended", ">failed", ">in another thread"}, {}};
  for (const CapturesAt& one : diagnosis.captures) {
    table.rows.push_back({one.place.empty() ? "an unknown line" : clipped(one.place, most_cell),
                          name_in_words(one.mode), fmt::to_string(one.ended),
                          fmt::to_string(one.failed), fmt::to_string(one.elsewhere)});
  }
  Page page{Heading{"Captures", ""}, std::move(table)};
  for (const CaptureObstacle& one : diagnosis.capture) {
    if (is_tried(one.reason)) page.push_back(Bullet{in_words(one)});
  }
  return page;
}

}  // namespace trilane
