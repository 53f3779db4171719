#include "common/application/prediction/why_not_simulated.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "common/application/prediction/stand_ins/simulated_operation.hpp"
#include "common/application/recording/records/call_kinds.hpp"
#include "common/application/stretches/stretches.hpp"

namespace trilane {
namespace {

/// More take seconds for each way.
constexpr std::size_t most_calls = 20'000;
/// Streams share hardware queues beyond this number (CUDA C++ Programming Guide,
/// CUDA_DEVICE_MAX_CONNECTIONS: 8 unless it is set).
constexpr std::size_t hardware_queues = 8;

bool any(const ApplicationRecording& recording, auto holds) {
  return std::ranges::any_of(recording.calls, holds);
}

bool is_positive(double us) { return us > 0; }

bool is_placed(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::device:
    case MemoryKind::pool:
    case MemoryKind::pinned:
    case MemoryKind::pageable:
    case MemoryKind::module: return true;
    case MemoryKind::managed:
    case MemoryKind::unknown: return false;
  }
  return false;
}

/// Whether the call states one range with that use, in memory of a known place.
bool knows(const ApplicationRecording& recording, const RecordedCall& call, Use use) {
  const auto used = std::ranges::find(call.uses, use, &UsedRange::use);
  return used != call.uses.end() && used->bytes >= call.bytes &&
         is_placed(recording.memory[used->memory].kind);
}

std::string why_no_operation(const ApplicationRecording& recording, const RecordedCall& call) {
  switch (call.kind) {
    case CallKind::kernel:
      return call.device_us ? "" : "the recording has no device time of its kernel";
    case CallKind::copy:
      if (call.bytes == 0) return "";
      if (!knows(recording, call, Use::reads)) return "it is not known which memory it reads";
      [[fallthrough]];
    case CallKind::memset:
      if (call.bytes == 0 || knows(recording, call, Use::writes)) return "";
      return "it is not known which memory it writes";
    case CallKind::graph_launch: return "graphs of the application are not predicted";
    case CallKind::change_graph: return "it changes a graph of the application";
    case CallKind::host_function: return "it is not known how long its host function takes";
    case CallKind::other: return "the simulated device does not know what it does";
    case CallKind::record_event:
    case CallKind::wait_event:
    case CallKind::synchronize_stream:
    case CallKind::synchronize_event:
    case CallKind::synchronize_context:
    case CallKind::query:
    case CallKind::allocate:
    case CallKind::free:
    case CallKind::allocate_async:
    case CallKind::free_async:
    case CallKind::allocate_host:
    case CallKind::free_host: return "";
  }
  return "";
}

/// Why the allocations of an iteration cannot be made again and again; empty if they can.
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
    if (!is_simulated(call) || call.kind == CallKind::kernel || call.bytes == 0) continue;
    for (const UsedRange& used : call.uses) {
      if (!recording.memory[used.memory].within || live.contains(used.memory)) continue;
      return call.name + ": it uses memory that is not allocated then";
    }
  }
  return live.empty() ? "" : "the iteration frees not all that it allocates";
}

}  // namespace

std::string why_not_simulated(const ApplicationRecording& recording) {
  if (recording.found == Found::none) return "no iteration was found";
  if (!any(recording, is_simulated)) return "the iteration has no kernel, copy or memset";
  if (recording.threads > 1) {
    return fmt::format("{} threads call the driver, and the simulated device has one host",
                       recording.threads);
  }
  if (recording.calls.size() > most_calls) {
    return fmt::format("the iteration has {} calls, and at most {} are predicted",
                       recording.calls.size(), most_calls);
  }
  for (const RecordedCall& call : recording.calls) {
    if (!call.refusal.empty()) return fmt::format("{}: {}", call.name, call.refusal);
    const std::string why = why_no_operation(recording, call);
    if (!why.empty()) return fmt::format("{}: {}", call.name, why);
  }
  return why_no_allocations(recording);
}

std::vector<std::string> assumptions(const ApplicationRecording& recording) {
  std::vector<std::string> all;
  all.emplace_back(
      "Kernels take the times that were recorded. Copies, memsets, launches and waits are the "
      "profile's, and so is the host's time in calls.");
  if (std::ranges::any_of(own_gaps(recording), is_positive)) {
    all.emplace_back(
        "The application's own code between two calls stays; that of a stretch runs before its "
        "graph is launched.");
  }
  if (any(recording, [](const RecordedCall& call) {
        return call.kind == CallKind::copy && !call.uses.empty() && call.uses[0].bytes > call.bytes;
      })) {
    all.emplace_back("Copies of several rows are timed as one row of as many bytes.");
  }
  if (recording.streams.size() > hardware_queues) {
    all.push_back(
        fmt::format("More than {} streams share the hardware queues of a GPU, which is "
                    "left out.",
                    hardware_queues));
  }
  if (std::ranges::any_of(recording.streams, [](const auto& s) { return s.priority != 0; })) {
    all.emplace_back("Priorities of streams are left out.");
  }
  return all;
}

}  // namespace trilane
