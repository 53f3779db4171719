#include "common/application/iteration/call_segments.hpp"

#include <boost/dynamic_bitset.hpp>

#include "common/application/iteration/call_traits.hpp"
#include "common/application/iteration/happens_before.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {

namespace {

/// Returns true if the launch may start before its predecessors, which are all kernels, have ended.
/// A capture then makes each edge programmatic, also through an event from another stream (H100).
bool is_programmatic(const ApplicationRecording& recording, const CallSegment& segment,
                     const SegmentNode& node) {
  const RecordedCall& call = recording.calls[node.call];
  if (!call.attributes || !call.attributes->programmatic || node.after.empty()) return false;
  return std::ranges::all_of(node.after, [&](std::uint32_t before) {
    return recording.calls[segment.nodes[before].call].kind == CallKind::kernel;
  });
}

/// Returns true if the call's memory changes between iterations, unless allocated in the iteration.
bool uses_other_memory(const ApplicationRecording& recording, const RecordedCall& call) {
  const bool follows =
      any_memory(call, recording, [](const RecordedMemory& m) { return m.within; });
  if (follows || allocates(call.kind) || frees(call.kind)) return false;
  if (call.pointers != Variation::constant) return true;
  if (call.kind != CallKind::kernel) return false;
  const auto& parameters = recording.kernels[call.kernel].parameters;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const bool pointer = i >= parameters.size() || parameters[i].pointer;
    if (pointer && call.arguments[i] != Variation::constant) return true;
  }
  return false;
}

/// Returns the latest call before `at`, also of the previous iteration, for which `holds`.
std::optional<std::size_t> latest(const ApplicationRecording& recording, std::size_t at,
                                  auto holds) {
  const std::size_t calls = recording.calls.size();
  for (std::size_t back = 1; back <= calls; ++back) {
    const std::size_t place = (at + calls - back) % calls;
    if (holds(recording.calls[place])) return place;
  }
  return std::nullopt;
}

/// Returns the operation that the wait at `at` is for; nothing: none exists.
std::optional<std::size_t> waited_for(const ApplicationRecording& recording, std::size_t at) {
  const auto operation_on = [&](std::size_t before, std::uint32_t stream) {
    return latest(recording, before, [=](const RecordedCall& call) {
      return is_operation(call.kind) && call.stream == stream;
    });
  };
  const RecordedCall& wait = recording.calls[at];
  if (wait.kind == CallKind::synchronize_stream) return operation_on(at, wait.stream);
  const auto record = latest(recording, at, [&](const RecordedCall& call) {
    return call.kind == CallKind::record_event && call.event == wait.event;
  });
  return record ? operation_on(*record, recording.calls[*record].stream) : std::nullopt;
}

/// Returns true if memory may need the order of two operations.
bool needs_order(const RecordedCall& one, const RecordedCall& other) {
  return one.uses.empty() || other.uses.empty() || conflict(one, other);
}

/// Returns true if the call, or an operation of the graph that it launches, uses memory that is not
/// the device's in a way for which `holds`.
bool uses_host(const RecordedCall& call, const ApplicationRecording& recording, auto holds) {
  const auto uses = [&](const auto& operation) {
    return std::ranges::any_of(operation.uses, [&](const UsedRange& used) {
      return holds(used.use) && !on_device(recording.memory[used.memory].kind);
    });
  };
  return uses(call) ||
         (call.graph && std::ranges::any_of(recording.graphs[*call.graph].nodes, uses));
}

/// Returns the factor by which the host's time shrinks if only ends of iterations are watched.
/// Timed calls are in the first repetitions, which are slower, and callbacks lengthen them.
double unheard_share(const ApplicationRecording& recording, const std::vector<double>& own) {
  const std::vector<RecordedCall>& calls = recording.calls;
  if (recording.watched_us.empty() || recording.iteration_us.empty()) return 1;
  const double watched_us = median(recording.watched_us);
  const double own_us = std::accumulate(own.begin(), own.end(), 0.0);
  if (std::ranges::any_of(calls, [](const auto& call) { return !call.own_us.has_value(); })) {
    const double added_us = median(recording.iteration_us) - watched_us;
    return own_us > 0 ? std::clamp(1 - added_us / own_us, 0.0, 1.0) : 1;
  }
  if (!has_host_order(recording)) return 1;  // calls may overlap
  const double whole_us =
      std::accumulate(calls.begin(), calls.end(), own_us, [](double sum, const auto& call) {
        return sum + call.call_us.value_or(call.host_us) + call.runtime_us.value_or(0);
      });
  return whole_us > watched_us ? watched_us / whole_us : 1;
}

std::vector<double> recorded_gaps(const ApplicationRecording& recording) {
  std::vector<double> gaps;
  double end_us = 0;
  for (const RecordedCall& call : recording.calls) {
    gaps.push_back(call.own_us.value_or(std::max(0.0, call.start_us - end_us)));
    end_us = std::max(end_us, call.start_us + call.host_us);
  }
  return gaps;
}

