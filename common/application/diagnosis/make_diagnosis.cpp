#include "common/application/diagnosis/make_diagnosis.hpp"

#include "common/application/diagnosis/call_findings.hpp"
#include "common/application/diagnosis/time_spent.hpp"
#include "common/application/iteration/call_segments.hpp"
#include "common/application/iteration/call_traits.hpp"
#include "common/application/iteration/capture_obstacles.hpp"
#include "common/application/iteration/races.hpp"
#include "common/base/json/json_values.hpp"
#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {
namespace {

void add(Variation variation, Varying& to) {
  switch (variation) {
    case Variation::constant: ++to.constant; break;
    case Variation::alternates: ++to.alternating; break;
    case Variation::changes: ++to.changing; break;
  }
}

bool has_pointers(CallKind kind) {
  return kind == CallKind::copy || kind == CallKind::memset || kind == CallKind::allocate ||
         kind == CallKind::allocate_async || kind == CallKind::graph_launch;
}

std::vector<std::string> notes_on(const ApplicationRecording& recording) {
  std::vector<std::string> notes;
  const auto& calls = recording.calls;
  const auto lacking = std::ranges::count_if(calls, lacks_device_time);
  const bool none_timed =
      !any_call(recording, [](const auto& call) { return call.device_us.has_value(); });
  if (none_timed) {
    notes.push_back(
        "The recording has no device times: it shows what the host does, but not when the GPU is "
        "idle.");
    if (recording.found != Found::none && !recording.broken && !recording.simulated) {
      notes.push_back(
          "A replay excludes device times if the application has executable graphs or calls the "
          "driver from several threads, because CUPTI could not be unloaded. record --no-replay "
          "measures them.");
    }
  } else if (!any_call(recording,
                       [](const auto& call) { return call.device_start_us.has_value(); })) {
    notes.emplace_back(
        "The replay timed each operation by itself: it is not known which of them overlap.");
  }
  if (!none_timed && lacking > 0) {
    notes.push_back(fmt::format("{} have no device time and count as 0.",
                                counted(static_cast<std::uint64_t>(lacking), "operation")));
  }
  if (recording.cupti_us) {
    notes.push_back(
        fmt::format("CUPTI makes an iteration {} us longer (the same calls, replayed with and "
                    "without it), because it slows kernels of graphs. The times above include it.",
                    format_us(*recording.cupti_us)));
  }
  if (recording.threads > 1) {
    notes.push_back(fmt::format(
        "{} threads {}", recording.threads,
        has_host_order(recording)
            ? "make the calls, in turns and in this order in every iteration."
            : "call the driver: the order of their calls is as recorded, and may differ in other "
              "runs."));
  }
  if (recording.issuing && recording.issuing->thread > 0 && recording.issuing->others > 0) {
    notes.push_back(fmt::format(
        "The loop is that of thread {}, by the order of first calls. Calls of {} are left out; "
        "record --thread N shows another loop.",
        recording.issuing->thread, counted(recording.issuing->others, "other thread")));
  }
  if (recording.found == Found::range) {
    notes.push_back(
        "Calls between two such ranges are not recorded, so races between iterations are not "
        "searched for.");
  }
  if (recording.queried) {
    notes.push_back(
        "The program polls for completion and may rely on an order that its calls do not show, so "
        "every race is called possible.");
  }
  if (includes(calls, CallKind::other, &RecordedCall::kind)) {
    notes.push_back(
        "The iteration has calls whose effect on the order is not known, so every race is called "
        "possible.");
  }
  if (recording.breaks) {
    notes.push_back(
        fmt::format("The loop has no fixed length: other calls came {} between its repetitions.",
                    *recording.breaks == 1 ? "once" : counted(*recording.breaks, "time")));
  }
  if (recording.found != Found::none && recording.broken) {
    notes.push_back("The loop changed before all its device times were measured.");
  }
  return notes;
}

std::optional<GraphsLaunched> graphs_in(const ApplicationRecording& recording) {
  if (recording.graphs.empty()) return std::nullopt;
  GraphsLaunched launched{.graphs = recording.graphs.size()};
  for (const RecordedGraph& graph : recording.graphs) {
    for (const RecordedNode& node : graph.nodes) {
      if (node.kind == CallKind::kernel) ++launched.kernels;
      if (node.kind == CallKind::copy) ++launched.copies;
      if (node.kind == CallKind::memset) ++launched.memsets;
      if (role_of(node.kind) != CallRole::work) ++launched.others;
    }
  }
  return launched;
}

std::optional<StepSizes> steps_in(const ApplicationRecording& recording) {
  const auto& times = recording.watched_us.empty() ? recording.iteration_us : recording.watched_us;
  if (!recording.unequal || times.empty()) return std::nullopt;
  return StepSizes{.low_us = quantile(times, 0.25),
                   .high_us = quantile(times, 0.75),
                   .unequal = recording.unequal->calls,
                   .others = recording.unequal->others};
}

/// Returns true if the calls differ at most by their events and pointers.
bool are_alike(const RecordedCall& one, const RecordedCall& other) {
  const auto key = [](const RecordedCall& call) {
    return std::tie(call.kind, call.name, call.stream, call.bytes, call.kernel, call.grid,
                    call.block, call.shared_bytes, call.graph, call.value, call.synchronous);
  };
  return key(one) == key(other);
}

/// Returns how many equal parts the iteration's calls are, apart from their events: a program that
/// goes over a ring of events repeats itself after a whole one.
std::uint64_t turns_in(const ApplicationRecording& recording) {
  const auto& calls = recording.calls;
  if (recording.found != Found::repeats) return 1;
  for (std::size_t part = 1; part < calls.size(); ++part) {
    const auto next = calls.begin() + static_cast<long>(part);
    if (calls.size() % part == 0 && std::equal(next, calls.end(), calls.begin(), are_alike))
      return calls.size() / part;
  }
  return 1;
}

std::vector<CapturesAt> captures_in(const ApplicationRecording& recording) {
  if (!recording.captures || !recording.captures->audit) return {};
  const CaptureAudit& audit = *recording.captures->audit;
  std::vector<CapturesAt> all;
  for (const CaptureSite& site : audit.sites) {
    const std::string place = site.begin ? place_of(audit.source, *site.begin) : "";
    auto known = std::ranges::find_if(all, [&](const CapturesAt& one) {
      return one.place == place && one.mode == site.mode;  // a line may have several stacks
    });
    if (known == all.end()) known = all.insert(known, {.place = place, .mode = site.mode});
    known->ended += site.ended;
    known->failed += site.failed;
    known->elsewhere += site.elsewhere;
  }
  return all;
}

/// Returns the mean time of a call that issues an operation by itself; 0 without any.
double operation_us(const ApplicationRecording& recording) {
  double us = 0, calls = 0;
  for (const RecordedCall& call : recording.calls) {
    if (role_of(call.kind) != CallRole::work) continue;
    if (use_of(call, recording) != TimeUse::launching) continue;
    us += call.call_us.value_or(call.host_us) + call.runtime_us.value_or(0);
    ++calls;
  }
  return us / std::max(1.0, calls);
}

std::vector<ExecutablesAt> executables_in(const ApplicationRecording& recording) {
  std::vector<ExecutablesAt> all;
  if (!recording.resources) return all;
  for (const RecordedExecutables& one : recording.resources->executables) {
    const std::string place = one.stack ? place_of(recording.resources->source, *one.stack) : "";
    auto known = std::ranges::find(all, place, &ExecutablesAt::place);
    if (known == all.end()) known = all.insert(known, {.place = place});
    const std::uint64_t nodes = std::max(one.nodes, known->costs.nodes);
    for_each_member<RecordedExecutables>([&](auto member) {
      const auto& more = one.*member.pointer;
      if constexpr (requires { more + more; }) known->costs.*member.pointer += more;
    });
    known->costs.nodes = nodes;
  }
  const double call_us = operation_us(recording);
  for (auto& [place, costs, pays_after] : all) {
    const auto launches = static_cast<double>(costs.launches);
    const double saved_us = static_cast<double>(costs.nodes) * call_us - costs.launch_us / launches;
    if (saved_us > 0)
      pays_after = std::ceil(costs.instantiate_us / static_cast<double>(costs.made) / saved_us);
  }
  return all;
}

/// Joins growth by one cause at one line, which may have several stacks. The most comes first.
void add_pools(const RecordedResources& resources, Diagnosis& diagnosis) {
  std::vector<std::string>& places = diagnosis.pool_places;
  for (std::uint32_t i = 0; i < resources.source.stacks.size(); ++i) {
    places.push_back(place_of(resources.source, i));
  }
  diagnosis.pools = resources.pools;
  for (RecordedPool& pool : diagnosis.pools) {
    std::map<std::pair<GrowthCause, std::string>, PoolGrowth> joined;
    for (const PoolGrowth& one : std::exchange(pool.growth, {})) {
      const auto key = std::pair{one.cause, one.stack ? places[*one.stack] : ""};
      PoolGrowth& sum = joined.try_emplace(key, PoolGrowth{one.cause, one.stack}).first->second;
      sum.count += one.count;
      sum.bytes += one.bytes;
    }
    for (const auto& [key, sum] : joined) pool.growth.push_back(sum);
    std::ranges::stable_sort(pool.growth, std::greater{}, &PoolGrowth::bytes);
  }
}

std::vector<EarlyLaunches> early_launches(const ApplicationRecording& recording) {
  std::vector<EarlyLaunches> all;
  if (recording.queried) return all;  // the host may know that the kernel before is done
  for (const CallSegment& segment : segments_of(recording)) {
    for (const auto& [i, after, programmatic] : segment.nodes) {
      if (!programmatic || after.size() != 1) continue;
      const RecordedCall& call = recording.calls[i];
      const RecordedCall& before = recording.calls[segment.nodes[after[0]].call];
      const auto waits = recording.kernels[call.kernel].waits_for_previous;
      const auto triggers = recording.kernels[before.kernel].triggers_next;
      if (before.stream != call.stream || !waits || (*waits && triggers.value_or(true))) continue;
      auto known = std::ranges::find(all, *waits, &EarlyLaunches::waits);
      if (known == all.end()) {
        known =
            all.insert(known, {operation_name(call, recording), place_of(recording, i), 0, *waits});
      }
      ++known->count;
    }
  }
  return all;
}

void add_times(const ApplicationRecording& recorded, Diagnosis& diagnosis) {
  const HappensBefore order(recorded, 2);
  const UntracedTimes untraced = untraced_times(with_starts(recorded, order), order);
  const ApplicationRecording& recording = untraced.recording;
  const IterationSchedule schedule(recording, order);
  diagnosis.reconstruction = untraced.reconstruction;
  diagnosis.period_us = schedule.period_us();
  diagnosis.host = host_use(schedule);
  if (schedule.has_device_times()) diagnosis.device = device_use(schedule);
  diagnosis.path = critical_path(schedule);
  Races races = races_in(recording, order);
  diagnosis.races = std::move(races.found);
  diagnosis.races_cut = races.cut;
  diagnosis.findings = findings_in(schedule, IterationSchedule(recorded, order));
  diagnosis.early = early_launches(recording);
  diagnosis.graph = graph_bound(schedule);
  diagnosis.capture = capture_obstacles(recording);
  diagnosis.captures = captures_in(recording);
  diagnosis.executables = executables_in(recording);
}

void add_varying(const ApplicationRecording& recording, Diagnosis& diagnosis) {
  std::map<std::string, Varying> by_name;
  for (const RecordedCall& call : recording.calls) {
    const bool is_kernel = call.kind == CallKind::kernel;
    if (!is_kernel && !has_pointers(call.kind)) continue;
    const std::string name = is_kernel ? operation_name(call, recording) : function_of(call);
    Varying& varying = by_name[name];
    varying.name = name;
    ++varying.calls;
    for (const Variation one : call.arguments) add(one, varying);
    if (!is_kernel) add(call.pointers, varying);
  }
  for (const auto& [name, varying] : by_name) {
    diagnosis.constant += varying.constant;
    if (varying.alternating + varying.changing > 0) diagnosis.varying.push_back(varying);
  }
  std::ranges::stable_sort(diagnosis.varying, std::greater{},
                           [](const Varying& v) { return std::pair(v.changing, v.alternating); });
}

TracedOperation operation_of(const RecordedCall& call, const ApplicationRecording& recording,
                             std::uint64_t id) {
  const RecordedEngine engine = engine_of(call, recording);
  return {.activity = call.kind == CallKind::memset        ? Activity::memset
                      : engine == RecordedEngine::copy_in  ? Activity::copy_in
                      : engine == RecordedEngine::copy_out ? Activity::copy_out
                                                           : Activity::kernel,
          .name = call.kind == CallKind::kernel ? recording.kernels[call.kernel].name
                                                : operation_name(call, recording),
          .start_us = *call.device_start_us,
          .end_us = *call.device_start_us + *call.device_us,
          .bytes = call.bytes,
          .call = id,
          .stream = call.stream,
          .graph_node = 0,
          .copy_engine = is_copy(engine),
          .label = {.chunk = Label::none, .lane = call.stream}};
}

}  // namespace

