#include "common/application/replay/replayed_iteration.hpp"

#include "common/application/iteration/call_segments.hpp"
#include "common/application/iteration/call_traits.hpp"
#include "common/application/replay/replay_driver.hpp"
#include "common/base/text/exit_code.hpp"

namespace trilane {

namespace {

/// Returns what a capture of the launch puts on the node. Without a priority of its own the kernel
/// has that of its stream; a node without one has 0.
std::vector<CUlaunchAttribute> node_attributes(const ReplayedCall& launch, std::int32_t priority) {
  std::vector<CUlaunchAttribute> all;
  for (const CUlaunchAttribute& attribute : launch.attributes) {
    const bool kept = kept_by_capture(attribute.id) == AttributeKept::in_node;
    if (kept && attribute.id != CU_LAUNCH_ATTRIBUTE_PRIORITY) all.push_back(attribute);
  }
  if (priority == 0) return all;
  CUlaunchAttribute& attribute = all.emplace_back();
  attribute.id = CU_LAUNCH_ATTRIBUTE_PRIORITY;
  attribute.value.priority = priority;
  return all;
}

constexpr int poison_byte = 0xA5;

}  // namespace

CUdeviceptr ReplayedHost::source(const RecordedMemory& memory, const ReplayedCall& copy,
                                 const std::vector<std::byte>& content, std::uint64_t address) {
  if (content.size() != copy.bytes) {
    throw NotPossible("the host memory of a copy could not be saved");
  }
  sources_.emplace_back(copy.bytes, is_pinned(memory), address);
  std::memcpy(sources_.back().data(), content.data(), copy.bytes);
  return reinterpret_cast<CUdeviceptr>(sources_.back().data());
}

CUdeviceptr ReplayedHost::destination(const RecordedMemory& memory, const ReplayedCall& copy,
                                      std::uint64_t address) {
  const std::uint64_t bytes = extent_of(copy, copy.destination_pitch, copy.destination_rows);
  const auto [found, is_new] = destination_of_.try_emplace({address, bytes}, destinations_.size());
  if (is_new) destinations_.emplace_back(bytes, is_pinned(memory), address);
  return reinterpret_cast<CUdeviceptr>(destinations_[found->second].data());
}

std::vector<MemoryFacts> ReplayedHost::outputs() const {
  std::vector<std::uint64_t> addresses(destinations_.size());  // of the application
  for (const auto& [range, number] : destination_of_) addresses[number] = range.first;
  std::vector<MemoryFacts> all;
  for (std::size_t i = 0; i < destinations_.size(); ++i) {
    const auto own = reinterpret_cast<std::uint64_t>(destinations_[i].data());
    const std::uint64_t end = addresses[i] + destinations_[i].size();
    for (std::uint64_t from = addresses[i]; from < end;) {
      const auto joint = joints_.upper_bound(from);
      const std::uint64_t to = joint == joints_.end() ? end : std::min(*joint, end);
      all.push_back({MemoryKind::pageable, own + from - addresses[i], to - from});
      from = to;
    }
  }
  return all;
}

void ReplayedHost::poison() {
  for (const OwnHostMemory& memory : destinations_) {
    std::memset(memory.data(), poison_byte, memory.size());
  }
}

void skip_host_functions(TakenIteration& taken) {
  std::vector<RecordedCall>& calls = taken.recording.calls;
  for (std::size_t i = calls.size(); i-- > 0;) {
    if (calls[i].graph) {
      taken.skipped_host_functions += static_cast<std::uint64_t>(
          std::ranges::count(taken.recording.graphs[*calls[i].graph].nodes, CallKind::host_function,
                             &RecordedNode::kind));
    }
    if (calls[i].kind != CallKind::host_function) continue;
    RecordedCall* const next = i + 1 < calls.size() ? &calls[i + 1] : nullptr;
    if (next != nullptr && next->own_us) *next->own_us += calls[i].own_us.value_or(0);
    const auto leave_out = [i](auto& all) {
      all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
    };
    leave_out(calls);
    leave_out(taken.observed.calls);
    leave_out(taken.captured);
    leave_out(taken.parameters);
    ++taken.skipped_host_functions;
  }
  taken.recording.data.reset();  // names calls by number
}

CUstream stream_of(const TakenIteration& taken) {
  CUstream first = nullptr;
  for (const ObservedCall& call : taken.observed.calls) {
    if (!is_operation(call.kind)) continue;
    const auto stream = reinterpret_cast<CUstream>(call.stream);
    if (stream != nullptr && stream != CU_STREAM_LEGACY) return stream;
    first = stream;
  }
  return first;
}

ReplayedIteration::ReplayedIteration(const TakenIteration& taken, HostKind host)
    : taken_(taken), host_(host, taken.joints), allocations_(taken.kept) {
  for (const InheritedMemory& memory : taken.inherited) {
    allocations_.add(memory.address, memory.content.size());
  }
  const std::vector<double> gaps = host_gaps(taken.recording);
  for (std::size_t i = 0; i < taken.recording.calls.size(); ++i) {
    calls_.push_back(replayed(i));
    calls_.back().gap_us = gaps[i];
  }
  hand_over();
}

/// An iteration frees what the one before left, in the order of those of its kind and size.
void ReplayedIteration::hand_over() {
  std::map<std::uint32_t, std::size_t> left;  // the call, by number of the allocation
  for (std::size_t i = 0; i < calls_.size(); ++i) {
    if (allocates(calls_[i].kind)) left[calls_[i].allocation] = i;
    if (frees(calls_[i].kind)) left.erase(calls_[i].allocation);
  }
  std::map<std::pair<MemoryKind, std::uint64_t>, std::deque<std::size_t>> of_size;
  for (const auto& [number, call] : left) {
    of_size[{allocated_kind(calls_[call].kind), calls_[call].bytes}].push_back(call);
  }
  for (std::uint32_t to = 0; to < taken_.inherited.size(); ++to) {
    const InheritedMemory& inherited = taken_.inherited[to];
    auto& fits = of_size[{allocated_kind(calls_[inherited.call].kind), inherited.content.size()}];
    if (fits.empty()) {
      refuse(inherited.call,
             "it frees memory that an earlier iteration allocated, and leaves none of that size to "
             "the next one");
    }
    const ObservedCall& call = taken_.observed.calls[fits.front()];
    handed_.push_back({fits.front(),
                       calls_[fits.front()].allocation,
                       to,
                       {allocated_kind(call.kind), call.destination, call.bytes}});
    fits.pop_front();
  }
}

void ReplayedIteration::refuse(std::size_t i, const std::string& why) const {
  throw NotPossible(fmt::format("{}: {}", taken_.recording.calls[i].name, why));
}

ReplayedCall ReplayedIteration::replayed(std::size_t i) {
  const RecordedCall& recorded = taken_.recording.calls[i];
  const ObservedCall& observed = taken_.observed.calls[i];
  if (!recorded.refusal.empty()) refuse(i, recorded.refusal);
  if (const char* const why = traits_of(recorded.kind).no_replay) refuse(i, why);
  ReplayedCall call;
  call.kind = recorded.kind;
  call.stream = reinterpret_cast<CUstream>(observed.stream);
  call.event = recorded.event;
  call.bytes = observed.bytes;
  call.parameters = taken_.parameters[i];
  place(i, call);
  return call;
}

void ReplayedIteration::place(std::size_t i, ReplayedCall& call) {
  const RecordedCall& recorded = taken_.recording.calls[i];
  const ObservedCall& observed = taken_.observed.calls[i];
  switch (role_of(recorded.kind)) {
    case CallRole::work:
      if (recorded.kind == CallKind::kernel) {
        call.attributes = taken_.captured[i].attributes;
        call.node_attributes = node_attributes(call, priority_of(recorded, taken_.recording));
        return place_kernel(observed.launch, call);
      }
      if (observed.batch) return place_batch(i, call);
      return place_operation(recorded, observed, source_of(i, 0), call);
    case CallRole::graph_launch: return place_launch(i, call);
    case CallRole::graph_change: return place_change(i, call);
    case CallRole::allocation:
      call.allocation = allocations_.add(observed.destination, observed.bytes);
      call.pool = reinterpret_cast<CUmemoryPool>(observed.pool);
      return;
    case CallRole::release:
      if (const auto number = allocations_.remove(observed.destination)) {
        call.allocation = *number;
        return;
      }
      refuse(i,
             "it frees memory of an earlier iteration that is not known or that other memory "
             "points to");
    case CallRole::record_event:
    case CallRole::wait_event:
    case CallRole::synchronize_event:
    case CallRole::query: events_ = std::max(events_, recorded.event + 1); return;
    case CallRole::synchronize_stream:
    case CallRole::synchronize_context: return;
    case CallRole::host_function:
    case CallRole::other: break;
  }
  throw std::logic_error(recorded.name + ": a call of a kind that no replay repeats");
}

/// Places a kernel, a copy or a memset, of the iteration or of a graph; nothing else.
void ReplayedIteration::place_operation(const RecordedCall& recorded, const ObservedCall& observed,
                                        const Source& source, ReplayedCall& call) {
  call.bytes = observed.bytes;
  call.height = std::max<std::uint64_t>(1, observed.height);
  call.depth = observed.depth;
  if (observed.kind == CallKind::kernel) return place_kernel(observed.launch, call);
  if (!moves_bytes(observed.kind)) return;
  call.destination = observed.destination;
  call.destination_pitch = observed.destination_pitch;
  call.destination_rows = observed.destination_rows;
  if (observed.kind == CallKind::copy) return place_copy(recorded, observed, source, call);
  call.moving_destination = allocations_.find(observed.destination);
  call.value = observed.value;
  call.value_bytes = std::max<std::uint32_t>(1, observed.value_bytes);
}

void ReplayedIteration::place_kernel(const ObservedLaunch& launch, ReplayedCall& call) const {
  call.function = reinterpret_cast<CUfunction>(launch.function);
  // A graph's node does not take a CUkernel in its place.
  call.node_function = function_of(launch.function);
  std::copy_n(launch.grid, 3, call.grid);
  std::copy_n(launch.block, 3, call.block);
  call.shared_bytes = launch.shared_bytes;
  call.arguments.assign(launch.arguments.begin(), launch.arguments.end());
  each_word(call.arguments, [&](std::size_t at, CUdeviceptr value) {
    if (const auto address = allocations_.find(value)) call.moving.push_back({at, *address});
  });
}

void ReplayedIteration::place_batch(std::size_t i, ReplayedCall& call) {
  const RecordedCall& recorded = taken_.recording.calls[i];
  if (driver().cuMemcpyBatchAsync == nullptr) {
    refuse(i, "the driver has no cuMemcpyBatchAsync that a replay calls");
  }
  const ObservedBatch& batch = *taken_.observed.calls[i].batch;
  call.copy_attributes.resize(batch.holds_from.size());
  std::memcpy(call.copy_attributes.data(), batch.attributes.data(), batch.attributes.size());
  call.attributes_hold_from = batch.holds_from;
  const std::vector<ObservedCall> copies = copies_of(taken_.observed.calls[i]);
  for (std::size_t k = 0; k < copies.size(); ++k) {
    RecordedCall one = recorded;
    one.uses = {recorded.uses.at(2 * k), recorded.uses.at(2 * k + 1)};
    ReplayedCall& copy = call.copies.emplace_back();
    copy.kind = call.kind;
    place_operation(one, copies[k], source_of(i, k), copy);
  }
}

const RecordedMemory& ReplayedIteration::memory_of(const RecordedCall& copy, Use use) const {
  const UsedRange* const found = first_used(copy, use);
  if (found != nullptr) return taken_.recording.memory[found->memory];
  throw NotPossible(fmt::format("{}: it is not known which memory it {}", copy.name, name_of(use)));
}

const ReplayedIteration::Source& ReplayedIteration::source_of(std::size_t call,
                                                              std::size_t copy) const {
  static const Source nothing;
  const std::vector<Source>& sources = taken_.captured[call].sources;
  return copy < sources.size() ? sources[copy] : nothing;
}

void ReplayedIteration::place_copy(const RecordedCall& recorded, const ObservedCall& observed,
                                   const Source& source, ReplayedCall& call) {
  call.waits = recorded.synchronous;
  call.source = observed.source;
  call.source_pitch = observed.source_pitch;
  call.source_rows = observed.source_rows;
  if (call.bytes == 0) return;
  const RecordedMemory& from = memory_of(recorded, Use::reads);
  const RecordedMemory& to = memory_of(recorded, Use::writes);
  if (on_host(from.kind)) {
    if (allocations_.any_in(source)) {
      throw NotPossible(recorded.name +
                        ": it copies an address in memory that the iteration allocates, and a "
                        "replay's memory is elsewhere");
    }
    call.source = host_.source(from, call, source, observed.source);
    call.source_pitch = call.source_rows = 0;
  } else {
    call.moving_source = allocations_.find(observed.source);
  }
  if (on_host(to.kind)) {
    call.destination = host_.destination(to, call, observed.destination);
  } else {
    call.moving_destination = allocations_.find(observed.destination);
  }
}

}  // namespace trilane
