#include "common/application/recorder/listening/capture_watch.hpp"

#include "common/application/iteration/call_kinds.hpp"
#include "common/application/recorder/driver/driver_surroundings.hpp"

namespace trilane {
namespace {

/// The nodes captured before the thread's batch of copies; absent: unknown.
thread_local std::optional<std::size_t> nodes_before;

std::optional<CUstreamCaptureStatus> status_of(std::uint64_t stream) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  const auto ask = driver_functions().cuStreamIsCapturing;
  if (!ask || ask(reinterpret_cast<CUstream>(stream), &status) != CUDA_SUCCESS) return {};
  return status;
}

/// Returns the number of nodes of the graph that the stream is captured into; absent: unknown.
std::optional<std::size_t> captured_nodes(std::uint64_t stream) {
  const DriverFunctions& driver = driver_functions();
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  CUgraph graph = nullptr;
  std::size_t nodes = 0;
  const CUresult code = driver.cuStreamGetCaptureInfo(reinterpret_cast<CUstream>(stream), &status,
                                                      nullptr, &graph, nullptr, nullptr, nullptr);
  if (code != CUDA_SUCCESS || status != CU_STREAM_CAPTURE_STATUS_ACTIVE) return {};
  if (driver.cuGraphGetNodes(graph, nullptr, &nodes) != CUDA_SUCCESS) return {};
  return nodes;
}

bool is_work(CallKind kind) {
  const CallRole role = role_of(kind);
  return role == CallRole::work || role == CallRole::graph_launch ||
         role == CallRole::host_function;
}

}  // namespace

/// If the driver refuses to say, it is because a capture forbids the question.
bool CaptureWatch::is_captured(std::uint64_t stream) const {
  if (!driver_functions().cuStreamIsCapturing) return false;
  return status_of(stream) != CU_STREAM_CAPTURE_STATUS_NONE;
}

/// Unwinding would lengthen the iterations that are timed while only their ends are heard.
bool CaptureWatch::wants_stack(const ListenedCall& what, CUresult code, bool captured) {
  if (recorder_.watches()) return false;
  const bool begins = what.effect == Effect::capture_begins;
  const bool breaks = is_of_capture(code) && code != CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  const bool of_interest = any() && what.effect == Effect::observed && code == CUDA_SUCCESS &&
                           (captured ? what.kind == CallKind::wait_event ||
                                           what.kind == CallKind::allocate_async || what.batch
                                     : is_work(what.kind));
  return breaks || ((begins || of_interest) && stacks_left_.fetch_sub(1) > 0);
}

void CaptureWatch::enters(const ListenedCall& what, const void* parameters) const {
  if (!what.batch) return;
  nodes_before = captured_nodes(glance_of(what, parameters).stream);
}

void CaptureWatch::changed(const Call& call) {
  const Effect effect = call.what.effect;
  const bool of_capture = effect == Effect::capture_begins || effect == Effect::capture_ends;
  if (call.code != CUDA_SUCCESS && !of_capture) return fails(call);
  switch (effect) {
    case Effect::observed:
    case Effect::loads:
    case Effect::creates:
    case Effect::prepares_graph: return;
    case Effect::capture_begins: return begins(call);
    case Effect::capture_ends: return ends(call);
    case Effect::destroys_stream:
      std::erase_if(captures_, [&](const auto& one) { return one.stream == call.call.stream; });
      any_ = !captures_.empty();
      return recorder_.stream_destroyed(call.call.stream);
    case Effect::unloads: forget_kernels(); return recorder_.kernels_unloaded();
    case Effect::resets:
      forget_kernels();
      context_reset();
      return recorder_.context_reset();
  }
}

ObservedCaptureCall CaptureWatch::described(const Call& call, const Capture& capture,
                                            CaptureEffect effect) {
  const std::uint64_t stream = call.call.stream;
  return {.function = call.call.function,
          .runtime = call.call.runtime,
          .kind = call.what.kind,
          .code = static_cast<std::uint32_t>(call.code),
          .place = {.effect = effect,
                    .mode = capture.mode,
                    .stream = stream == 0                        ? CaptureStream::none
                              : stream == capture.stream         ? CaptureStream::captured
                              : stream == legacy_handle          ? CaptureStream::legacy
                              : capture.joining.contains(stream) ? CaptureStream::joined
                                                                 : CaptureStream::other,
                    .loads = call.what.effect == Effect::loads,
                    .other_thread = call.call.thread != capture.thread},
          .thread = call.call.thread,
          .begun_by = capture.thread,
          .stack = call.call.stack,
          .begin = capture.begin};
}

/// Another thread's default stream cannot be asked about. Without an answer the call counts.
bool CaptureWatch::is_invalid(const Capture& capture, std::uint64_t thread) const {
  if (capture.stream == per_thread_handle && capture.thread != thread) return true;
  return status_of(capture.stream).value_or(CU_STREAM_CAPTURE_STATUS_INVALIDATED) ==
         CU_STREAM_CAPTURE_STATUS_INVALIDATED;
}