/// Returns these gaps, with or without the runtime's time, without the cost of listening.
std::vector<double> gaps_of(const ApplicationRecording& recording, bool with_runtime) {
  std::vector<double> gaps = recorded_gaps(recording);
  const double share = unheard_share(recording, gaps);
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    if (with_runtime) gaps[i] += recording.calls[i].runtime_us.value_or(0);
    gaps[i] *= share;
  }
  return gaps;
}

}  // namespace

bool ends_segment(const RecordedCall& call, const ApplicationRecording& recording) {
  if (only_waits(call.kind)) return true;
  if (!is_operation(call.kind)) return false;
  return host_wait_of(call, recording) == HostWait::itself ||
         (call.kind == CallKind::copy && call.synchronous);
}

std::vector<CallSegment> segments_of(const ApplicationRecording& recording) {
  const std::vector<double> gaps = own_gaps(recording);
  const HappensBefore order(recording, 1);
  std::vector<CallSegment> segments(1);
  std::map<std::size_t, std::uint32_t> nodes;  // of the segment, by call
  std::vector<Predecessor> freed_behind;       // what the latest cudaFree in it waited for
  for (std::uint32_t i = 0; i < recording.calls.size(); ++i) {
    const RecordedCall& call = recording.calls[i];
    CallSegment& segment = segments.back();
    segment.host_us += gaps[i];
    if (call.kind == CallKind::query) segment.host_us += call.host_us;
    if (is_operation(call.kind)) {
      SegmentNode node{i, {}};
      std::vector<Predecessor> all = order.at(i).after;
      all.insert(all.end(), freed_behind.begin(), freed_behind.end());
      for (const Predecessor& one : all) {
        const bool implied = std::ranges::any_of(all, [&](const Predecessor& other) {
          return other.place > one.place && order.ordered(one.place, other.place);
        });
        const auto found = nodes.find(one.place);
        if (!implied && found != nodes.end()) node.after.push_back(found->second);
      }
      std::ranges::sort(node.after);
      node.after.erase(std::ranges::unique(node.after).begin(), node.after.end());
      node.programmatic = is_programmatic(recording, segment, node);
      nodes[i] = static_cast<std::uint32_t>(segment.nodes.size());
      segment.nodes.push_back(std::move(node));
    }
    if (traits_of(call.kind).wait == HostWait::everything) freed_behind = order.at(i).after;
    if (ends_segment(call, recording)) {
      segments.emplace_back();
      nodes.clear();
      freed_behind.clear();
    }
  }
  const CallSegment& last = segments.back();
  if (last.nodes.empty() && last.host_us == 0) segments.pop_back();
  return segments;
}

bool waits_for_all(const ApplicationRecording& recording) {
  return HappensBefore(recording, 1).host_waited_for_all();
}

bool runs_ahead(const ApplicationRecording& recording) {
  return !waits_for_all(recording) &&
         !any_call(recording, [&](const auto& call) { return uses_other_memory(recording, call); });
}

std::vector<SegmentWait> waits_of_segments(const ApplicationRecording& recording) {
  using For = SegmentWait::For;
  std::vector<std::size_t> segment_of;  // by call
  std::vector<std::size_t> ends;
  for (std::size_t i = 0; i < recording.calls.size(); ++i) {
    segment_of.push_back(ends.size());
    if (ends_segment(recording.calls[i], recording)) ends.push_back(i);
  }
  std::vector<SegmentWait> waits;
  for (const std::size_t end : ends) {
    const RecordedCall& call = recording.calls[end];
    const bool one_stream =
        call.kind == CallKind::synchronize_stream && !in_legacy_stream(call, recording);
    if (call.kind != CallKind::synchronize_event && !one_stream) {
      waits.push_back({.what = For::everything});
    } else if (const auto operation = waited_for(recording, end)) {
      waits.push_back({.what = For::segment, .segment = segment_of[*operation]});
    } else {
      waits.push_back({});
    }
  }
  waits.resize(segments_of(recording).size());
  return waits;
}

std::string why_no_graph(const ApplicationRecording& recording) {
  for (const RecordedCall& call : recording.calls) {
    if (!call.refusal.empty()) return fmt::format("{}: {}", call.name, call.refusal);
    if (call.kind == CallKind::graph_launch && !call.graph) {
      return call.name + ": what its graph does is not known";
    }
    const auto alone = [](const RecordedNode& node) { return !traits_of(node.kind).operation; };
    if (call.graph && std::ranges::any_of(recording.graphs[*call.graph].nodes, alone)) {
      return call.name + ": its graph cannot be part of another, and is launched as it is";
    }
    if (allocated_kind(call.kind) == MemoryKind::pool) {
      return call.name + ": its memory would have to be allocated by nodes of the graph";
    }
    const auto outlives = [](const RecordedMemory& memory) { return !memory.within; };
    if (call.kind == CallKind::free &&
        (call.uses.empty() || any_memory(call, recording, outlives))) {
      return call.name + ": it frees memory of an earlier iteration, which is elsewhere each time";
    }
    if (call.attributes && call.attributes->unknown > 0) {
      return call.name + ": it is not known whether a capture keeps an attribute of the launch";
    }
    if (call.kind == CallKind::host_function) {
      return call.name + ": what the host function does is not known";
    }
  }
  return {};
}

