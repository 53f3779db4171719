#include "common/application/finding/core/call_describer.hpp"

#include "common/application/finding/calls/kernel_words.hpp"
#include "common/application/iteration/observed_graph.hpp"

namespace trilane {

CallDescriber::CallDescriber(KnownMemory& memory, const HandleFacts& facts, Digest& digest)
    : memory_(memory), facts_(facts), digest_(digest), uses_(memory) {}

RecordedCall CallDescriber::described(const ObservedCall& call, const MemoryBlock& freed,
                                      const std::vector<bool>& points) {
  RecordedCall recorded;
  recorded.kind = call.kind;
  recorded.name = facts_.driver_name(call.function);
  recorded.bytes = frees(call.kind) ? freed.bytes : call.bytes;
  recorded.value = call.value;
  const bool moves = call.kind == CallKind::copy || call.kind == CallKind::memset;
  recorded.synchronous = moves && call.waits;
  if (call.refusal != nullptr) recorded.refusal = call.refusal;
  if (names_stream(call.kind)) {
    const auto [number, added] = streams_.of(call.stream);
    if (added) digest_.streams.push_back(facts_.stream(call.stream));
    recorded.stream = number;
  }
  if (names_event(call.kind)) recorded.event = events_.of(call.event).first;
  recorded.uses = uses_.of(call, freed);
  if (call.kind == CallKind::kernel) describe_launch(recorded, call.launch, points);
  if (call.kind == CallKind::graph_launch) {
    recorded.executable = executables_.of(call.executable).first;
    if (call.graph) recorded.graph = number_of(*call.graph);
  }
  return recorded;
}

std::uint32_t CallDescriber::number_of(const ObservedGraph& graph) {
  const auto [number, added] = graphs_.of(graph.number);
  if (!added) return number;
  RecordedGraph recorded;
  for (const auto& node : graph.nodes) {
    recorded.nodes.push_back(described_node(node->call));
    recorded.nodes.back().after = node->after;
  }
  digest_.graphs.push_back(std::move(recorded));
  return number;
}

/// Here a word counts as a pointer if it points into memory now, including memory of earlier nodes.
RecordedNode CallDescriber::described_node(const ObservedCall& operation) {
  RecordedCall recorded;
  recorded.kind = operation.kind;
  const MemoryBlock freed = memory_.note(operation);
  recorded.bytes = frees(operation.kind) ? freed.bytes : operation.bytes;
  recorded.value = operation.value;
  recorded.uses = uses_.of(operation, freed);
  if (operation.kind == CallKind::kernel) {
    std::vector<bool> points;
    const KernelFacts& facts = facts_.kernel(operation.launch.function);
    for (const auto& word : pointer_words(facts, operation.launch)) {
      points.push_back(memory_.is_live(word.value));
    }
    describe_launch(recorded, operation.launch, points);
  }
  return node_of(recorded);
}

std::uint32_t CallDescriber::number_of(const KernelFacts& facts, std::uint64_t function) {
  const auto [number, added] = kernels_.of(function);
  if (!added) return number;
  RecordedKernel kernel{facts.name, {}, facts.registers, facts.static_shared_bytes};
  for (const ParameterPlace& place : facts.parameters) {
    kernel.parameters.push_back({place.bytes, false});
  }
  digest_.kernels.push_back(std::move(kernel));
  return number;
}

void CallDescriber::describe_launch(RecordedCall& recorded, const ObservedLaunch& launch,
                                    const std::vector<bool>& points) {
  const KernelFacts& facts = facts_.kernel(launch.function);
  recorded.kernel = number_of(facts, launch.function);
  recorded.grid.assign(std::begin(launch.grid), std::end(launch.grid));
  recorded.block.assign(std::begin(launch.block), std::end(launch.block));
  recorded.shared_bytes = launch.shared_bytes;
  if (launch.attributes != nullptr) recorded.attributes = *launch.attributes;
  const auto words = pointer_words(facts, launch);
  for (std::size_t word = 0; word < words.size(); ++word) {
    if (word >= points.size() || !points[word]) continue;
    recorded.uses.push_back(uses_.from(words[word].value));
    digest_.kernels[recorded.kernel].parameters[words[word].parameter].pointer = true;
  }
}

}  // namespace trilane
