#include "common/application/iteration/recording_file.hpp"

#include "common/base/json/document.hpp"
#include "common/base/json/json_values.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {

namespace {

/// Version 1 has no launch attributes and no captures, version 2 no call stacks, version 3 no
/// places of captures, version 4 no resources; all may be absent.
constexpr Schema recording_schema{"trilane recording", 1, 5};
constexpr Schema replay_schema{"trilane replay", 1, 1};

// Checks of a file beyond the right types: files are never trusted.

constexpr std::size_t most_times = 1000;
/// Limit of calls times streams: their order takes eight bytes of memory for each.
constexpr std::size_t most_clocks = 100'000'000;

/// Throws a Misfit of the member, or of the value itself without one, if that is wrong.
template <typename... Values>
void refuse_if(bool wrong, std::string_view member, fmt::format_string<const Values&...> what,
               const Values&... values) {
  if (wrong) throw Misfit{member.empty() ? "" : step(member), fmt::format(what, values...)};
}

/// Throws a Misfit of the member unless its value is an index into `count` of `what`.
void require_below(std::string_view member, std::uint64_t value, std::size_t count,
                   std::string_view what) {
  refuse_if(value >= count, member, "is {}, and there are {} {}", value, count, what);
}

/// Calls check(entry, number) for each entry of the list; a Misfit names its place.
void check_each(std::string_view list, const auto& entries, auto check) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    within(list, [&] { within(i, [&] { check(entries[i], i); }); });
  }
}

void check_three(std::string_view member, const std::vector<std::uint32_t>& numbers, bool kernel) {
  const std::size_t wanted = kernel ? 3 : 0;
  refuse_if(numbers.size() != wanted, member, "has {} numbers but must have {}", numbers.size(),
            wanted);
  refuse_if(includes(numbers, 0u), member, "holds a 0");
}

void check_use(const ApplicationRecording& recording, const UsedRange& use) {
  require_below("memory", use.memory, recording.memory.size(), "pieces of memory");
  const std::uint64_t bytes = recording.memory[use.memory].bytes;
  if (bytes == 0) return;  // unknown
  refuse_if(use.offset > bytes || use.bytes > bytes - use.offset, "bytes",
            "is {} from {} on, and the memory has {}", use.bytes, use.offset, bytes);
}

void check_launch(const ApplicationRecording& recording, const RecordedCall& call) {
  require_below("kernel", call.kernel, recording.kernels.size(), "kernels");
  const std::size_t parameters = recording.kernels[call.kernel].parameters.size();
  refuse_if(call.arguments.size() != parameters, "arguments",
            "has {} entries, and the kernel {} parameters", call.arguments.size(), parameters);
}

void check_uses(const ApplicationRecording& recording, const std::vector<UsedRange>& uses) {
  check_each("uses", uses, [&](const UsedRange& use, auto) { check_use(recording, use); });
}

/// Throws a Misfit unless the recording has all that the graph refers to, and its ranges fit.
void check_graph(const ApplicationRecording& recording, const RecordedGraph& graph) {
  check_each("nodes", graph.nodes, [&](const RecordedNode& node, auto) {
    if (node.kind == CallKind::kernel) {
      require_below("kernel", node.kernel, recording.kernels.size(), "kernels");
    }
    check_uses(recording, node.uses);
  });
}

void check_call(const ApplicationRecording& recording, const RecordedCall& call) {
  if (names_stream(call.kind)) {
    require_below("stream", call.stream, recording.streams.size(), "streams");
  }
  if (names_event(call.kind)) {
    require_below("event", call.event, recording.calls.size(), "calls");
  }
  if (call.kind == CallKind::kernel) check_launch(recording, call);
  if (call.graph) require_below("graph", *call.graph, recording.graphs.size(), "graphs");
  if (call.stack) {
    const std::size_t stacks = recording.source ? recording.source->stacks.size() : 0;
    require_below("stack", *call.stack, stacks, "stacks");
  }
  check_uses(recording, call.uses);
}

void check_value(const ApplicationRecording& recording, const RecordedValue& value) {
  require_below("call", value.call, recording.calls.size(), "calls");
  const RecordedCall& call = recording.calls[value.call];
  refuse_if(call.kind != CallKind::kernel, "call", "is not that of a kernel");
  const std::vector<RecordedParameter>& parameters = recording.kernels[call.kernel].parameters;
  require_below("parameter", value.parameter, parameters.size(), "parameters");
  const auto [bytes, pointer] = parameters[value.parameter];
  refuse_if(pointer, "parameter", "is a pointer");
  const bool fits = bytes == RecordedData::most_bytes ||
                    (bytes < RecordedData::most_bytes && value.bits >> 8 * bytes == 0);
  refuse_if(!fits, "bits", "is {}, and the parameter has {} bytes", value.bits, bytes);
}

