#include "common/model/variant/model.hpp"

#include "common/model/workload/steps.hpp"

namespace trilane {

bool is(Change change, const Model& model) {
  Model changed = multi_stream;
  switch (change) {
    case Change::graph: changed.issuer = Issuer::graph; break;
    case Change::pool: changed.scratch = ScratchSource::pool; break;
    case Change::trimmed_pool: changed.scratch = ScratchSource::trimmed_pool; break;
    case Change::cuda_malloc: changed.scratch = ScratchSource::cuda_malloc; break;
    case Change::engines: changed.chaining = Chaining::engines; break;
  }
  return model == changed;
}

Tier tier_of(const Model& model) {
  switch (model.mover) {
    case Mover::engines_per_chunk: return Tier::same_operations;
    case Mover::engines_per_pass:
    case Mover::engines_batched: return Tier::moved_together;
    case Mover::kernels:
    case Mover::fused_per_chunk:
    case Mover::fused_per_pass: return Tier::rewritten;
  }
  return Tier::rewritten;
}

bool is_bound(const Model& model) {
  switch (model.chaining) {
    case Chaining::one_stream:
    case Chaining::lanes:
    case Chaining::lanes_early:
    case Chaining::engines:
    case Chaining::data_edges:
    case Chaining::recorded: return false;
    case Chaining::recorded_one_wait:
    case Chaining::recorded_memory: return true;
  }
  return false;
}

const char* why_bound(const Model& model) {
  return model.chaining == Chaining::recorded_memory
             ? "kernels may use memory that no argument points to"
             : "the host may need what it waits for";
}

bool waits_each_time(const Model& model) {
  switch (model.issuer) {
    case Issuer::host_waiting: return true;
    case Issuer::host:
    case Issuer::host_threads:
    case Issuer::graph:
    case Issuer::graph_updated:
    case Issuer::graph_set:
    case Issuer::graph_loop: return false;
  }
  return false;
}

bool can_be_split(const Model& model) {
  const bool on_lanes = model.chaining == Chaining::lanes || model.chaining == Chaining::engines;
  const bool issued_as_set_up = model.issuer == Issuer::host ||
                                model.issuer == Issuer::host_threads ||
                                model.issuer == Issuer::graph;
  return on_lanes && issued_as_set_up && model.scratch == ScratchSource::lane &&
         model.mover == Mover::engines_per_chunk;
}

bool launches_graph(const Model& model) {
  switch (model.issuer) {
    case Issuer::host_waiting:
    case Issuer::host:
    case Issuer::host_threads: return false;
    case Issuer::graph:
    case Issuer::graph_updated:
    case Issuer::graph_set:
    case Issuer::graph_loop: return true;
  }
  return false;
}

bool uses_copy_engines(const Model& model) { return tier_of(model) != Tier::rewritten; }

Operations operations_of(const Model& model, const Workload& workload) {
  const StageCounts stages = workload.stages();
  const std::uint64_t chunks = workload.chunks(), transforms = chunks * stages.kernels;
  switch (model.mover) {
    case Mover::engines_per_chunk:
      return {chunks * stages.copies(), chunks * stages.clears, transforms};
    case Mover::engines_per_pass: return {copies_of_pass(workload), stages.clears, transforms};
    case Mover::engines_batched: return {batches_of_pass(workload), stages.clears, transforms};
    case Mover::kernels: return {.kernels = workload.operations()};
    case Mover::fused_per_chunk: return {.kernels = chunks};
    case Mover::fused_per_pass: return {.kernels = 1};
  }
  return {};
}

std::uint64_t graph_nodes_of(const Model& model, const Workload& workload) {
  if (!launches_graph(model)) return 0;
  const Operations all = operations_of(model, workload);
  const bool copies_apart = model.mover == Mover::engines_batched;
  const std::uint64_t operations = all.total() - (copies_apart ? all.copies : 0);
  switch (model.scratch) {
    case ScratchSource::graph_nodes: return operations + 2 * workload.chunks();
    case ScratchSource::lane:
    case ScratchSource::pass:
    case ScratchSource::pool:
    case ScratchSource::trimmed_pool:
    case ScratchSource::cuda_malloc:
    case ScratchSource::recording:
    case ScratchSource::none: break;
  }
  return operations;
}

}  // namespace trilane