std::vector<CallSegment> ordered_by_memory(const ApplicationRecording& recording) {
  constexpr std::size_t most_nodes = 2000;
  std::vector<CallSegment> segments = segments_of(recording);
  for (CallSegment& segment : segments) {
    if (segment.nodes.size() > most_nodes) continue;
    const GraphOrder order(segment);
    std::vector<boost::dynamic_bitset<>> behind;  // by node: the earlier ones that it follows now
    for (std::uint32_t i = 0; i < segment.nodes.size(); ++i) {
      SegmentNode& node = segment.nodes[i];
      const std::vector<std::uint32_t> recorded = std::exchange(node.after, {});
      boost::dynamic_bitset<>& mine = behind.emplace_back(segment.nodes.size());
      for (std::uint32_t earlier = i; earlier-- > 0;) {
        if (mine[earlier] || !order.ordered(earlier, i)) continue;
        const RecordedCall& before = recording.calls[segment.nodes[earlier].call];
        if (!needs_order(before, recording.calls[node.call])) continue;
        node.after.insert(node.after.begin(), earlier);
        mine[earlier] = true;
        mine |= behind[earlier];
      }
      node.programmatic = node.programmatic && node.after == recorded;
    }
  }
  return segments;
}

SegmentEnds ends_of(const CallSegment& segment) {
  SegmentEnds ends;
  std::set<std::uint32_t> followed;
  for (std::uint32_t i = 0; i < segment.nodes.size(); ++i) {
    const std::vector<std::uint32_t>& after = segment.nodes[i].after;
    if (after.empty()) ends.first.push_back(i);
    followed.insert(after.begin(), after.end());
  }
  for (std::uint32_t i = 0; i < segment.nodes.size(); ++i) {
    if (!followed.contains(i)) ends.last.push_back(i);
  }
  return ends;
}

bool gives_results(const ApplicationRecording& recording) {
  return std::ranges::any_of(recording.calls, [&](const RecordedCall& call) {
    return uses_host(call, recording, [](Use use) { return use == Use::writes; });
  });
}

std::string why_next_is_unknown(const ApplicationRecording& recording) {
  if (recording.found != Found::repeats) return "it is not known what the next iteration does";
  if (recording.queried) return "the host asks whether work is done, and may act on it";
  return recording.threads > 1 || (recording.issuing && recording.issuing->others > 0)
             ? "other threads may act between iterations"
             : "";
}

bool uses_host(const RecordedCall& call, const ApplicationRecording& recording) {
  return uses_host(call, recording, [](Use) { return true; });
}

std::string why_host_acts(const ApplicationRecording& recording) {
  if (const std::string why = why_next_is_unknown(recording); !why.empty()) return why;
  for (const RecordedCall& call : recording.calls) {
    if (varies(call)) return call.name + ": its arguments or pointers vary between iterations";
    if (uses_host(call, recording, [](Use use) { return use != Use::writes; })) {
      return call.name + ": it may use what the host writes to its memory between iterations";
    }
  }
  return {};
}

std::string why_not_together(const ApplicationRecording& recording) {
  constexpr double longest_us = 2000;  // beside which a launch and a wait, some 15 us, do not count
  const auto& times = recording.watched_us.empty() ? recording.iteration_us : recording.watched_us;
  if (!times.empty() && median(times) > longest_us) {
    return "a launch and a wait are less than 1% of so long an iteration";
  }
  if (const std::string why = why_host_acts(recording); !why.empty()) return why;
  const auto waits = [&](const RecordedCall& call) { return ends_segment(call, recording); };
  if (!waits_for_all(recording) && std::ranges::any_of(recording.calls, waits)) {
    return "the host waits for earlier iterations only";
  }
  const auto has_operations = [](const CallSegment& segment) { return !segment.nodes.empty(); };
  const std::vector<CallSegment> segments = segments_of(recording);
  return std::ranges::count_if(segments, has_operations) == 1
             ? ""
             : "the host waits between operations of an iteration";
}

std::vector<double> own_gaps(const ApplicationRecording& recording) {
  return gaps_of(recording, false);
}

std::vector<double> host_gaps(const ApplicationRecording& recording) {
  return gaps_of(recording, true);
}

}  // namespace trilane