void check_data(const ApplicationRecording& recording) {
  const std::vector<RecordedValue>& values = recording.data->values;
  refuse_if(values.size() > RecordedData::most_values, "values",
            "has {} entries, and at most {} are kept", values.size(), RecordedData::most_values);
  const auto place = [](const RecordedValue& value) {
    return std::pair{value.call, value.parameter};
  };
  check_each("values", values, [&](const RecordedValue& value, std::size_t i) {
    check_value(recording, value);
    const bool behind = i == 0 || place(value) > place(values[i - 1]);
    refuse_if(!behind, "call", "is not behind the entry before it");
  });
}

void check_captures(const RecordedCaptures& captures) {
  static const CaptureAudit none;
  const CaptureAudit& audit = captures.audit ? *captures.audit : none;
  const auto check = [&](std::string_view member, const std::optional<std::uint32_t>& stack) {
    if (stack) require_below(member, *stack, audit.source.stacks.size(), "stacks");
  };
  for (const CaptureSite& site : audit.sites) check("sites.begin", site.begin);
  for (const auto* const calls : {&captures.failed, &audit.calls}) {
    for (const CaptureCall& call : *calls) {
      if (!call.place) continue;
      check("place.stack", call.place->stack);
      check("place.begin", call.place->begin);
      check("place.fork", call.place->fork);
    }
  }
}

void check_resources(const RecordedResources& resources) {
  const auto check = [&](const auto& place, auto) {
    if (place.stack) require_below("stack", *place.stack, resources.source.stacks.size(), "stacks");
  };
  check_each("executables", resources.executables, check);
  check_each("pools", resources.pools,
             [&](const RecordedPool& pool, auto) { check_each("growth", pool.growth, check); });
}

void check_counts(const ApplicationRecording& recording) {
  const std::size_t calls = recording.calls.size(), streams = recording.streams.size();
  const std::size_t most_calls = most_clocks / std::max<std::size_t>(1, streams);
  refuse_if(streams > 0 && calls > most_calls, "calls",
            "has {} entries, and with {} streams at most {} are accepted", calls, streams,
            most_calls);
  const auto& multiprocessors = recording.machine.multiprocessors;
  refuse_if(multiprocessors && multiprocessors->count == 0, "machine.multiprocessors.count",
            "is 0");
  static const std::vector<double> none;
  const auto& alone_us = recording.issuing ? recording.issuing->alone_us : none;
  for (const auto& [member, times] : {std::pair{"iteration_us", &recording.iteration_us},
                                      {"watched_us", &recording.watched_us},
                                      {"issuing.alone_us", &alone_us}}) {
    refuse_if(times->size() > most_times, member, "has {} entries, and at most {} are kept",
              times->size(), most_times);
  }
  const std::uint32_t thread = recording.issuing ? recording.issuing->thread : 0;
  refuse_if(thread > 0 && recording.threads > 1, "issuing.thread",
            "is {}, and {} threads make the calls", thread, recording.threads);
  const BrokenPeriod broken = recording.broken.value_or(BrokenPeriod{});
  refuse_if(broken.at > broken.calls, "broken.at", "is {}, and there are {} calls", broken.at,
            broken.calls);
}

/// Beyond this, a time cannot resolve a part of an iteration. No queue is this deep.
constexpr double most_iterations_off = 1e9;

void check_device_times(const ApplicationRecording& recording) {
  double iteration_us = recording.iteration_us.empty() ? 0 : median(recording.iteration_us);
  for (const RecordedCall& call : recording.calls) {
    iteration_us = std::max(iteration_us, call.start_us + call.host_us);
  }
  check_each("calls", recording.calls, [&](const RecordedCall& call, auto) {
    const double off_us = std::abs(call.device_start_us.value_or(0)) + call.device_us.value_or(0);
    refuse_if(!(off_us <= most_iterations_off * iteration_us), "",
              "has device times {:.4g} us off its iteration's start, and at most {:.4g} iterations "
              "of {:.4g} us are accepted",
              off_us, most_iterations_off, iteration_us);
  });
}