GraphBound graph_bound(const IterationSchedule& schedule) {
  const ApplicationRecording& recording = schedule.recording();
  GraphBound bound{.least_us = least_device_us(schedule)};
  if (recording.issuing && recording.issuing->others > 0) bound.thread = recording.issuing->thread;
  std::size_t last = 0;
  for (std::size_t i = 0; i < recording.calls.size(); ++i) {
    const RecordedCall& call = recording.calls[i];
    const TimeUse use = use_of(call, recording);
    const bool in_stream_order = allocated_kind(call.kind) == MemoryKind::pool;
    if (use != TimeUse::launching && !in_stream_order) continue;
    if (bound.calls++ == 0) bound.first = place_of(recording, i);
    last = i;
    bound.host_us += call.call_us.value_or(call.host_us) + call.runtime_us.value_or(0);
  }
  if (bound.calls > 0) bound.last = place_of(recording, last);
  return bound;
}

Diagnosis diagnosis_of(const ApplicationRecording& recording) {
  Diagnosis diagnosis;
  diagnosis.application = recording.application;
  diagnosis.machine = recording.machine;
  diagnosis.simulated = recording.simulated;
  diagnosis.found = recording.found;
  diagnosis.range = recording.range;
  diagnosis.why_none = recording.why_none;
  diagnosis.calls = recording.calls.size();
  diagnosis.iterations = recording.iterations;
  diagnosis.turns = turns_in(recording);
  if (!recording.watched_us.empty()) diagnosis.watched_us = median(recording.watched_us);
  diagnosis.steps = steps_in(recording);
  diagnosis.refusals = recording.refusals;
  diagnosis.graphs = graphs_in(recording);
  add_varying(recording, diagnosis);
  if (recording.resources) add_pools(*recording.resources, diagnosis);
  if (recording.calls.empty()) return diagnosis;
  add_times(recording, diagnosis);
  diagnosis.notes = notes_on(recording);
  return diagnosis;
}

