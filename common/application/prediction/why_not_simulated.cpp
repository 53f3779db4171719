#include "common/application/prediction/simulated_prediction.hpp"

#include "common/application/iteration/call_segments.hpp"
#include "common/application/iteration/call_traits.hpp"
#include "common/application/prediction/ways/ways.hpp"

namespace trilane {
namespace {

/// Beyond this number of calls each way takes seconds.
constexpr std::size_t most_calls = 20'000;
/// The same limit for calls times streams; a recording may have more.
constexpr std::size_t most_clocks = 1'000'000;
/// Beyond this number, streams share hardware queues (CUDA C++ Programming Guide,
/// CUDA_DEVICE_MAX_CONNECTIONS: 8 unless it is set).
constexpr std::size_t hardware_queues = 8;

/// Returns true if the call states one range with that use, in memory of a known side.
bool knows(const ApplicationRecording& recording, const RecordedCall& call, Use use) {
  const UsedRange* const used = first_used(call, use);
  return used != nullptr && used->bytes >= call.bytes &&
         side_of(recording.memory[used->memory].kind) != MemorySide::unknown;
}

std::string why_no_work(const ApplicationRecording& recording, const RecordedCall& call) {
  if (call.kind == CallKind::kernel) {
    return call.device_us ? "" : "the recording has no device time of its kernel";
  }
  if (call.bytes == 0) return "";
  if (copies_in(call) > 1) {
    const bool known = std::ranges::all_of(call.uses, [&](const UsedRange& used) {
      return side_of(recording.memory[used.memory].kind) != MemorySide::unknown;
    });
    return known ? "" : "it is not known which memory its copies use";
  }
  if (call.kind == CallKind::copy && !knows(recording, call, Use::reads)) {
    return "it is not known which memory it reads";
  }
  return knows(recording, call, Use::writes) ? "" : "it is not known which memory it writes";
}

std::string why_no_operation(const ApplicationRecording& recording, const RecordedCall& call) {
  switch (role_of(call.kind)) {
    case CallRole::work: return why_no_work(recording, call);
    case CallRole::graph_launch:
      return call.device_us ? "" : "the recording has no device time of its graph";
    case CallRole::host_function: return "it is not known how long its host function takes";
    case CallRole::other: return "the simulated device does not know what it does";
    case CallRole::record_event:
    case CallRole::wait_event:
    case CallRole::synchronize_stream:
    case CallRole::synchronize_event:
    case CallRole::synchronize_context:
    case CallRole::query:
    case CallRole::allocation:
    case CallRole::release:
    case CallRole::graph_change: break;
  }
  return "";
}

std::string why_no_allocations(const ApplicationRecording& recording) {
  std::set<std::uint32_t> live;
  for (const RecordedCall& call : recording.calls) {
    const bool one = call.uses.size() == 1;
    const std::uint32_t memory = one ? call.uses[0].memory : 0;
    if (allocates(call.kind) && (!one || call.bytes == 0 || !recording.memory[memory].within ||
                                 !live.insert(memory).second)) {
      return call.name + ": its memory is not freed in the iteration";
    }
    if (frees(call.kind) && (!one || live.erase(memory) == 0)) {
      return call.name + ": it frees memory that an earlier iteration allocated";
    }
    if (!moves_bytes(call.kind) || call.bytes == 0) continue;
    for (const UsedRange& used : call.uses) {
      if (!recording.memory[used.memory].within || live.contains(used.memory)) continue;
      return call.name + ": it uses memory that is not allocated then";
    }
  }
  return live.empty() ? "" : "the iteration does not free all that it allocates";
}

}  // namespace

bool is_ordered_soon(const ApplicationRecording& recording) {
  return recording.calls.size() * recording.streams.size() <= most_clocks;
}

std::string why_not_simulated(const ApplicationRecording& recording) {
  if (recording.found == Found::none) return "no iteration was found";
  if (recording.threads > 1) {
    return fmt::format("{} threads call the driver, and the simulated device has one host",
                       recording.threads);
  }
  if (recording.calls.size() > most_calls) {
    return fmt::format("the iteration has {} calls, and at most {} are predicted",
                       recording.calls.size(), most_calls);
  }
  if (!is_ordered_soon(recording)) {
    return fmt::format(
        "the iteration has {} calls and {} streams, and their product may be at most {}",
        recording.calls.size(), recording.streams.size(), most_clocks);
  }
  for (const RecordedCall& call : recording.calls) {
    if (!call.refusal.empty()) return fmt::format("{}: {}", call.name, call.refusal);
    const std::string why = why_no_operation(recording, call);
    if (!why.empty()) return fmt::format("{}: {}", call.name, why);
  }
  if (!any_call(recording, is_simulated)) return "the iteration has no kernel, copy or memset";
  return why_no_allocations(recording);
}

std::vector<std::string> assumptions(const ApplicationRecording& recording) {
  std::vector<std::string> all;
  all.emplace_back(
      "Kernels take their recorded times. Copies, memsets, launches, waits and the host's time in "
      "calls are the profile's.");
  if (includes(recording.calls, CallKind::graph_launch, &RecordedCall::kind)) {
    all.emplace_back(
        "The application's graphs take their recorded times, each as one operation; so do changes "
        "of graphs.");
  }
  if (std::ranges::any_of(own_gaps(recording), [](double us) { return us > 0; })) {
    all.emplace_back(
        "The application's own code between two calls stays; that of a segment runs before its "
        "graph is launched.");
  }
  if (any_call(recording, [](const RecordedCall& call) {
        return call.kind == CallKind::copy && !call.uses.empty() && call.uses[0].bytes > call.bytes;
      })) {
    all.emplace_back("Copies of several rows are timed as one row of as many bytes.");
  }
  if (recording.streams.size() > hardware_queues) {
    all.push_back(fmt::format(
        "More than {} streams share the hardware queues of a GPU, which is not modelled.",
        hardware_queues));
  }
  if (std::ranges::any_of(recording.streams, [](const auto& s) { return s.priority != 0; })) {
    all.emplace_back("Priorities of streams are not modelled.");
  }
  return all;
}

}  // namespace trilane
