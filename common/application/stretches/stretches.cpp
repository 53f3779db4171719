#include "common/application/stretches/stretches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "common/analysis/statistics/statistics.hpp"
#include "common/application/diagnosis/calls/call_traits.hpp"
#include "common/application/diagnosis/order/happens_before.hpp"

namespace trilane {

bool ends_stretch(const RecordedCall& call, const ApplicationRecording& recording) {
  switch (call.kind) {
    case CallKind::synchronize_stream:
    case CallKind::synchronize_event:
    case CallKind::synchronize_context: return true;
    case CallKind::copy:
      switch (host_wait_of(call, recording)) {
        case HostWait::nothing:
        case HostWait::before: return call.synchronous;
        case HostWait::itself:
        case HostWait::stream:
        case HostWait::event:
        case HostWait::stream_and_event:
        case HostWait::everything: return true;
      }
      return true;
    case CallKind::kernel:
    case CallKind::memset:
    case CallKind::graph_launch:
    case CallKind::host_function:
    case CallKind::record_event:
    case CallKind::wait_event:
    case CallKind::query:
    case CallKind::allocate:
    case CallKind::free:
    case CallKind::allocate_async:
    case CallKind::free_async:
    case CallKind::allocate_host:
    case CallKind::free_host:
    case CallKind::change_graph:
    case CallKind::other: return false;
  }
  return false;
}

std::vector<double> host_gaps(const ApplicationRecording& recording) {
  std::vector<double> gaps;
  double end_us = 0;
  for (const RecordedCall& call : recording.calls) {
    gaps.push_back(call.own_us.value_or(std::max(0.0, call.start_us - end_us)));
    end_us = std::max(end_us, call.start_us + call.host_us);
  }
  const bool lengthened = std::ranges::any_of(
      recording.calls, [](const RecordedCall& call) { return !call.own_us.has_value(); });
  if (!lengthened || recording.watched_us.empty() || recording.iteration_us.empty()) return gaps;
  const double all_us = std::accumulate(gaps.begin(), gaps.end(), 0.0);
  const double added_us = median(recording.iteration_us) - median(recording.watched_us);
  const double share = all_us > 0 ? std::clamp(1 - added_us / all_us, 0.0, 1.0) : 1;
  for (double& gap_us : gaps) gap_us *= share;
  return gaps;
}

std::vector<Stretch> stretches_of(const ApplicationRecording& recording) {
  const std::vector<double> gaps = host_gaps(recording);
  const HappensBefore order(recording, 1);
  std::vector<Stretch> stretches(1);
  std::map<std::size_t, std::uint32_t> nodes;  // of the stretch, by call
  for (std::uint32_t i = 0; i < recording.calls.size(); ++i) {
    const RecordedCall& call = recording.calls[i];
    Stretch& stretch = stretches.back();
    stretch.host_us += gaps[i];
    if (call.kind == CallKind::query) stretch.host_us += call.host_us;
    if (is_operation(call.kind)) {
      StretchNode node{i, {}};
      const std::vector<Predecessor>& all = order.at(i).after;
      for (const Predecessor& one : all) {
        const bool implied = std::ranges::any_of(all, [&](const Predecessor& other) {
          return other.place > one.place && order.ordered(one.place, other.place);
        });
        const auto found = nodes.find(one.place);
        if (!implied && found != nodes.end()) node.after.push_back(found->second);
      }
      std::ranges::sort(node.after);
      nodes[i] = static_cast<std::uint32_t>(stretch.nodes.size());
      stretch.nodes.push_back(std::move(node));
    }
    if (ends_stretch(call, recording)) {
      stretches.emplace_back();
      nodes.clear();
    }
  }
  const Stretch& last = stretches.back();
  if (last.nodes.empty() && last.host_us == 0) stretches.pop_back();
  return stretches;
}

bool waits_for_all(const ApplicationRecording& recording) {
  return HappensBefore(recording, 1).host_waited_for_all();
}

bool varies(const RecordedCall& call) {
  return call.pointers != Variation::constant ||
         std::ranges::any_of(call.arguments, [](Variation v) { return v != Variation::constant; });
}

std::uint64_t values_to_set(const ApplicationRecording& recording) {
  const auto varying = [](Variation v) { return v != Variation::constant; };
  std::ptrdiff_t values = 0;
  for (const RecordedCall& call : recording.calls) {
    if (!is_operation(call.kind)) continue;
    values += varying(call.pointers) + std::ranges::count_if(call.arguments, varying);
  }
  return static_cast<std::uint64_t>(values);
}

std::string why_no_graph(const ApplicationRecording& recording) {
  for (const RecordedCall& call : recording.calls) {
    if (!call.refusal.empty()) return fmt::format("{}: {}", call.name, call.refusal);
    if (call.kind == CallKind::graph_launch && !call.graph) {
      return call.name + ": what its graph does is not known";
    }
    if (call.kind == CallKind::allocate_async || call.kind == CallKind::free_async) {
      return call.name + ": its memory would have to be allocated by nodes of the graph";
    }
    if (call.kind == CallKind::host_function) {
      return call.name + ": what the host function does is not known";
    }
  }
  return {};
}

}  // namespace trilane
