#include "common/application/finding/call_describer.hpp"

namespace trilane {

std::vector<UsedRange> MemoryUses::of(const ObservedCall& call, const MemoryBlock& freed) {
  if (call.kind == CallKind::copy) {
    std::vector<UsedRange> uses;
    for (const ObservedCall& copy : copies_of(call)) {
      uses.push_back(
          range(copy.source, extent_of(copy, copy.source_pitch, copy.source_rows), Use::reads));
      uses.push_back(range(copy.destination,
                           extent_of(copy, copy.destination_pitch, copy.destination_rows),
                           Use::writes));
    }
    return uses;
  }
  if (call.kind == CallKind::memset) {
    return {range(call.destination, extent_of(call, call.destination_pitch, 0), Use::writes)};
  }
  if (allocates(call.kind)) {
    made_.insert(call.destination);
    return {whole(known_.block_of(call.destination))};
  }
  if (!frees(call.kind) || freed.bytes == 0) return {};
  const UsedRange used = whole(freed);
  if (made_.erase(freed.base) > 0) memory_[used.memory].within = true;
  return {used};
}

UsedRange MemoryUses::from(std::uint64_t address) {
  const MemoryBlock block = known_.block_of(address);
  const std::uint64_t offset = address - block.base;
  return {number_of(block), offset, block.bytes - offset, Use::may_use};
}

UsedRange MemoryUses::range(std::uint64_t address, std::uint64_t bytes, Use use) {
  MemoryBlock block = known_.block_of(address);
  if (block.bytes == 0) {
    const auto [known, added] =
        by_address_.emplace(address, static_cast<std::uint32_t>(memory_.size()));
    if (added) memory_.push_back({.kind = block.kind});
    return {known->second, 0, bytes, use};
  }
  const std::uint64_t offset = address - block.base;
  // A range may extend into the next allocation if both were mapped side by side.
  return {number_of(block), offset, std::min(bytes, block.bytes - offset), use};
}

std::uint32_t MemoryUses::number_of(const MemoryBlock& block) {
  const auto [known, added] =
      by_block_.emplace(block.number, static_cast<std::uint32_t>(memory_.size()));
  if (added) memory_.push_back({.kind = block.kind, .bytes = block.bytes});
  return known->second;
}

RecordedCall CallDescriber::described(const ObservedCall& call, const MemoryBlock& freed,
                                      const std::vector<bool>& points) {
  RecordedCall recorded;
  recorded.kind = call.kind;
  recorded.name = facts_.driver_name(call.function);
  recorded.bytes = frees(call.kind) ? freed.bytes : call.bytes;
  recorded.value = call.value;
  recorded.synchronous = moves_bytes(call.kind) && call.waits;
  if (call.refusal != nullptr) recorded.refusal = call.refusal;
  if (names_stream(call.kind)) {
    const auto [number, added] = streams_.of(call.stream);
    if (added) recording_.streams.push_back(facts_.stream(call.stream));
    recorded.stream = number;
  }
  if (names_event(call.kind)) recorded.event = events_.of(call.event).first;
  recorded.uses = uses_.of(call, freed);
  if (adjoins(call, recorded)) recorded.adjoins = true;
  if (call.kind == CallKind::kernel) describe_launch(recorded, call.launch, points);
  if (call.kind == CallKind::graph_launch) {
    recorded.executable = executables_.of(call.executable).first;
    if (call.graph) recorded.graph = number_of(*call.graph);
  }
  return recorded;
}

bool CallDescriber::adjoins(const ObservedCall& call, const RecordedCall& recorded) {
  const std::optional<PlainCopy> before = std::exchange(latest_, std::nullopt);
  if (call.kind != CallKind::copy || call.batch || call.height > 1 || call.bytes == 0) return false;
  const std::vector<RecordedMemory>& memory = uses_.memory();
  const auto place = [&](const UsedRange& used) {
    const RecordedMemory& one = memory[used.memory];
    return one.bytes > 0 ? used.memory : UINT32_MAX - static_cast<std::uint32_t>(one.kind);
  };
  PlainCopy copy{call.stream, call.destination,        call.source,
                 call.waits,  place(recorded.uses[0]), place(recorded.uses[1])};
  const bool adjoins = before == copy;
  copy.destination_end += call.bytes;
  copy.source_end += call.bytes;
  latest_ = copy;
  return adjoins;
}

std::uint32_t CallDescriber::number_of(const ObservedStack& stack) {
  if (!recording_.source) recording_.source.emplace();
  return stacks_.number_of(stack, *recording_.source);
}

std::uint32_t StackNumbers::number_of(const ObservedStack& stack, RecordedSource& source) {
  const auto [number, added] = stacks_.of(reinterpret_cast<std::uint64_t>(&stack));
  if (!added) return number;
  RecordedStack recorded;
  for (const RecordedFrame* const frame : stack.frames) {
    const auto [place, is_new] = frames_.of(reinterpret_cast<std::uint64_t>(frame));
    if (is_new) source.frames.push_back(*frame);
    recorded.frames.push_back(place);
  }
  source.stacks.push_back(std::move(recorded));
  return number;
}

std::uint32_t CallDescriber::number_of(const ObservedGraph& graph) {
  const auto [number, added] = graphs_.of(graph.number);
  if (!added) return number;
  RecordedGraph recorded;
  for (const auto& node : graph.nodes) {
    recorded.nodes.push_back(described_node(node->call));
    recorded.nodes.back().after = node->after;
  }
  recording_.graphs.push_back(std::move(recorded));
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
  return operation_from<RecordedNode>(recorded);
}

std::uint32_t CallDescriber::number_of(const KernelFacts& facts, std::uint64_t function) {
  const auto [number, added] = kernels_.of(function);
  if (!added) return number;
  recording_.kernels.push_back(
      {facts.name,
       transformed(facts.parameters, [](const auto& p) { return RecordedParameter{p.bytes}; }),
       facts.registers, facts.static_shared_bytes, facts.waits_for_previous, facts.triggers_next});
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
    recording_.kernels[recorded.kernel].parameters[words[word].parameter].pointer = true;
  }
}

