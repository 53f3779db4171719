#include "common/application/prediction/ways/ways.hpp"

#include <cuda_runtime_api.h>

#include "common/application/iteration/call_kinds.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/measure/gpu/runtime/check.hpp"

namespace trilane {

namespace {

/// Returns true for cudaMalloc, cudaFree and the functions for pinned memory.
bool is_by_driver(CallKind kind) {
  return (allocates(kind) || frees(kind)) && allocated_kind(kind) != MemoryKind::pool;
}

/// Returns the time of an iteration with only its last call watched, as a share of the sum of its
/// calls and the time between them with all calls watched; at most 1.
double watched_share(const ApplicationRecording& recording) {
  double sum_us = 0;
  for (const RecordedCall& call : recording.calls) {
    if (!call.own_us || !call.call_us) return 1;
    sum_us += *call.own_us + *call.call_us;
  }
  if (recording.watched_us.empty() || sum_us <= 0) return 1;
  return std::min(1.0, median(recording.watched_us) / sum_us);
}

}  // namespace

bool has_recorded_allocations(const ApplicationRecording& recording) {
  const auto by_driver = [](const RecordedCall& call) { return is_by_driver(call.kind); };
  const auto is_timed = [](const RecordedCall& call) { return call.call_us.has_value(); };
  auto calls = recording.calls | std::views::filter(by_driver);
  return !calls.empty() && std::ranges::all_of(calls, is_timed);
}

StandInMemory::StandInMemory(const ApplicationRecording& recording, MemoryRules rules)
    : recording_(recording), rules_(rules), pieces_(recording.memory.size()) {
  if (rules.pool) pool_ = make_pool(std::numeric_limits<std::uint64_t>::max());  // keeps all memory
  keep_recorded();
  const std::vector<std::uint64_t> bytes = needed();
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    pieces_[i].bytes = bytes[i];
    const bool comes_later =
        recording.memory[i].within && !rules.allocated_once && !pieces_[i].timed_only;
    if (bytes[i] > 0 && !comes_later) make(pieces_[i], kind_of(recording.memory[i]), nullptr);
  }
  for (const RecordedCall& call : recording.calls) {
    const bool is_kernel = call.kind == CallKind::kernel;
    const std::string name = is_kernel ? recording.kernels[call.kernel].name : call.name;
    kernels_.push_back(is_one_kernel(call)
                           ? declare_kernel({.name = name, .time_us = call.device_us.value_or(0)})
                           : nullptr);
  }
}

StandInMemory::~StandInMemory() {
  wait_if_unwinding();
  for (Piece& piece : pieces_) {
    switch (piece.made) {
      case Made::device:
      case Made::pool: warn(cudaFree(piece.address)); break;
      case Made::pinned: warn(cudaFreeHost(piece.address)); break;
      case Made::not_now:
      case Made::pageable: break;
    }
  }
}

void StandInMemory::keep_recorded() {
  if (!has_recorded_allocations(recording_)) return;
  share_ = watched_share(recording_);
  for (const RecordedCall& call : recording_.calls) {
    const bool asks_pool = rules_.pool && call.kind == CallKind::allocate;
    if (!allocates(call.kind) || !is_by_driver(call.kind) || asks_pool) continue;
    pieces_[call.uses.at(0).memory].timed_only = true;
  }
}

/// Returns the bytes that copies and memsets use or that are allocated; kernels touch none.
std::vector<std::uint64_t> StandInMemory::needed() const {
  std::vector<std::uint64_t> bytes(recording_.memory.size());
  for (const RecordedCall& call : recording_.calls) {
    if (is_one_kernel(call)) continue;
    for (const UsedRange& used : call.uses) {
      bytes[used.memory] = std::max(
          {bytes[used.memory], used.offset + used.bytes, allocates(call.kind) ? call.bytes : 0});
    }
  }
  return bytes;
}

StandInMemory::Made StandInMemory::kind_of(const RecordedMemory& memory) const {
  if (!on_host(memory.kind)) return Made::device;
  return rules_.pinned || memory.kind == MemoryKind::pinned ? Made::pinned : Made::pageable;
}

void StandInMemory::make(Piece& piece, Made how, cudaStream_t stream) {
  void* address = nullptr;
  switch (how) {
    case Made::not_now: return;
    case Made::device: check(cudaMalloc(&address, piece.bytes)); break;
    case Made::pool:
      check(pool_ ? cudaMallocFromPoolAsync(&address, piece.bytes, pool_.get(), stream)
                  : cudaMallocAsync(&address, piece.bytes, stream));
      break;
    case Made::pinned: check(cudaMallocHost(&address, piece.bytes)); break;
    case Made::pageable:
      pageable_.push_back(std::make_unique_for_overwrite<std::byte[]>(piece.bytes));
      address = pageable_.back().get();
      break;
  }
  piece.address = static_cast<std::byte*>(address);
  piece.made = how;
}

void StandInMemory::release(Piece& piece, cudaStream_t stream) {
  switch (std::exchange(piece.made, Made::not_now)) {
    case Made::device: return check(cudaFree(piece.address));
    case Made::pool: return check(cudaFreeAsync(piece.address, stream));
    case Made::pinned: return check(cudaFreeHost(piece.address));
    case Made::not_now:
    case Made::pageable: return;
  }
}

void StandInMemory::allocate(const RecordedCall& call, cudaStream_t stream) {
  Piece& piece = pieces_[call.uses.at(0).memory];
  if (piece.timed_only) return spend_us(recorded_us(call));
  const bool pinned = call.kind == CallKind::allocate_host;
  const bool pool = rules_.pool || call.kind == CallKind::allocate_async;
  make(piece, pinned ? Made::pinned : pool ? Made::pool : Made::device, stream);
}

void StandInMemory::free(const RecordedCall& call, cudaStream_t stream) {
  Piece& piece = pieces_[call.uses.at(0).memory];
  // In cudaFree the driver waits for pending work. The simulated device takes that time too, but
  // follows the documentation, by which the memory may be gone earlier.
  const double begin_us = now_us();
  if (piece.made != Made::pool) check(cudaDeviceSynchronize());
  if (!piece.timed_only) return release(piece, stream);
  // The recorded time includes such a wait.
  spend_us(std::max(0.0, begin_us + recorded_us(call) - now_us()));
}

Operands StandInMemory::operands_of(std::size_t call) const {
  const RecordedCall& recorded = recording_.calls[call];
  if (is_one_kernel(recorded)) return {.kernel = kernels_[call]};
  Operands all{.to = address_of(first_used(recorded, Use::writes)),
               .from = address_of(first_used(recorded, Use::reads)),
               .bytes = recorded.bytes,
               .kernel = nullptr};
  for (std::size_t i = 0; copies_in(recorded) > 1 && i + 1 < recorded.uses.size(); i += 2) {
    const UsedRange &one = recorded.uses[i], &other = recorded.uses[i + 1];
    const bool reads_first = one.use == Use::reads;
    all.copies.push_back({.to = address_of(reads_first ? &other : &one),
                          .from = address_of(reads_first ? &one : &other),
                          .bytes = one.bytes,
                          .kernel = nullptr});
  }
  return all;
}

}  // namespace trilane