std::string to_json(const Diagnosis& diagnosis) {
  return pretty(document_of(diagnosis_schema, diagnosis));
}

VariantTrace trace_of(const ApplicationRecording& recording) {
  TracedPass pass;
  pass.recorded = true;
  for (std::size_t i = 0; i < recording.calls.size(); ++i) {
    const RecordedCall& call = recording.calls[i];
    const Label label{.chunk = Label::none,
                      .lane = acts_in_stream(call.kind) ? call.stream : Label::none};
    pass.records.calls.push_back({.id = i + 1,
                                  .name = function_of(call),
                                  .start_us = call.start_us,
                                  .end_us = call.start_us + call.host_us,
                                  .thread = 1,
                                  .label = label});
    if (!call.device_start_us || !call.device_us) continue;
    pass.records.operations.push_back(operation_of(call, recording, i + 1));
  }
  std::ranges::stable_sort(pass.records.calls, {}, &TracedCall::start_us);
  std::ranges::stable_sort(pass.records.operations, {}, &TracedOperation::start_us);
  if (!recording.calls.empty()) {
    pass.event_us = IterationSchedule(recording, HappensBefore(recording, 2)).period_us();
  }
  pass.end_us = pass.event_us;
  return {.variant = "iteration", .passes = {std::move(pass)}, .events_more_us = 0};
}

}  // namespace trilane
