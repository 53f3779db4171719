#include "common/application/replay/candidates.hpp"

#include "common/application/iteration/call_traits.hpp"
#include "common/application/replay/replayed_memory.hpp"
#include "common/base/text/words.hpp"

namespace trilane {

namespace {

const CandidateRow& row_of(ReplayWay way) {
  for (const auto rows : {call_by_call(), graph_by_graph(), graph_while()}) {
    const auto row = std::ranges::find(rows, way, &CandidateRow::way);
    if (row != rows.end()) return *row;
  }
  throw std::logic_error("a way without a candidate");
}

std::uint64_t count_of(const ApplicationRecording& recording, CallKind kind) {
  return static_cast<std::uint64_t>(std::ranges::count(recording.calls, kind, &RecordedCall::kind));
}

/// Returns true if call `one` writes bytes to the host that another operation writes, too.
bool written_again(const ApplicationRecording& recording, std::size_t one) {
  const UsedRange& to = recording.calls[one].uses[1];
  if (on_device(recording.memory[to.memory].kind)) return false;
  const auto writes = [&](const auto& operation) {
    return std::ranges::any_of(operation.uses, [&](const UsedRange& used) {
      return used.use == Use::writes && overlap(used, to);
    });
  };
  for (std::size_t i = 0; i < recording.calls.size(); ++i) {
    const RecordedCall& call = recording.calls[i];
    if (i != one && writes(call)) return true;
    if (call.graph && std::ranges::any_of(recording.graphs[*call.graph].nodes, writes)) return true;
  }
  return false;
}

void join(RecordedCall& copy, const RecordedCall& next) {
  copy.bytes += next.bytes;
  for (std::size_t side : {0, 1}) copy.uses[side].bytes += next.uses[side].bytes;
  copy.host_us = next.start_us + next.host_us - copy.start_us;
  copy.device_us.reset();
  if (copy.own_us) *copy.own_us += next.own_us.value_or(0);
  // The sum of all times stays, by which own times are scaled.
  if (copy.call_us) *copy.call_us += next.call_us.value_or(0) + next.runtime_us.value_or(0);
}

/// Leaves out the entries of calls that another one stands for.
void keep_first(const std::vector<std::size_t>& first, auto& by_call) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i] == i && kept++ != i) by_call[kept - 1] = std::move(by_call[i]);
  }
  by_call.resize(kept);
}

}  // namespace

std::string why_not(ReplayWay way, const TakenIteration& taken) {
  return row_of(way).why_not(taken);
}

Plan plan_of(ReplayWay way, const TakenIteration& taken) {
  const ApplicationRecording& recording = taken.recording;
  Plan plan;
  plan.model = {.issuer = Issuer::host,
                .chaining = Chaining::recorded,
                .scratch = ScratchSource::recording,
                .mover = Mover::engines_per_chunk};
  plan.streams = static_cast<std::uint32_t>(recording.streams.size());
  plan.blocks = true;
  row_of(way).expect(taken, plan);
  return plan;
}

std::unique_ptr<Candidate> make_candidate(ReplayWay way, const TakenIteration& taken) {
  return row_of(way).make(taken);
}

std::vector<MemoryFacts> Candidate::outputs() const {
  std::vector<MemoryFacts> all = left_by_application();
  for (std::size_t i = 0; i < all.size(); ++i) all[i].base = allocated_[iteration_.handed()[i].to];
  std::ranges::copy(iteration_.host().outputs(), std::back_inserter(all));
  return all;
}

std::uint64_t waits_of(const ApplicationRecording& recording) {
  const auto waits = [](const auto& call) { return only_waits(call.kind) || call.synchronous; };
  return static_cast<std::uint64_t>(std::ranges::count_if(recording.calls, waits));
}

Workload workload_of(const ApplicationRecording& recording) {
  constexpr std::size_t most_name = 60;
  std::uint64_t in_bytes = 0, out_bytes = 0;
  for (const RecordedCall& call : recording.calls) {
    in_bytes += host_bytes(recording, call, Use::reads);
    out_bytes += host_bytes(recording, call, Use::writes);
  }
  return {.name = printable(recording.application, most_name),
          .recorded = RecordedCalls{.calls = recording.calls.size(),
                                    .kernels = count_of(recording, CallKind::kernel),
                                    .copies = count_of(recording, CallKind::copy),
                                    .memsets = count_of(recording, CallKind::memset),
                                    .waits = waits_of(recording),
                                    .in_bytes = in_bytes,
                                    .out_bytes = out_bytes,
                                    .streams = recording.streams.size()}};
}

std::vector<std::size_t> joined_with(const ApplicationRecording& recording) {
  std::vector<std::size_t> first;
  for (std::size_t i = 0; i < recording.calls.size(); ++i) {
    const RecordedCall& call = recording.calls[i];
    const bool joins = i > 0 && call.adjoins.value_or(false) && !varies(call) &&
                       !varies(recording.calls[i - 1]) && !written_again(recording, i) &&
                       !written_again(recording, i - 1);
    first.push_back(joins ? first.back() : i);
  }
  return first;
}

ApplicationRecording with_joined_copies(const ApplicationRecording& recording) {
  const std::vector<std::size_t> first = joined_with(recording);
  ApplicationRecording joined = recording;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i] != i) join(joined.calls[first[i]], recording.calls[i]);
  }
  keep_first(first, joined.calls);
  joined.data.reset();  // names calls by number
  return joined;
}

TakenIteration with_joined_copies(const TakenIteration& taken) {
  const std::vector<std::size_t> first = joined_with(taken.recording);
  TakenIteration joined{.recording = with_joined_copies(taken.recording),
                        .observed = {.calls = taken.observed.calls},
                        .captured = taken.captured,
                        .parameters = taken.parameters,
                        .kept = taken.kept};
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i] == i) continue;
    ObservedCall& copy = joined.observed.calls[first[i]];
    joined.joints.insert(copy.destination + copy.bytes);
    copy.bytes += taken.observed.calls[i].bytes;
    for (const std::vector<std::byte>& more : taken.captured[i].sources) {
      std::vector<std::byte>& source = joined.captured[first[i]].sources.at(0);
      source.insert(source.end(), more.begin(), more.end());
    }
  }
  keep_first(first, joined.observed.calls);
  keep_first(first, joined.captured);
  keep_first(first, joined.parameters);
  return joined;
}

}  // namespace trilane