void check_found(const ApplicationRecording& recording) {
  const bool none = recording.found == Found::none;
  refuse_if(none && recording.recorded > 0, "recorded", "is not 0, and no iteration is found");
  if (none) return;
  refuse_if(recording.found == Found::range && recording.range.empty(), "range",
            "is empty, and is the iteration");
  refuse_if(recording.unequal.has_value() != (recording.found == Found::in_kind), "unequal",
            "is only for steps that repeat in kind, and needed for these");
  refuse_if(recording.breaks && recording.found != Found::repeats, "breaks",
            "is only for an iteration that repeats");
  const std::uint64_t unequal = recording.unequal.value_or(UnequalSteps{}).calls;
  refuse_if(unequal > recording.calls.size(), "unequal.calls", "is {}, of {} calls", unequal,
            recording.calls.size());
  refuse_if(recording.calls.empty(), "calls", "is empty, and an iteration is found");
  refuse_if(recording.recorded == 0 || recording.recorded > recording.iterations, "recorded",
            "is {}, of {} iterations", recording.recorded, recording.iterations);
}

}  // namespace

void cross_check(const RecordedSource& source) {
  check_each("stacks", source.stacks, [&](const RecordedStack& stack, auto) {
    refuse_if(stack.frames.size() < source.shared, "frames",
              "has {} entries, and all stacks share {}", stack.frames.size(), source.shared);
    check_each("frames", stack.frames, [&](std::uint32_t frame, auto) {
      refuse_if(frame >= source.frames.size(), "", "is {}, and there are {} frames", frame,
                source.frames.size());
    });
  });
}

void cross_check(const RecordedCall& call) {
  const bool kernel = call.kind == CallKind::kernel;
  check_three("grid", call.grid, kernel);
  check_three("block", call.block, kernel);
  refuse_if(!kernel && !call.arguments.empty(), "arguments", "is only for kernels");
  refuse_if(!kernel && call.attributes, "attributes", "is only for kernels");
  const bool launch = call.kind == CallKind::graph_launch;
  refuse_if(!launch && call.graph, "graph", "is only for graph launches");
  refuse_if(!launch && call.executable, "executable", "is only for graph launches");
  refuse_if(call.runtime_us && !call.own_us, "runtime_us", "is there without own_us");
}

void cross_check(const LaunchAttributes& attributes) {
  check_three("cluster", attributes.cluster, !attributes.cluster.empty());
}

void cross_check(const RecordedNode& node) {
  const bool kernel = node.kind == CallKind::kernel;
  check_three("grid", node.grid, kernel);
  check_three("block", node.block, kernel);
  refuse_if(node.kind == CallKind::graph_launch, "kind", "is a launch within a graph");
}

void cross_check(const RecordedGraph& graph) {
  check_each("nodes", graph.nodes, [&](const RecordedNode& node, std::size_t i) {
    check_each("after", node.after, [&](std::uint32_t earlier, auto) {
      refuse_if(earlier >= i, "", "is {}, and only earlier nodes may be there", earlier);
    });
  });
}

void cross_check(const ApplicationRecording& recording) {
  check_found(recording);
  check_counts(recording);
  check_device_times(recording);
  check_each("graphs", recording.graphs,
             [&](const RecordedGraph& graph, auto) { check_graph(recording, graph); });
  check_each("calls", recording.calls,
             [&](const RecordedCall& call, auto) { check_call(recording, call); });
  if (recording.captures) within("captures", [&] { check_captures(*recording.captures); });
  if (recording.resources) within("resources", [&] { check_resources(*recording.resources); });
  if (recording.data) within("data", [&] { check_data(recording); });
}

std::string recording_to_json(const ApplicationRecording& recording) {
  return pretty(document_of(recording_schema, recording));
}

ApplicationRecording recording_from_json(const std::string& text) {
  return record_from<ApplicationRecording>(text, recording_schema, "recording file");
}

bool is_recording(const std::string& text) { return schema_of(text) == recording_schema.name; }

boost::json::object recording_json_schema() {
  return json_schema_of<ApplicationRecording>(recording_schema);
}

std::string to_json(const ReplayRecord& record) {
  return pretty(document_of(replay_schema, record));
}

ReplayRecord replay_from_json(const std::string& text) {
  try {
    return record_in<ReplayRecord>(parsed(text), replay_schema);
  } catch (const Misfit& misfit) {
    throw std::invalid_argument(in_words(misfit));
  }
}

}  // namespace trilane