namespace {

/// Returns true if both may be one line: stacks are not taken of each call.
bool may_be_one(std::optional<std::uint32_t> known, std::optional<std::uint32_t> other) {
  return !other || known == other;
}

/// Returns true if a capture, or a call, was at the same place, as far as the later one is known.
bool at_same_place(const CapturePlace& known, const CapturePlace& later) {
  const auto key = [](const CapturePlace& p) {
    return std::tie(p.effect, p.mode, p.stream, p.loads, p.other_thread);
  };
  return key(known) == key(later) && may_be_one(known.stack, later.stack) &&
         may_be_one(known.begin, later.begin) && may_be_one(known.fork, later.fork);
}

}  // namespace

CaptureAudit& CaptureCounts::audit() {
  if (!captures_) captures_.emplace().audit.emplace();
  return *captures_->audit;
}

std::optional<std::uint32_t> CaptureCounts::number_of(const ObservedStack* stack) {
  if (stack == nullptr || stack->frames.empty()) return std::nullopt;
  return stacks_.number_of(*stack, audit().source);
}

void CaptureCounts::ended(const ObservedCapture& capture, const IssuingThreads& threads) {
  std::vector<CaptureSite>& sites = audit().sites;
  const auto begin = sites.size() < most_places ? number_of(capture.begin) : std::nullopt;
  auto site = std::ranges::find_if(sites, [&](const CaptureSite& known) {
    return known.mode == capture.mode && known.begin == begin;
  });
  if (site == sites.end()) site = sites.insert(site, {.mode = capture.mode, .begin = begin});
  ++site->ended;
  site->failed += capture.failed;
  site->elsewhere += capture.elsewhere;
  if (!capture.heard) {
    audit().unheard += capture.failed;
    return;
  }
  ++captures_->ended;
  if (capture.broken) count(*capture.broken, threads, captures_->failed);
}

/// The runtime's function may become known only later.
void CaptureCounts::count(const ObservedCaptureCall& call, const IssuingThreads& threads,
                          std::vector<CaptureCall>& all) {
  CapturePlace place = call.place;
  place.thread = threads.number_of(call.thread);
  place.begun_by = threads.number_of(call.begun_by);
  if (all.size() < most_places) {
    place.stack = number_of(call.stack);
    place.begin = number_of(call.begin);
    place.fork = number_of(call.fork);
  }
  const std::string name = facts_.driver_name(call.function);
  auto known = std::ranges::find_if(all, [&](const CaptureCall& one) {
    return one.call == name && one.code == call.code && at_same_place(*one.place, place);
  });
  if (known == all.end()) {
    known = all.insert(known, {.call = name, .kind = call.kind, .code = call.code, .place = place});
  }
  ++known->count;
  if (known->runtime.empty()) known->runtime = facts_.runtime_name(call.runtime);
}

}  // namespace trilane
