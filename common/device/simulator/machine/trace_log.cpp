#include "common/device/simulator/machine/trace_log.hpp"

#include "common/base/text/exit_code.hpp"
#include "common/device/simulator/machine/machine.hpp"

namespace trilane::simulator {

namespace {

std::optional<Activity> activity_of(Kind kind) {
  switch (kind) {
    case Kind::copy_in:
    case Kind::copy_within: return Activity::copy_in;  // as on a GPU
    case Kind::copy_out: return Activity::copy_out;
    case Kind::memset: return Activity::memset;
    case Kind::kernel: return Activity::kernel;
    default: return std::nullopt;
  }
}

TracedOperation record_of(const Operation& operation, std::uint64_t call) {
  const Task& task = *operation.task;
  const Activity activity = activity_of(task.kind).value();
  return {.activity = activity,
          .name = activity == Activity::kernel ? task.name : name_of(activity),
          .start_us = operation.started_us,
          .end_us = operation.finished_us,
          .bytes = task.bytes,
          .call = call,
          .stream = static_cast<std::uint32_t>(operation.stream),
          .graph_node = operation.graph_node,
          .copy_engine = task.kind == Kind::copy_in || task.kind == Kind::copy_out,
          .label = operation.label};
}

}  // namespace

TraceLog::TraceLog() {
  const Locked machine;
  if (machine->trace != nullptr) {
    throw NotPossible("tracing is unavailable: another tracer is active; end that one first");
  }
  machine->trace = this;
}

TraceLog::~TraceLog() {
  const Locked machine;
  if (machine->trace == this) machine->trace = nullptr;  // null after restart()
}

double TraceLog::now_us() { return Locked()->timeline.now(); }

void TraceLog::begin_call(const char* name, double us) {
  calls_.push_back({.id = ++last_call_,
                    .name = name,
                    .start_us = us,
                    .end_us = us,
                    .thread = this_thread(),
                    .label = Labelled::current()});
}

void TraceLog::issued(const OperationPtr& operation) {
  if (activity_of(operation->task->kind)) issued_.push_back({last_call_, operation});
}

TraceRecords TraceLog::take() {
  const Locked machine;
  TraceRecords records;
  records.calls = std::exchange(calls_, {});
  std::map<std::tuple<std::uint64_t, Activity, bool>, std::size_t> batches;  // one per call
  for (const auto& [call, operation] : issued_) {
    if (!operation->finished()) continue;
    const TracedOperation record = record_of(*operation, call);
    if (operation->task->batched) {
      const std::tuple batch{call, record.activity, record.copy_engine};
      const auto [place, is_new] = batches.try_emplace(batch, records.operations.size());
      if (!is_new) {
        TracedOperation& whole = records.operations[place->second];
        whole.start_us = std::min(whole.start_us, record.start_us);
        whole.end_us = std::max(whole.end_us, record.end_us);
        whole.bytes += record.bytes;
        continue;
      }
    }
    records.operations.push_back(record);
  }
  std::erase_if(issued_, [](const Issued& issued) { return issued.operation->finished(); });
  return records;
}

}  // namespace trilane::simulator

namespace trilane {

std::unique_ptr<Tracer> start_tracing() { return std::make_unique<simulator::TraceLog>(); }

void ensure_tracing() {}

}  // namespace trilane