void CaptureWatch::begins(const Call& call) {
  Capture capture{.stream = call.call.stream,
                  .thread = call.call.thread,
                  .mode = static_cast<CaptureMode>(call.call.value),
                  .era = recorder_.watches() ? 0 : call.era,
                  .begin = call.call.stack};
  if (call.code == CUDA_SUCCESS) {
    captures_.push_back(std::move(capture));
    any_ = true;
  } else if (capture.era != 0) {
    recorder_.capture_ended({.mode = capture.mode,
                             .begin = capture.begin,
                             .failed = true,
                             .broken = described(call, capture, CaptureEffect::broke)});
  }
}

/// An end that fails may leave the capture under way, as one in another thread does.
void CaptureWatch::ends(const Call& call) {
  const auto found = std::ranges::find_if(captures_, [&](const Capture& one) {
    const bool own = one.stream != per_thread_handle || one.thread == call.call.thread;
    return one.stream == call.call.stream && own;
  });
  const bool failed = call.code != CUDA_SUCCESS;
  const bool goes_on =
      failed && status_of(call.call.stream).value_or(CU_STREAM_CAPTURE_STATUS_NONE) !=
                    CU_STREAM_CAPTURE_STATUS_NONE;
  if (found == captures_.end() || goes_on) return fails(call);
  ObservedCapture ended{.mode = found->mode,
                        .begin = found->begin,
                        .elsewhere = found->thread != call.call.thread,
                        .failed = failed,
                        .heard = found->era == call.era};
  if (failed) {
    ended.broken = found->broken ? *found->broken : described(call, *found, CaptureEffect::broke);
    const auto apart =
        std::ranges::find_if(found->joining, [](const auto& one) { return !one.second.joined; });
    if (!found->broken && apart != found->joining.end()) ended.broken->fork = apart->second.fork;
  }
  captures_.erase(found);
  any_ = !captures_.empty();
  recorder_.capture_ended(ended);
}

/// The first call that fails because of a capture breaks it.
void CaptureWatch::fails(const Call& call) {
  if (!is_of_capture(call.code) || captures_.empty()) return;
  bool known = false;
  for (Capture& capture : captures_) {
    if (!is_invalid(capture, call.call.thread)) continue;
    known = true;
    if (!capture.broken) capture.broken = described(call, capture, CaptureEffect::broke);
  }
  if (!known) note(call, CaptureEffect::refused);
}

void CaptureWatch::note(const Call& call, CaptureEffect effect) {
  const auto own = std::ranges::find(captures_, call.call.thread, &Capture::thread);
  recorder_.capture_noted(
      described(call, own == captures_.end() ? captures_.front() : *own, effect));
}

/// Returns the capture that the call belongs to, by its stream, its event or its thread.
CaptureWatch::Capture* CaptureWatch::capture_of(const Call& call) {
  const auto holds = [&](const Capture& one) {
    return one.stream == call.call.stream || one.joining.contains(call.call.stream) ||
           (call.what.kind == CallKind::wait_event && one.events.contains(call.call.event));
  };
  auto found = std::ranges::find_if(captures_, holds);
  if (found == captures_.end()) {
    found = std::ranges::find(captures_, call.call.thread, &Capture::thread);
  }
  return found == captures_.end() ? nullptr : &*found;
}

void CaptureWatch::runs(const Call& call, bool captured) {
  Capture* const capture = capture_of(call);
  if (capture == nullptr || capture->era != call.era) return;
  if (captured) return follow(call, *capture);
  if (is_work(call.what.kind) && capture->thread == call.call.thread) {
    note(call, CaptureEffect::left_out);
  }
}

/// Notes which streams join the capture, and which of them leave work that nobody waits for.
void CaptureWatch::follow(const Call& call, Capture& capture) {
  const std::uint64_t stream = call.call.stream, event = call.call.event;
  const auto joining = capture.joining.find(stream);
  const bool joins = joining != capture.joining.end();
  if (call.what.kind == CallKind::record_event) {
    capture.events[event] = stream;
  } else if (call.what.kind == CallKind::wait_event) {
    if (const auto from = capture.events.find(event); from != capture.events.end()) {
      const auto waited = capture.joining.find(from->second);
      if (waited != capture.joining.end() && from->second != stream) waited->second.joined = true;
    }
    if (!joins && stream != capture.stream) capture.joining[stream] = {.fork = call.call.stack};
  } else if (joins) {
    joining->second.joined = false;
    std::erase_if(capture.events, [&](const auto& one) { return one.second == stream; });
  }
  if (call.what.kind == CallKind::allocate_async) note(call, CaptureEffect::allocates);
  if (!call.what.batch) return;
  const auto before = std::exchange(nodes_before, std::nullopt);
  if (before && captured_nodes(stream) == before) note(call, CaptureEffect::lost_batch);
}

void CaptureWatch::application_ends() {
  for (const Capture& capture : captures_) {
    if (!capture.broken || capture.era == 0) continue;
    recorder_.capture_ended(
        {.mode = capture.mode, .begin = capture.begin, .failed = true, .broken = capture.broken});
  }
  context_reset();
}

void CaptureWatch::context_reset() {
  captures_.clear();
  any_ = false;
}

}  // namespace trilane
