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

std::uint64_t count_of(const ApplicationRecording& recording, auto holds) {
  return static_cast<std::uint64_t>(std::ranges::count_if(recording.calls, holds));
}

std::uint64_t count_of(const ApplicationRecording& recording, CallKind kind) {
  return count_of(recording, [=](const RecordedCall& call) { return call.kind == kind; });
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

std::vector<MemoryFacts> Candidate::left_by_application() const {
  return transformed(iteration_.handed(), &HandedMemory::application);
}

std::uint64_t waits_of(const ApplicationRecording& recording) {
  return count_of(recording, [](const RecordedCall& call) {
    return only_waits(call.kind) || call.synchronous;
  });
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

}  // namespace trilane
